// Tokens brought into the order of their experts, and back.
#pragma once

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {
namespace detail {
template <class Int>
void require_dims(const Tensor<Int>& tensor, std::string_view name, std::int64_t dims) {
  require(tensor.dim() == dims, name, " must have ", dims, dims == 1 ? " dimension" : " dimensions", ", got ",
          tensor.dim());
}
template <class Int>
void require_one_or_two(const Tensor<Int>& tensor, std::string_view name) {
  require(tensor.dim() == 1 || tensor.dim() == 2, name, " must have 1 or 2 dimensions, got ", tensor.dim());
}
}  // namespace detail

/// A positive num_out_tokens is a limit, another one is counted from the end.
template <class Int>
Sizes<Int> moe_token_permute_sizes(const Tensor<Int>& tokens, const Tensor<Int>& indices,
                                   const std::optional<std::int64_t>& num_out_tokens) {
  detail::require_dims(tokens, "tokens", 2);
  detail::require_one_or_two(indices, "indices");
  const std::int64_t wanted = num_out_tokens.value_or(0);
  const Int all = indices.numel();
  return {wanted > 0 ? minimum(Int(wanted), all) : plus(all, Int(wanted)), tokens.size(1)};
}

template <class Int>
Sizes<Int> moe_token_permute_grad_sizes(const Tensor<Int>& tokens, const Tensor<Int>& grad, const Tensor<Int>& indices,
                                        const Tensor<Int>& sorted_indices) {
  detail::require_dims(tokens, "tokens", 2);
  detail::require_dims(grad, "grad_permuted_tokens", 2);
  detail::require_one_or_two(indices, "indices");
  detail::require_one_or_two(sorted_indices, "sorted_indices");
  return {tokens.size(0), grad.size(1)};
}

template <class Int>
Sizes<Int> moe_token_permute_grad_v2_sizes(std::int64_t token_count, const Tensor<Int>& grad,
                                           const Tensor<Int>& sorted_indices) {
  detail::require_dims(grad, "grad_permuted_tokens", 2);
  detail::require_one_or_two(sorted_indices, "sorted_indices");
  return {Int(token_count), grad.size(1)};
}

/// As many rows as there are groups of probs; without probs, each row is a group.
template <class Int>
Sizes<Int> moe_token_unpermute_sizes(const Tensor<Int>& permuted_tokens, const Tensor<Int>& sorted_indices,
                                     const std::optional<Tensor<Int>>& probs) {
  if (probs) detail::require_dims(*probs, "probs", 2);
  detail::require_dims(permuted_tokens, "permuted_tokens", 2);
  detail::require_dims(sorted_indices, "sorted_indices", 1);
  const Int group = probs ? probs->size(1) : Int(1);
  require(expect_gt(group, Int(0)), "dimension 1 of probs must not be empty");
  return {divide(sorted_indices.size(0), group), permuted_tokens.size(1)};
}

template <class Int>
Sizes<Int> moe_token_unpermute_grad_tokens_sizes(const Tensor<Int>& permuted_tokens, const Tensor<Int>& grad,
                                                 const Tensor<Int>& sorted_indices, const std::optional<Tensor<Int>>&) {
  detail::require_dims(permuted_tokens, "permuted_tokens", 2);
  detail::require_dims(grad, "grad_unpermuted_tokens", 2);
  detail::require_dims(sorted_indices, "sorted_indices", 1);
  return permuted_tokens.shape;
}

template <class Int>
Sizes<Int> moe_token_unpermute_grad_v2_tokens_sizes(std::int64_t row_count, const Tensor<Int>& grad,
                                                    const Tensor<Int>& sorted_indices,
                                                    const std::optional<Tensor<Int>>&) {
  detail::require_dims(grad, "grad_unpermuted_tokens", 2);
  detail::require_dims(sorted_indices, "sorted_indices", 1);
  return {Int(row_count), grad.size(1)};
}

/// No dimensions where probs are absent.
template <class Int>
Sizes<Int> moe_token_unpermute_grad_v2_probs_sizes(const Tensor<Int>&, const Tensor<Int>&,
                                                   const std::optional<Tensor<Int>>& probs) {
  if (!probs) return {};
  detail::require_dims(*probs, "probs", 2);
  return probs->shape;
}
template <class Int>
Sizes<Int> moe_token_unpermute_grad_probs_sizes(const Tensor<Int>&, const Tensor<Int>& grad,
                                                const Tensor<Int>& sorted_indices,
                                                const std::optional<Tensor<Int>>& probs) {
  return moe_token_unpermute_grad_v2_probs_sizes(grad, sorted_indices, probs);
}

}  // namespace opwright::upstream
