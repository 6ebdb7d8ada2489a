// What wrappers, autograd and registration agree on: the parameters of an operator's functions on the torch side.
#pragma once

#include <string>
#include <vector>

#include "model/operator.h"

namespace opwright::emit {

/// `const at::Tensor& x`, ... in schema order; arguments that the body does not read are commented out where
/// `unused` says so.
std::vector<std::string> torch_parameters(const model::Operator& op, const std::vector<std::string>& unused = {});

/// The names alone.
std::vector<std::string> argument_names(const model::Operator& op);

/// An argument as inference takes it, from a torch parameter. `integer` is the integer type of the inference.
std::string as_inference_argument(const model::Operator& op, const model::Argument& argument,
                                  const std::string& integer);

}  // namespace opwright::emit
