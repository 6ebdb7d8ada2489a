// What an expression of a declaration means: every name exists, every operand has the right kind.
#pragma once

#include <optional>

#include "model/operator.h"

namespace opwright::model {

/// Where an expression stands, which decides what it may name.
enum class Place {
  formula,   // dims, rules, results: dims and arguments
  npu,       // also results, and arguments that no kernel reads
  gradient,  // also results, `grad(result)`, `like(tensor)`, `needs_grad(argument)`, and tensors behind `if`
};

/// Types an expression against an operator whose arguments, dims (and results, where the place has them) are known.
/// Reports what is wrong and returns nothing. `wanted`: the kind that it must have.
std::optional<Typed> type_expression(const Operator& op, Place place, const ExprPtr& expr, std::optional<Kind> wanted,
                                     Diagnostics& diagnostics);

/// The value of an integer literal, `-1` included.
std::optional<std::int64_t> literal(const Expr& expr);

}  // namespace opwright::model
