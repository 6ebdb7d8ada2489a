// Written by `opwright generate` from the declarations of moe/; change that instead.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

namespace opwright::cpu {
std::tuple<at::Tensor, at::Tensor, at::Tensor> npu_moe_gating_top_k_softmax(
    const at::Tensor& x, const std::optional<at::Tensor>& finished, std::int64_t k);
at::Tensor npu_moe_token_unpermute(const at::Tensor& permuted_tokens, const at::Tensor& sorted_indices,
                                   const std::optional<at::Tensor>& probs, bool padded_mode,
                                   at::OptionalIntArrayRef restore_shape);
std::tuple<at::Tensor, at::Tensor> npu_moe_token_unpermute_grad(
    const at::Tensor& permuted_tokens, const at::Tensor& grad_unpermuted_tokens, const at::Tensor& sorted_indices,
    const std::optional<at::Tensor>& probs, bool padded_mode, at::OptionalIntArrayRef restore_shape);
}  // namespace opwright::cpu

namespace opwright::meta {
std::tuple<at::Tensor, at::Tensor, at::Tensor> npu_moe_gating_top_k_softmax(
    const at::Tensor& x, const std::optional<at::Tensor>& finished, std::int64_t k);
at::Tensor npu_moe_token_unpermute(const at::Tensor& permuted_tokens, const at::Tensor& sorted_indices,
                                   const std::optional<at::Tensor>& probs, bool padded_mode,
                                   at::OptionalIntArrayRef restore_shape);
std::tuple<at::Tensor, at::Tensor> npu_moe_token_unpermute_grad(
    const at::Tensor& permuted_tokens, const at::Tensor& grad_unpermuted_tokens, const at::Tensor& sorted_indices,
    const std::optional<at::Tensor>& probs, bool padded_mode, at::OptionalIntArrayRef restore_shape);
}  // namespace opwright::meta

namespace opwright::npu {
std::tuple<at::Tensor, at::Tensor, at::Tensor> npu_moe_gating_top_k_softmax(
    const at::Tensor& x, const std::optional<at::Tensor>& finished, std::int64_t k);
at::Tensor npu_moe_token_unpermute(const at::Tensor& permuted_tokens, const at::Tensor& sorted_indices,
                                   const std::optional<at::Tensor>& probs, bool padded_mode,
                                   at::OptionalIntArrayRef restore_shape);
std::tuple<at::Tensor, at::Tensor> npu_moe_token_unpermute_grad(
    const at::Tensor& permuted_tokens, const at::Tensor& grad_unpermuted_tokens, const at::Tensor& sorted_indices,
    const std::optional<at::Tensor>& probs, bool padded_mode, at::OptionalIntArrayRef restore_shape);
}  // namespace opwright::npu

namespace opwright::autograd {
std::tuple<at::Tensor, at::Tensor, at::Tensor> npu_moe_gating_top_k_softmax(
    c10::DispatchKeySet keys, const at::Tensor& x, const std::optional<at::Tensor>& finished, std::int64_t k);
at::Tensor npu_moe_token_unpermute(c10::DispatchKeySet keys, const at::Tensor& permuted_tokens,
                                   const at::Tensor& sorted_indices, const std::optional<at::Tensor>& probs,
                                   bool padded_mode, at::OptionalIntArrayRef restore_shape);
}  // namespace opwright::autograd
