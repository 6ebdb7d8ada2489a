// Written by `opwright generate` from the declarations of moe/; change that instead.
#include <ATen/core/LegacyTypeDispatch.h>

#include "moe/wrappers.h"
#include "moe/gating_top_k_softmax.infer.h"
#include "moe/token_unpermute.infer.h"
#include "runtime/torch/arguments.h"
#include "runtime/torch/autograd.h"
#include "runtime/torch/tensors.h"

namespace opwright::autograd {
namespace {

// moe/token_unpermute.yaml:26: by npu_moe_token_unpermute_grad
struct npu_moe_token_unpermute_backward final : Node<npu_moe_token_unpermute_backward> {
  static constexpr const char* op = "npu_moe_token_unpermute";
  Saved permuted_tokens;
  Like unpermuted_tokens;
  Saved sorted_indices;
  Saved probs;
  bool padded_mode{};
  std::optional<std::vector<std::int64_t>> restore_shape;

  auto saved() {
    return std::tie(permuted_tokens, sorted_indices, probs);
  }

  variable_list backward(const variable_list& grads) {
    static const auto gradient = handle<decltype(cpu::npu_moe_token_unpermute_grad)>(
        "npu::npu_moe_token_unpermute_grad");
    const auto [grad_permuted_tokens, grad_probs] = gradient.call(
        permuted_tokens.unpack(this), unpermuted_tokens.grad_or_zeros(grads[0]), sorted_indices.unpack(this),
        optional_tensor(probs.unpack(this)), padded_mode, optional_list(restore_shape));
    return {grad_permuted_tokens, grad_probs};
  }
};

}  // namespace

// moe/gating_top_k_softmax.yaml:1
std::tuple<at::Tensor, at::Tensor, at::Tensor> npu_moe_gating_top_k_softmax(
    c10::DispatchKeySet keys, const at::Tensor& x, const std::optional<at::Tensor>& finished, std::int64_t k) {
  static const auto op = handle<decltype(cpu::npu_moe_gating_top_k_softmax)>("npu::npu_moe_gating_top_k_softmax");
  const auto forward = [&] {
    const at::AutoDispatchBelowADInplaceOrView guard;
    return op.redispatch(keys & c10::after_autograd_keyset, x, finished, k);
  };
  refuse_tangents("npu_moe_gating_top_k_softmax", x, finished);
  if (!records(x, finished)) return forward();

  const auto node = make_node<NoGradient>(x, finished);
  node->explain("npu_moe_gating_top_k_softmax",
                "upstream declares no gradient; train through torch.softmax and torch.topk, which have one");
  const auto [y, expert_idx, row_idx] = forward();
  set_history(node, y);
  return std::tuple(y, expert_idx, row_idx);
}

// moe/token_unpermute.yaml:1
at::Tensor npu_moe_token_unpermute(c10::DispatchKeySet keys, const at::Tensor& permuted_tokens,
                                   const at::Tensor& sorted_indices, const std::optional<at::Tensor>& probs,
                                   bool padded_mode, at::OptionalIntArrayRef restore_shape) {
  static const auto op = handle<decltype(cpu::npu_moe_token_unpermute)>("npu::npu_moe_token_unpermute");
  const auto forward = [&] {
    const at::AutoDispatchBelowADInplaceOrView guard;
    return op.redispatch(keys & c10::after_autograd_keyset, permuted_tokens, sorted_indices, probs, padded_mode,
                         restore_shape);
  };
  refuse_tangents("npu_moe_token_unpermute", permuted_tokens, probs);
  if (!records(permuted_tokens, probs)) return forward();

  const auto node = make_node<npu_moe_token_unpermute_backward>(permuted_tokens, probs);
  node->permuted_tokens = needs_grad(probs) ? Saved::argument(permuted_tokens) : Saved::look(permuted_tokens);
  node->sorted_indices = Saved::argument(sorted_indices);
  node->probs = Saved::argument(tensor_or_undefined(probs));
  node->padded_mode = padded_mode;
  node->restore_shape = kept(restore_shape);
  const at::Tensor unpermuted_tokens = forward();
  node->unpermuted_tokens = Like(unpermuted_tokens);
  set_history(node, unpermuted_tokens);
  return unpermuted_tokens;
}

}  // namespace opwright::autograd
