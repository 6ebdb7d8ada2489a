#include <ATen/ops/result_type.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>

#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {

at::Tensor as_int64(const at::Tensor& index) { return index.to(at::kLong); }
at::Tensor as_int64(const std::vector<std::int64_t>& index) { return at::tensor(index, at::kLong); }

std::int64_t as_int(const at::Scalar& value) { return value.toLong(); }

at::Scalar as_scalar(std::int64_t value) { return value; }
at::Scalar as_scalar(const at::Tensor& one_element) { return one_element.item(); }

at::Tensor as_zero_dim(const at::Tensor& one_element) { return one_element.reshape({}); }

at::Tensor as_tensor(const at::Scalar& value, const at::Tensor& other) {
  return at::scalar_tensor(value, at::result_type(value, other));
}

at::Tensor wide(const at::Tensor& tensor) {
  if (!tensor.defined() || !at::isReducedFloatingType(tensor.scalar_type())) return tensor;
  return tensor.to(at::kFloat);
}
std::optional<at::Tensor> wide(const std::optional<at::Tensor>& tensor) {
  if (!tensor) return std::nullopt;
  return wide(*tensor);
}

}  // namespace opwright::softnpu::aten
