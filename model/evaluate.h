// Expressions -> values, as far as they are known.
#pragma once

#include "model/operator.h"
#include "model/value.h"

namespace opwright::model {

/// Conditions decide early as in any language: in `not present(x) or size(x, 0) > 0` nothing is read of an absent x.
Value evaluate(const Expr& expr, const Values& values);

/// The shape that a rule describes.
std::variant<Undefined, Shape> evaluate_shape(const TensorRule& rule, const Values& values);

/// [T, K], [3, 8].
std::string to_string(const Shape& shape);

}  // namespace opwright::model
