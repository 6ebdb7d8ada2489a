#include "moe/token_permute.h"

#include <string_view>
#include <utility>

#include "kernels/contiguous.h"
#include "kernels/indices.h"
#include "kernels/slots.h"
#include "kernels/walks.h"
#include "ops/moe/sorted_slots.h"

namespace opwright::ops {
namespace {

/// Both gradient operators: they name the same tensors differently.
void sum_of_choices(std::string_view op, const View& grad_permuted_tokens, const View& sorted_indices,
                    std::int64_t tokens, std::int64_t choices, const MutableView& grad_tokens) {
  const Rows rows(grad_permuted_tokens);
  const Slots slots = sorted_slots(op, sorted_indices, tokens, choices, rows.count());
  with_sum_type(rows.dtype(), rows.dtype(), [&]<class Wide>(Wide) { sum_rows<Wide>(rows, slots, {}, grad_tokens); });
}

}  // namespace

void token_permute(const npu_moe_token_permute& call) {
  const auto expert = read_indices(
      {.op = "npu_moe_token_permute",
       .argument = "indices",
       .what = "expert ids",
       .fix = "give tokens without an expert an id above all others, and drop their rows with num_out_tokens"},
      call.indices);
  auto* place = call.sorted_indices.as<std::int32_t>();
  stable_ranks(expert, {place, expert.size()});
  std::vector<std::int64_t> row(place, place + expert.size());
  for (auto& r : row) {
    if (r >= call.N) r = Slots::no_row;
  }
  copy_to_rows(Rows(call.tokens), uniform_slots(call.T, call.K, std::move(row)), call.permuted_tokens);
}

void token_permute_grad(const npu_moe_token_permute_grad& call) {
  sum_of_choices("npu_moe_token_permute_grad", call.grad_permuted_tokens, call.sorted_indices, call.T, call.K,
                 call.grad_tokens);
}

void token_permute_grad(const npu_moe_token_permute_grad_v2& call) {
  sum_of_choices("npu_moe_token_permute_grad_v2", call.grad_permuted_tokens, call.sorted_indices, call.tokens_size_0,
                 call.num_topK, call.grad_tokens);
}

}  // namespace opwright::ops
