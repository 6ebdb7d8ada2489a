#include "moe/token_unpermute.h"
#include "ops/reference.h"

namespace opwright::reference {
namespace {

double weight(const View& probs, std::int64_t slot) { return probs.present ? get(probs, slot) : 1; }

void unpermute(const View& permuted_tokens, const View& sorted_indices, const View& probs, std::int64_t choices,
               const MutableView& unpermuted_tokens) {
  const std::int64_t rows = permuted_tokens.size(0), hidden = permuted_tokens.size(1);
  for (std::int64_t t = 0; t < unpermuted_tokens.size(0); ++t) {
    for (std::int64_t h = 0; h < hidden; ++h) {
      double sum = 0;
      for (std::int64_t slot = t * choices; slot < (t + 1) * choices; ++slot) {
        const std::int64_t row = index(sorted_indices, slot);
        if (row < rows) sum += weight(probs, slot) * get(permuted_tokens, row * hidden + h);
      }
      set(unpermuted_tokens, t * hidden + h, sum);
    }
  }
}

void unpermute_grad(const View& permuted_tokens, const View& grad, const View& sorted_indices, const View& probs,
                    std::int64_t choices, const MutableView& grad_permuted_tokens, const MutableView& grad_probs) {
  const std::int64_t rows = grad_permuted_tokens.size(0), hidden = grad.size(1), slots = sorted_indices.numel();
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t h = 0; h < hidden; ++h) {
      double sum = 0;
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        if (index(sorted_indices, slot) == row) sum += weight(probs, slot) * get(grad, slot / choices * hidden + h);
      }
      set(grad_permuted_tokens, row * hidden + h, sum);
    }
  }
  if (!grad_probs.present) return;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    const std::int64_t row = index(sorted_indices, slot);
    double sum = 0;
    for (std::int64_t h = 0; row < rows && h < hidden; ++h) {
      sum += get(grad, slot / choices * hidden + h) * get(permuted_tokens, row * hidden + h);
    }
    set(grad_probs, slot, sum);
  }
}

}  // namespace

void token_unpermute(const ops::npu_moe_token_unpermute& call) {
  unpermute(call.permuted_tokens, call.sorted_indices, call.probs, call.K, call.unpermuted_tokens);
}

void token_unpermute(const ops::_npu_moe_token_unpermute& call) {
  unpermute(call.permuted_tokens, call.sorted_indices, call.probs, call.K, call.unpermuted_tokens);
  for (std::int64_t i = 0; i < call.permuted_tokens_for_backward.numel(); ++i) {
    set(call.permuted_tokens_for_backward, i, get(call.permuted_tokens, i));
  }
}

void token_unpermute_grad(const ops::npu_moe_token_unpermute_grad& call) {
  unpermute_grad(call.permuted_tokens, call.grad_unpermuted_tokens, call.sorted_indices, call.probs, call.K,
                 call.grad_permuted_tokens, call.grad_probs);
}

void token_unpermute_grad(const ops::npu_moe_token_unpermute_grad_v2& call) {
  unpermute_grad(call.permuted_tokens, call.grad_unpermuted_tokens, call.sorted_indices, call.probs, call.K,
                 call.grad_permuted_tokens, call.grad_probs);
}

}  // namespace opwright::reference
