// Kinds of values, as messages and schemas name them.
#pragma once

#include <optional>
#include <string_view>

#include "model/operator.h"

namespace opwright::model {

/// "an integer", "a list of integers".
std::string_view with_article(Kind kind);

/// The kind of a schema type, or nothing for types that declarations cannot use yet (`Scalar`, `Tensor[]`, ...).
std::optional<Kind> kind_of(const SchemaType& type);

}  // namespace opwright::model
