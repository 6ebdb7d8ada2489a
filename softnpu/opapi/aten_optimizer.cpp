#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/maximum.h>

#include <cmath>

#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {

void apply_adamw(const at::Tensor& var, const at::Tensor& m, const at::Tensor& v, const at::Tensor& max_v,
                 const at::Tensor& gradient, const at::Tensor& step, double lr, double beta1, double beta2,
                 double weight_decay, double eps, bool amsgrad, bool maximize) {
  const double this_step = step.item().toDouble() + 1;
  const at::Tensor downhill = maximize ? -gradient : gradient;
  var.mul_(1 - lr * weight_decay);
  m.lerp_(downhill.to(m.scalar_type()), 1 - beta1);
  v.mul_(beta2).addcmul_(downhill, downhill, 1 - beta2);
  at::Tensor second_moment = v;
  if (amsgrad) {
    max_v.copy_(at::maximum(max_v, v));
    second_moment = max_v;
  }
  const double correction1 = 1 - std::pow(beta1, this_step);
  const double correction2 = 1 - std::pow(beta2, this_step);
  var.addcdiv_(m, (second_moment.sqrt() / std::sqrt(correction2)).add_(eps), -lr / correction1);
}

void unscale_and_find_non_finite(const std::vector<at::Tensor>& gradients, at::Tensor found_inf,
                                 const at::Tensor& inverse_scale) {
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf, inverse_scale);
}

}  // namespace opwright::softnpu::aten
