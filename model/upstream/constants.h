// C++ constants that upstream's expressions name: `at::kFloat`, `at::Reduction::None`.
#pragma once

#include <string_view>

#include "model/upstream/typed.h"

namespace opwright::upstream {

/// The literal that a qualified name stands for; null where it is none.
TypedPtr constant_named(std::string_view name, const SourceRange& where);

TypedPtr integer_literal(std::int64_t value, Kind kind, const SourceRange& where);

}  // namespace opwright::upstream
