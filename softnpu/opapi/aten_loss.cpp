#include <ATen/ops/clamp_min.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/sign.h>

#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {
namespace {

/// The gradient of a mean over all elements; a sum and no reduction pass the gradient on as it is.
at::Tensor gradient_of_reduction(const at::Tensor& grad_output, const at::Tensor& self, std::int64_t reduction) {
  return reduction == at::Reduction::Mean ? grad_output / self.numel() : grad_output;
}

}  // namespace

at::Tensor l1_loss_gradient(const at::Tensor& grad_output, const at::Tensor& self, const at::Tensor& target,
                            std::int64_t reduction) {
  return gradient_of_reduction(grad_output, self, reduction) * at::sign(self - target);
}

at::Tensor kl_div_gradient(const at::Tensor& grad_output, const at::Tensor& self, const at::Tensor& target,
                           std::int64_t reduction, bool log_target) {
  const at::Tensor probability = log_target ? at::exp(target) : at::clamp_min(target, 0);
  return -gradient_of_reduction(grad_output, self, reduction) * probability;
}

}  // namespace opwright::softnpu::aten
