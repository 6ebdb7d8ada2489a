// Written by `opwright generate` from the declarations of moe/; change that instead.
#include "moe/gating_top_k_softmax.h"
#include "moe/gating_top_k_softmax.infer.h"
#include "moe/token_unpermute.h"
#include "moe/token_unpermute.infer.h"
#include "runtime/describe.h"
#include "softnpu/opapi/entry.h"

using namespace opwright;
using namespace opwright::softnpu;

// moe/gating_top_k_softmax.yaml:29, for npu_moe_gating_top_k_softmax
OPWRIGHT_EXPORT int aclnnMoeGatingTopKSoftmaxGetWorkspaceSize(
    const aclTensor* x, const aclTensor* finished, std::int64_t k, const aclTensor* y, const aclTensor* expert_idx,
    const aclTensor* row_idx, std::uint64_t* workspace_size, aclOpExecutor** executor) {
  return prepare("aclnnMoeGatingTopKSoftmax", workspace_size, executor, [&](Call& call) -> Compute {
    ops::npu_moe_gating_top_k_softmax arguments{};
    arguments.x = call.argument(x, "npu_moe_gating_top_k_softmax", "x");
    arguments.finished = call.argument(finished, "npu_moe_gating_top_k_softmax", "finished");
    arguments.k = k;
    const auto inferred = infer::npu_moe_gating_top_k_softmax<std::int64_t>(describe(arguments.x),
                                                                            describe(arguments.finished), arguments.k);
    arguments.E = inferred.E;
    arguments.y = call.result(y, "npu_moe_gating_top_k_softmax", "y", inferred.y.dtype, inferred.y.sizes);
    arguments.expert_idx = call.result(expert_idx, "npu_moe_gating_top_k_softmax", "expert_idx",
                                       inferred.expert_idx.dtype, inferred.expert_idx.sizes);
    arguments.row_idx = call.result(row_idx, "npu_moe_gating_top_k_softmax", "row_idx", inferred.row_idx.dtype,
                                    inferred.row_idx.sizes);
    return [arguments, inferred]() mutable {
      arguments.B = inferred.B;
      ops::gating_top_k_softmax(arguments);
    };
  });
}

OPWRIGHT_EXPORT int aclnnMoeGatingTopKSoftmax(void* /*workspace*/, std::uint64_t /*workspace_size*/,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return launch(executor, stream);
}

// moe/token_unpermute.yaml:31, for npu_moe_token_unpermute
OPWRIGHT_EXPORT int aclnnMoeTokenUnpermuteGetWorkspaceSize(
    const aclTensor* permuted_tokens, const aclTensor* sorted_indices, const aclTensor* probs, bool padded_mode,
    const aclIntArray* /*restore_shape*/, const aclTensor* unpermuted_tokens, std::uint64_t* workspace_size,
    aclOpExecutor** executor) {
  return prepare("aclnnMoeTokenUnpermute", workspace_size, executor, [&](Call& call) -> Compute {
    ops::npu_moe_token_unpermute arguments{};
    arguments.permuted_tokens = call.argument(permuted_tokens, "npu_moe_token_unpermute", "permuted_tokens");
    arguments.sorted_indices = call.argument(sorted_indices, "npu_moe_token_unpermute", "sorted_indices");
    arguments.probs = call.argument(probs, "npu_moe_token_unpermute", "probs");
    arguments.padded_mode = padded_mode;
    const auto inferred = infer::npu_moe_token_unpermute<std::int64_t>(
        describe(arguments.permuted_tokens), describe(arguments.sorted_indices), describe(arguments.probs),
        arguments.padded_mode);
    arguments.R = inferred.R;
    arguments.H = inferred.H;
    arguments.S = inferred.S;
    arguments.T = inferred.T;
    arguments.K = inferred.K;
    arguments.unpermuted_tokens = call.result(unpermuted_tokens, "npu_moe_token_unpermute", "unpermuted_tokens",
                                              inferred.unpermuted_tokens.dtype, inferred.unpermuted_tokens.sizes);
    return [arguments] { ops::token_unpermute(arguments); };
  });
}

OPWRIGHT_EXPORT int aclnnMoeTokenUnpermute(void* /*workspace*/, std::uint64_t /*workspace_size*/,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return launch(executor, stream);
}

// moe/token_unpermute.yaml:113, for npu_moe_token_unpermute_grad
OPWRIGHT_EXPORT int aclnnMoeTokenUnpermuteGradGetWorkspaceSize(
    const aclTensor* permuted_tokens, const aclTensor* grad_unpermuted_tokens, const aclTensor* sorted_indices,
    const aclTensor* probs, bool padded_mode, const aclIntArray* /*restore_shape*/,
    const aclTensor* grad_permuted_tokens, const aclTensor* grad_probs, std::uint64_t* workspace_size,
    aclOpExecutor** executor) {
  return prepare("aclnnMoeTokenUnpermuteGrad", workspace_size, executor, [&](Call& call) -> Compute {
    ops::npu_moe_token_unpermute_grad arguments{};
    arguments.permuted_tokens = call.argument(permuted_tokens, "npu_moe_token_unpermute_grad", "permuted_tokens");
    arguments.grad_unpermuted_tokens = call.argument(grad_unpermuted_tokens, "npu_moe_token_unpermute_grad",
                                                     "grad_unpermuted_tokens");
    arguments.sorted_indices = call.argument(sorted_indices, "npu_moe_token_unpermute_grad", "sorted_indices");
    arguments.probs = call.argument(probs, "npu_moe_token_unpermute_grad", "probs");
    arguments.padded_mode = padded_mode;
    const auto inferred = infer::npu_moe_token_unpermute_grad<std::int64_t>(
        describe(arguments.permuted_tokens), describe(arguments.grad_unpermuted_tokens),
        describe(arguments.sorted_indices), describe(arguments.probs), arguments.padded_mode);
    arguments.R = inferred.R;
    arguments.H = inferred.H;
    arguments.T = inferred.T;
    arguments.S = inferred.S;
    arguments.K = inferred.K;
    arguments.grad_permuted_tokens = call.result(grad_permuted_tokens, "npu_moe_token_unpermute_grad",
                                                 "grad_permuted_tokens", inferred.grad_permuted_tokens.dtype,
                                                 inferred.grad_permuted_tokens.sizes);
    if (inferred.grad_probs.present) {
      arguments.grad_probs = call.result(grad_probs, "npu_moe_token_unpermute_grad", "grad_probs",
                                         inferred.grad_probs.dtype, inferred.grad_probs.sizes);
    }
    return [arguments] { ops::token_unpermute_grad(arguments); };
  });
}

OPWRIGHT_EXPORT int aclnnMoeTokenUnpermuteGrad(void* /*workspace*/, std::uint64_t /*workspace_size*/,
                                               aclOpExecutor* executor, aclrtStream stream) {
  return launch(executor, stream);
}
