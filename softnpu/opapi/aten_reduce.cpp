#include <ATen/ops/all.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/any.h>
#include <ATen/ops/std.h>

#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {
namespace {

std::vector<std::int64_t> dims_or_all(const at::Tensor& self, at::IntArrayRef dims) {
  if (!dims.empty()) return dims.vec();
  std::vector<std::int64_t> all(static_cast<std::size_t>(self.dim()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  return all;
}

}  // namespace

at::Tensor all_over(const at::Tensor& self, at::IntArrayRef dims, bool keepdim) {
  return at::all(self, dims_or_all(self, dims), keepdim);
}
at::Tensor any_over(const at::Tensor& self, at::IntArrayRef dims, bool keepdim) {
  return at::any(self, dims_or_all(self, dims), keepdim);
}
std::tuple<at::Tensor, at::Tensor> aminmax_over(const at::Tensor& self, at::IntArrayRef dims, bool keepdim) {
  return {at::amin(self, dims, keepdim), at::amax(self, dims, keepdim)};
}
at::Tensor deviation(const at::Tensor& self, at::IntArrayRef dims, const at::Scalar& correction, bool keepdim) {
  return at::std(self, dims, correction, keepdim);
}

}  // namespace opwright::softnpu::aten
