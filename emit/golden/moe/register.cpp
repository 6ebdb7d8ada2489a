// Written by `opwright generate` from the declarations of moe/; change that instead.
#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/library.h>

#include <span>

#include "moe/wrappers.h"
#include "runtime/torch/registry.h"

namespace opwright {

std::span<const Registration> moe_operators() {
  static const Registration operators[] = {
      {
          .name = "npu_moe_gating_top_k_softmax",  // moe/gating_top_k_softmax.yaml:1
          .summary = "Softmax over the experts, and the k most probable of them for each token.",
          .schema = "npu_moe_gating_top_k_softmax(Tensor x, Tensor? finished=None, int k=1) -> (Tensor, Tensor, "
                    "Tensor)",
          .cpu = [] { return torch::CppFunction(TORCH_FN(cpu::npu_moe_gating_top_k_softmax)); },
          .meta = [] { return torch::CppFunction(TORCH_FN(meta::npu_moe_gating_top_k_softmax)); },
          .npu = [] { return torch::CppFunction(TORCH_FN(npu::npu_moe_gating_top_k_softmax)); },
          .autograd = [] { return torch::CppFunction(TORCH_FN(autograd::npu_moe_gating_top_k_softmax)); },
      },
      {
          .name = "npu_moe_token_unpermute",  // moe/token_unpermute.yaml:1
          .summary = "Bring expert outputs back into token order, weighted by the router's probabilities.",
          .schema = "npu_moe_token_unpermute(Tensor permuted_tokens, Tensor sorted_indices, Tensor? probs=None, bool "
                    "padded_mode=False, int[]? restore_shape=None) -> Tensor",
          .cpu = [] { return torch::CppFunction(TORCH_FN(cpu::npu_moe_token_unpermute)); },
          .meta = [] { return torch::CppFunction(TORCH_FN(meta::npu_moe_token_unpermute)); },
          .npu = [] { return torch::CppFunction(TORCH_FN(npu::npu_moe_token_unpermute)); },
          .autograd = [] { return torch::CppFunction(TORCH_FN(autograd::npu_moe_token_unpermute)); },
      },
      {
          .name = "npu_moe_token_unpermute_grad",  // moe/token_unpermute.yaml:83
          .summary = "Gradients of npu_moe_token_unpermute, given the tensors of the forward call.",
          .schema = "npu_moe_token_unpermute_grad(Tensor permuted_tokens, Tensor grad_unpermuted_tokens, Tensor "
                    "sorted_indices, Tensor? probs=None, bool padded_mode=False, int[]? restore_shape=None) -> "
                    "(Tensor, Tensor)",
          .cpu = [] { return torch::CppFunction(TORCH_FN(cpu::npu_moe_token_unpermute_grad)); },
          .meta = [] { return torch::CppFunction(TORCH_FN(meta::npu_moe_token_unpermute_grad)); },
          .npu = [] { return torch::CppFunction(TORCH_FN(npu::npu_moe_token_unpermute_grad)); },
          .autograd = torch::autograd::autogradNotImplementedFallback,
      },
  };
  return operators;
}

}  // namespace opwright
