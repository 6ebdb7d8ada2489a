// How arguments of a schema are spelled in C++, one function for each place where they occur.
#pragma once

#include <string>

#include "model/operator.h"

namespace opwright::emit {

/// The field of a kernel's call struct: `View`, `std::int64_t`.
std::string field_type(const model::Argument& argument);

/// the parameter of inference: `const TensorInfo<Int>&`, `const Int&`.
std::string inference_type(const model::Argument& argument);

/// The parameter of a kernel that torch's dispatcher calls: `const at::Tensor&`, `c10::SymInt`.
std::string torch_type(const SchemaType& type);

/// The results of such a kernel: `at::Tensor`, `std::tuple<at::Tensor, at::Tensor>`.
std::string torch_result_type(const model::Operator& op);

/// What an autograd node keeps an argument as: `Saved`, `std::int64_t`, `std::optional<std::vector<std::int64_t>>`.
std::string member_type(const SchemaType& type);

/// The parameter of an entry point of the software NPU.
std::string entry_point_type(const SchemaType& type);

/// `Dtype::bfloat16`
std::string spelled(Dtype dtype);

}  // namespace opwright::emit
