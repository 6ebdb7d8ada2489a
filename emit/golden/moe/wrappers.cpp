// Written by `opwright generate` from the declarations of moe/; change that instead.
#include "moe/wrappers.h"

#include <c10/core/DeviceGuard.h>

#include "moe/gating_top_k_softmax.h"
#include "moe/gating_top_k_softmax.infer.h"
#include "moe/token_unpermute.h"
#include "moe/token_unpermute.infer.h"
#include "npu/aclnn.h"
#include "runtime/torch/arguments.h"
#include "runtime/torch/errors.h"
#include "runtime/torch/tensors.h"

// Tensors with data on CPU: infer, allocate, compute.
namespace opwright::cpu {

// moe/gating_top_k_softmax.yaml:1
std::tuple<at::Tensor, at::Tensor, at::Tensor> npu_moe_gating_top_k_softmax(
    const at::Tensor& x, const std::optional<at::Tensor>& finished, std::int64_t k) {
  return with_torch_errors([&] {
    require_device("npu_moe_gating_top_k_softmax", "finished", finished, "x", x.device());
    const auto inferred = infer::npu_moe_gating_top_k_softmax<std::int64_t>(describe<std::int64_t>(x),
                                                                            describe<std::int64_t>(finished), k);
    const at::Tensor y = allocate(inferred.y, at::kCPU);
    const at::Tensor expert_idx = allocate(inferred.expert_idx, at::kCPU);
    const at::Tensor row_idx = allocate(inferred.row_idx, at::kCPU);
    ops::gating_top_k_softmax(ops::npu_moe_gating_top_k_softmax{
        .x = view(x),
        .finished = view(finished),
        .k = k,
        .E = inferred.E,
        .B = inferred.B,
        .y = mutable_view(y),
        .expert_idx = mutable_view(expert_idx),
        .row_idx = mutable_view(row_idx),
    });
    return std::tuple(y, expert_idx, row_idx);
  });
}

// moe/token_unpermute.yaml:1
at::Tensor npu_moe_token_unpermute(const at::Tensor& permuted_tokens, const at::Tensor& sorted_indices,
                                   const std::optional<at::Tensor>& probs, bool padded_mode,
                                   at::OptionalIntArrayRef /*restore_shape*/) {
  return with_torch_errors([&] {
    require_device("npu_moe_token_unpermute", "sorted_indices", sorted_indices, "permuted_tokens",
                   permuted_tokens.device());
    require_device("npu_moe_token_unpermute", "probs", probs, "permuted_tokens", permuted_tokens.device());
    const auto inferred = infer::npu_moe_token_unpermute<std::int64_t>(describe<std::int64_t>(permuted_tokens),
                                                                       describe<std::int64_t>(sorted_indices),
                                                                       describe<std::int64_t>(probs), padded_mode);
    const at::Tensor unpermuted_tokens = allocate(inferred.unpermuted_tokens, at::kCPU);
    ops::token_unpermute(ops::npu_moe_token_unpermute{
        .permuted_tokens = view(permuted_tokens),
        .sorted_indices = view(sorted_indices),
        .probs = view(probs),
        .padded_mode = padded_mode,
        .R = inferred.R,
        .H = inferred.H,
        .S = inferred.S,
        .T = inferred.T,
        .K = inferred.K,
        .unpermuted_tokens = mutable_view(unpermuted_tokens),
    });
    return unpermuted_tokens;
  });
}

// moe/token_unpermute.yaml:83
std::tuple<at::Tensor, at::Tensor> npu_moe_token_unpermute_grad(
    const at::Tensor& permuted_tokens, const at::Tensor& grad_unpermuted_tokens, const at::Tensor& sorted_indices,
    const std::optional<at::Tensor>& probs, bool padded_mode, at::OptionalIntArrayRef /*restore_shape*/) {
  return with_torch_errors([&] {
    require_device("npu_moe_token_unpermute_grad", "grad_unpermuted_tokens", grad_unpermuted_tokens, "permuted_tokens",
                   permuted_tokens.device());
    require_device("npu_moe_token_unpermute_grad", "sorted_indices", sorted_indices, "permuted_tokens",
                   permuted_tokens.device());
    require_device("npu_moe_token_unpermute_grad", "probs", probs, "permuted_tokens", permuted_tokens.device());
    const auto inferred = infer::npu_moe_token_unpermute_grad<std::int64_t>(
        describe<std::int64_t>(permuted_tokens), describe<std::int64_t>(grad_unpermuted_tokens),
        describe<std::int64_t>(sorted_indices), describe<std::int64_t>(probs), padded_mode);
    const at::Tensor grad_permuted_tokens = allocate(inferred.grad_permuted_tokens, at::kCPU);
    const at::Tensor grad_probs = allocate(inferred.grad_probs, at::kCPU);
    ops::token_unpermute_grad(ops::npu_moe_token_unpermute_grad{
        .permuted_tokens = view(permuted_tokens),
        .grad_unpermuted_tokens = view(grad_unpermuted_tokens),
        .sorted_indices = view(sorted_indices),
        .probs = view(probs),
        .padded_mode = padded_mode,
        .R = inferred.R,
        .H = inferred.H,
        .T = inferred.T,
        .S = inferred.S,
        .K = inferred.K,
        .grad_permuted_tokens = mutable_view(grad_permuted_tokens),
        .grad_probs = mutable_view(grad_probs),
    });
    return std::tuple(grad_permuted_tokens, grad_probs);
  });
}

}  // namespace opwright::cpu

// Tensors without data: infer.
namespace opwright::meta {

// moe/gating_top_k_softmax.yaml:1
std::tuple<at::Tensor, at::Tensor, at::Tensor> npu_moe_gating_top_k_softmax(
    const at::Tensor& x, const std::optional<at::Tensor>& finished, std::int64_t k) {
  return with_torch_errors([&] {
    const auto inferred = infer::npu_moe_gating_top_k_softmax<c10::SymInt>(describe<c10::SymInt>(x),
                                                                           describe<c10::SymInt>(finished), k);
    return std::tuple(allocate(inferred.y, at::kMeta), allocate(inferred.expert_idx, at::kMeta),
                      allocate(inferred.row_idx, at::kMeta));
  });
}

// moe/token_unpermute.yaml:1
at::Tensor npu_moe_token_unpermute(const at::Tensor& permuted_tokens, const at::Tensor& sorted_indices,
                                   const std::optional<at::Tensor>& probs, bool padded_mode,
                                   at::OptionalIntArrayRef /*restore_shape*/) {
  return with_torch_errors([&] {
    const auto inferred = infer::npu_moe_token_unpermute<c10::SymInt>(describe<c10::SymInt>(permuted_tokens),
                                                                      describe<c10::SymInt>(sorted_indices),
                                                                      describe<c10::SymInt>(probs), padded_mode);
    return allocate(inferred.unpermuted_tokens, at::kMeta);
  });
}

// moe/token_unpermute.yaml:83
std::tuple<at::Tensor, at::Tensor> npu_moe_token_unpermute_grad(
    const at::Tensor& permuted_tokens, const at::Tensor& grad_unpermuted_tokens, const at::Tensor& sorted_indices,
    const std::optional<at::Tensor>& probs, bool padded_mode, at::OptionalIntArrayRef /*restore_shape*/) {
  return with_torch_errors([&] {
    const auto inferred = infer::npu_moe_token_unpermute_grad<c10::SymInt>(
        describe<c10::SymInt>(permuted_tokens), describe<c10::SymInt>(grad_unpermuted_tokens),
        describe<c10::SymInt>(sorted_indices), describe<c10::SymInt>(probs), padded_mode);
    return std::tuple(allocate(inferred.grad_permuted_tokens, at::kMeta), allocate(inferred.grad_probs, at::kMeta));
  });
}

}  // namespace opwright::meta

// Tensors on an NPU: infer, allocate, hand over to the operator library.
namespace opwright::npu {

// moe/gating_top_k_softmax.yaml:1
std::tuple<at::Tensor, at::Tensor, at::Tensor> npu_moe_gating_top_k_softmax(
    const at::Tensor& x, const std::optional<at::Tensor>& finished, std::int64_t k) {
  return with_torch_errors([&] {
    require_device("npu_moe_gating_top_k_softmax", "finished", finished, "x", x.device());
    const auto inferred = infer::npu_moe_gating_top_k_softmax<std::int64_t>(describe<std::int64_t>(x),
                                                                            describe<std::int64_t>(finished), k);
    const c10::DeviceGuard guard(x.device());
    const at::Tensor y = allocate(inferred.y, x.device());
    const at::Tensor expert_idx = allocate(inferred.expert_idx, x.device());
    const at::Tensor row_idx = allocate(inferred.row_idx, x.device());
    static const aclnn::Function function("aclnnMoeGatingTopKSoftmax");
    function(x, finished, k, y, expert_idx, row_idx);
    return std::tuple(y, expert_idx, row_idx);
  });
}

// moe/token_unpermute.yaml:1
at::Tensor npu_moe_token_unpermute(const at::Tensor& permuted_tokens, const at::Tensor& sorted_indices,
                                   const std::optional<at::Tensor>& probs, bool padded_mode,
                                   at::OptionalIntArrayRef restore_shape) {
  return with_torch_errors([&] {
    require_device("npu_moe_token_unpermute", "sorted_indices", sorted_indices, "permuted_tokens",
                   permuted_tokens.device());
    require_device("npu_moe_token_unpermute", "probs", probs, "permuted_tokens", permuted_tokens.device());
    const auto inferred = infer::npu_moe_token_unpermute<std::int64_t>(describe<std::int64_t>(permuted_tokens),
                                                                       describe<std::int64_t>(sorted_indices),
                                                                       describe<std::int64_t>(probs), padded_mode);
    const c10::DeviceGuard guard(permuted_tokens.device());
    const at::Tensor unpermuted_tokens = allocate(inferred.unpermuted_tokens, permuted_tokens.device());
    static const aclnn::Function function("aclnnMoeTokenUnpermute");
    function(permuted_tokens, sorted_indices, probs, padded_mode, aclnn::list_or(restore_shape, {std::int64_t(1)}),
             unpermuted_tokens);
    return unpermuted_tokens;
  });
}

// moe/token_unpermute.yaml:83
std::tuple<at::Tensor, at::Tensor> npu_moe_token_unpermute_grad(
    const at::Tensor& permuted_tokens, const at::Tensor& grad_unpermuted_tokens, const at::Tensor& sorted_indices,
    const std::optional<at::Tensor>& probs, bool padded_mode, at::OptionalIntArrayRef restore_shape) {
  return with_torch_errors([&] {
    require_device("npu_moe_token_unpermute_grad", "grad_unpermuted_tokens", grad_unpermuted_tokens, "permuted_tokens",
                   permuted_tokens.device());
    require_device("npu_moe_token_unpermute_grad", "sorted_indices", sorted_indices, "permuted_tokens",
                   permuted_tokens.device());
    require_device("npu_moe_token_unpermute_grad", "probs", probs, "permuted_tokens", permuted_tokens.device());
    const auto inferred = infer::npu_moe_token_unpermute_grad<std::int64_t>(
        describe<std::int64_t>(permuted_tokens), describe<std::int64_t>(grad_unpermuted_tokens),
        describe<std::int64_t>(sorted_indices), describe<std::int64_t>(probs), padded_mode);
    const c10::DeviceGuard guard(permuted_tokens.device());
    const at::Tensor grad_permuted_tokens = allocate(inferred.grad_permuted_tokens, permuted_tokens.device());
    const at::Tensor grad_probs = allocate(inferred.grad_probs, permuted_tokens.device());
    static const aclnn::Function function("aclnnMoeTokenUnpermuteGrad");
    function(permuted_tokens, grad_unpermuted_tokens, sorted_indices, probs, padded_mode,
             aclnn::list_or(restore_shape, {std::int64_t(1)}), grad_permuted_tokens, grad_probs);
    return std::tuple(grad_permuted_tokens, grad_probs);
  });
}

}  // namespace opwright::npu
