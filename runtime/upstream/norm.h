// Normalisation, gated activations and losses.
#pragma once

#include "runtime/upstream/promotion.h"
#include "runtime/upstream/reduce.h"

namespace opwright::upstream {

/// Of the normalised tensor, and of the reciprocal standard deviation: 1 along the dimensions that gamma has.
template <class Int>
std::vector<Sizes<Int>> rms_norm_sizes(const Tensor<Int>& self, const Tensor<Int>& gamma) {
  require(gamma.dim() <= self.dim(), "gamma must have at most ", self.dim(), " dimensions, got ", gamma.dim());
  Sizes<Int> rstd = leading_sizes(self, gamma.dim());
  for (std::int64_t i = 0; i < gamma.dim(); ++i) rstd.push_back(Int(1));
  return {self.shape, rstd};
}

/// One half of dimension `dim`, rounded down.
template <class Int>
Sizes<Int> glu_sizes(const Tensor<Int>& self, std::int64_t dim) {
  require(self.dim() > 0, "self must have at least 1 dimension, got 0");
  const auto at = static_cast<std::size_t>(wrapped_dimension(self, dim));
  Sizes<Int> sizes = self.shape;
  sizes[at] = divide(sizes[at], Int(2));
  return sizes;
}
template <class Int>
Sizes<Int> gelu_mul_sizes(const Tensor<Int>& input) {
  return glu_sizes(input, -1);
}

/// The weight's gradient of prelu.
template <class Int>
Sizes<Int> prelu_weight_sizes(const Tensor<Int>& weight) {
  const Int count = weight.numel();
  return count == Int(1) ? weight.shape : Sizes<Int>{count};
}

template <class Int>
Sizes<Int> cross_entropy_loss_sizes(const Tensor<Int>& input, std::string_view reduction) {
  return {reduction == "none" ? input.size(0) : Int(1)};
}
template <class Int>
Sizes<Int> cross_entropy_zloss_sizes(const Tensor<Int>& input, std::string_view reduction, bool return_zloss) {
  return return_zloss ? cross_entropy_loss_sizes(input, reduction) : Sizes<Int>{Int(0)};
}
template <class Int>
Sizes<Int> cross_entropy_lse_sizes(const Tensor<Int>& input, double lse_square_scale) {
  return {static_cast<float>(lse_square_scale) != 0 ? input.size(0) : Int(0)};
}

/// The weight or the bias counts on devices from Ascend950 on.
template <class Int>
ScalarType group_norm_silu_dtype(const Platform& platform, const Tensor<Int>& input,
                                 const std::optional<Tensor<Int>>& weight, const std::optional<Tensor<Int>>& bias) {
  Promotion promotion;
  promotion.add(input);
  if (platform.ascend950_or_newer && (weight || bias)) promotion.add(weight ? *weight : *bias);
  return promotion.result();
}

inline std::string gelu_approximation(std::string_view approximate) {
  require(approximate == "none" || approximate == "tanh", "approximate must be none or tanh, got ", approximate);
  return std::string(approximate);
}
inline std::int64_t gelu_approximation_mode(std::string_view approximate) {
  return gelu_approximation(approximate) == "tanh" ? 1 : 0;
}

}  // namespace opwright::upstream
