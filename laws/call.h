// An operator as another one calls it: what its dims, types and results are in the caller's sizes and dtypes.
#pragma once

#include <variant>
#include <vector>

#include "model/cases.h"

namespace opwright::laws {

struct Call {
  model::Case which;
  model::Known known;
  model::Values values;
};

/// Matches arguments of the right kinds against the callee's declaration. Undefined where a flag is not decided.
std::variant<model::Undefined, Call> call(const model::Operator& callee, const std::vector<model::Value>& arguments);

/// The tensor that the callee expects for an argument, written as the caller passes it: an optional trailing dimension
/// that was passed, or left out, is expected so.
std::variant<model::Undefined, model::TensorValue> expected(const model::Argument& argument, const Call& call,
                                                            const model::TensorValue& passed);

}  // namespace opwright::laws
