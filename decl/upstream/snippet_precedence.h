// How tightly the operators of a snippet bind, for its parser and its printer.
#pragma once

#include <string_view>

#include "decl/upstream/snippet.h"

namespace opwright::upstream {

/// Loosest first.
enum class Precedence { sequence, conditional, either, both, equality, order, sum, product, prefix, postfix };

/// Of an operator with two operands; `sequence` for anything else.
Precedence precedence_of(std::string_view binary_operator);
Precedence precedence_of(const Snippet& snippet);

}  // namespace opwright::upstream
