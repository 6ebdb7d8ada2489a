// The call of the gradient operator that a forward operator's `gradient: {by: …}` describes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "laws/call.h"
#include "model/operator.h"

namespace opwright::laws {

/// One argument that does not fit the gradient operator's schema.
struct Misfit {
  std::size_t index;
  std::string message;
};

/// Whether the kinds of the arguments are those of the gradient operator's schema.
std::vector<Misfit> misfits(const model::Operator& op, const model::Operator& gradient_op);

/// The gradient operator of a `by:` formula, if it is in the library and the kinds of the arguments fit.
const model::Operator* gradient_operator(const model::Library& library, const model::Operator& op);

/// The arguments of the formula in a case.
std::vector<model::Value> gradient_arguments(const model::Operator& op, const model::Case& which,
                                             const model::Known& known);

/// Whether every tensor that the gradient operator needs is there. Where one is not, law L2 says so, and the call says
/// nothing about results.
bool has_required_tensors(const model::Operator& gradient_op, const std::vector<model::Value>& arguments);

}  // namespace opwright::laws
