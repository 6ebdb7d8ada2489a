#include "moe/token_permute.h"
#include "ops/reference.h"

namespace opwright::reference {
namespace {

void sum_of_choices(const View& grad_permuted_tokens, const View& sorted_indices, std::int64_t choices,
                    const MutableView& grad_tokens) {
  const std::int64_t rows = grad_permuted_tokens.size(0), hidden = grad_permuted_tokens.size(1);
  for (std::int64_t t = 0; t < grad_tokens.size(0); ++t) {
    for (std::int64_t h = 0; h < hidden; ++h) {
      double sum = 0;
      for (std::int64_t k = 0; k < choices; ++k) {
        const std::int64_t row = index(sorted_indices, t * choices + k);
        if (row < rows) sum += get(grad_permuted_tokens, row * hidden + h);
      }
      set(grad_tokens, t * hidden + h, sum);
    }
  }
}

}  // namespace

void token_permute(const ops::npu_moe_token_permute& call) {
  for (std::int64_t s = 0; s < call.S; ++s) {
    // The slots that come before slot s: those of lesser experts, and earlier ones of the same expert.
    std::int64_t before = 0;
    for (std::int64_t other = 0; other < call.S; ++other) {
      const std::int64_t mine = index(call.indices, s), theirs = index(call.indices, other);
      if (theirs < mine || (theirs == mine && other < s)) ++before;
    }
    set(call.sorted_indices, s, static_cast<double>(before));
    if (before >= call.N) continue;
    for (std::int64_t h = 0; h < call.H; ++h) {
      set(call.permuted_tokens, before * call.H + h, get(call.tokens, s / call.K * call.H + h));
    }
  }
}

void token_permute_grad(const ops::npu_moe_token_permute_grad& call) {
  sum_of_choices(call.grad_permuted_tokens, call.sorted_indices, call.K, call.grad_tokens);
}

void token_permute_grad(const ops::npu_moe_token_permute_grad_v2& call) {
  sum_of_choices(call.grad_permuted_tokens, call.sorted_indices, call.num_topK, call.grad_tokens);
}

}  // namespace opwright::reference
