#include "moe/token_unpermute.h"

#include <string_view>

#include "kernels/contiguous.h"
#include "kernels/slots.h"
#include "kernels/walks.h"
#include "ops/moe/sorted_slots.h"

namespace opwright::ops {
namespace {

template <class Wide>
std::vector<Wide> read_weights(const View& probs) {
  return probs.present ? read_floats<Wide>(probs) : std::vector<Wide>{};
}

/// The dtype that decides, beside that of the tokens, how wide sums are.
Dtype weight_dtype(const View& tokens, const View& probs) { return probs.present ? probs.dtype : tokens.dtype; }

template <class Call>
void unpermute(std::string_view op, const Call& call) {
  const Slots slots = sorted_slots(op, call.sorted_indices, call.T, call.K, call.R);
  const Rows rows(call.permuted_tokens);
  with_sum_type(rows.dtype(), weight_dtype(call.permuted_tokens, call.probs), [&]<class Wide>(Wide) {
    sum_rows<Wide>(rows, slots, read_weights<Wide>(call.probs), call.unpermuted_tokens);
  });
}

/// Both gradient operators: they differ in whether permuted_tokens may be absent, which is only where probs is too.
template <class Call>
void unpermute_grad(std::string_view op, const Call& call) {
  const Slots slots = sorted_slots(op, call.sorted_indices, call.T, call.K, call.grad_permuted_tokens.size(0));
  const Rows grad(call.grad_unpermuted_tokens);
  with_sum_type(grad.dtype(), weight_dtype(call.grad_unpermuted_tokens, call.probs), [&]<class Wide>(Wide) {
    const auto weights = read_weights<Wide>(call.probs);
    if (!call.grad_probs.present) return spread_to_rows<Wide>(grad, slots, weights, call.grad_permuted_tokens);
    const Rows rows(call.permuted_tokens);
    write_floats(spread_and_dot<Wide>(grad, rows, slots, weights, call.grad_permuted_tokens), call.grad_probs);
  });
}

}  // namespace

void token_unpermute(const npu_moe_token_unpermute& call) { unpermute("npu_moe_token_unpermute", call); }

void token_unpermute(const _npu_moe_token_unpermute& call) {
  unpermute("_npu_moe_token_unpermute", call);
  if (call.probs.present) copy_elements(call.permuted_tokens, call.permuted_tokens_for_backward.data);
}

void token_unpermute_grad(const npu_moe_token_unpermute_grad& call) {
  unpermute_grad("npu_moe_token_unpermute_grad", call);
}

void token_unpermute_grad(const npu_moe_token_unpermute_grad_v2& call) {
  unpermute_grad("npu_moe_token_unpermute_grad_v2", call);
}

}  // namespace opwright::ops
