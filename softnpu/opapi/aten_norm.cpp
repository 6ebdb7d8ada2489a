#include <ATen/ExpandUtils.h>
#include <ATen/ops/add.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sum.h>

#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {
namespace {

std::vector<std::int64_t> trailing_dims(const at::Tensor& self, const at::Tensor& gamma) {
  std::vector<std::int64_t> dims;
  for (std::int64_t dim = self.dim() - gamma.dim(); dim < self.dim(); ++dim) dims.push_back(dim);
  return dims;
}

}  // namespace

std::tuple<at::Tensor, at::Tensor> rms_norm_with_rstd(const at::Tensor& self, const at::Tensor& gamma, double epsilon) {
  const at::Tensor rstd = at::rsqrt(at::mean(self * self, trailing_dims(self, gamma), /*keepdim=*/true) + epsilon);
  return {self * rstd * gamma, rstd};
}

std::tuple<at::Tensor, at::Tensor> rms_norm_gradient(const at::Tensor& grad_output, const at::Tensor& self,
                                                     const at::Tensor& rstd, const at::Tensor& gamma) {
  const std::vector<std::int64_t> dims = trailing_dims(self, gamma);
  std::vector<std::int64_t> rstd_sizes = self.sizes().vec();
  for (const std::int64_t dim : dims) rstd_sizes[static_cast<std::size_t>(dim)] = 1;
  const at::Tensor scale = rstd.reshape(rstd_sizes);
  const at::Tensor normalised = self * scale;
  const at::Tensor weighted = grad_output * gamma;
  const at::Tensor grad_self =
      scale * (weighted - normalised * at::mean(weighted * normalised, dims, /*keepdim=*/true));
  return {grad_self, at::sum_to(grad_output * normalised, gamma.sizes())};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> add_rms_norm(const at::Tensor& x1, const at::Tensor& x2,
                                                            const at::Tensor& gamma, double epsilon) {
  const at::Tensor sum = at::add(x1, x2);
  const auto [normalised, rstd] = rms_norm_with_rstd(wide(sum), wide(gamma), epsilon);
  return {normalised, rstd, sum};
}

}  // namespace opwright::softnpu::aten
