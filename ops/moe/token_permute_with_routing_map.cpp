#include "moe/token_permute_with_routing_map.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/contiguous.h"
#include "kernels/indices.h"
#include "kernels/routing_map.h"
#include "kernels/slots.h"
#include "kernels/walks.h"

namespace opwright::ops {
namespace {

/// One row for each selected slot, by expert and then by token. Writes sorted_indices: the row of each slot.
RoutedSlots permute_selected(const npu_moe_token_permute_with_routing_map& call) {
  Selection selection = select("npu_moe_token_permute_with_routing_map", call.routing_map, call.N);
  std::vector<std::int64_t> expert;
  for (const auto place : selection.place) expert.push_back(place % call.E);
  auto* rank = call.sorted_indices.as<std::int32_t>();
  stable_ranks(expert, {rank, expert.size()});
  return {{std::move(selection.first), {rank, rank + expert.size()}}, std::move(selection.place)};
}

/// N / E rows for each expert: its first selected tokens, then its first tokens that are not selected. Writes
/// sorted_indices: the token of each row.
RoutedSlots permute_to_capacity(const npu_moe_token_permute_with_routing_map& call) {
  const Dense map(call.routing_map);
  const auto* selected = map.as<std::uint8_t>();
  const std::int64_t capacity = call.N == 0 ? 0 : call.N / call.E;
  std::vector<std::int64_t> token(static_cast<std::size_t>(call.N));
  std::vector<std::int64_t> filled(static_cast<std::size_t>(call.E), 0);
  for (const bool want_selected : {true, false}) {
    for (std::int64_t t = 0; t < call.T; ++t) {
      for (std::int64_t e = 0; e < call.E; ++e) {
        auto& rows = filled[static_cast<std::size_t>(e)];
        if ((selected[t * call.E + e] != 0) != want_selected || rows == capacity) continue;
        token[static_cast<std::size_t>(e * capacity + rows++)] = t;
      }
    }
  }
  std::copy(token.begin(), token.end(), call.sorted_indices.as<std::int32_t>());
  std::vector<std::int64_t> row(token.size());
  std::iota(row.begin(), row.end(), 0);
  return capacity_slots(call.T, call.E, token, row);
}

}  // namespace

void token_permute_with_routing_map(const npu_moe_token_permute_with_routing_map& call) {
  const auto [slots, place] = call.drop_and_pad ? permute_to_capacity(call) : permute_selected(call);
  copy_to_rows(Rows(call.tokens), slots, call.permuted_tokens);
  if (!call.permuted_probs.present) return;
  std::vector<std::int64_t> place_of_row(place.size());
  for (std::size_t s = 0; s < place.size(); ++s) place_of_row[static_cast<std::size_t>(slots.row[s])] = place[s];
  write_floats(read_places<double>(call.probs, place_of_row), call.permuted_probs);
}

void token_permute_with_routing_map_grad(const npu_moe_token_permute_with_routing_map_grad& call) {
  IndexRule rule{.op = "npu_moe_token_permute_with_routing_map_grad",
                 .argument = "sorted_indices",
                 .what = call.drop_and_pad ? "token ids" : "rows",
                 .limit = call.drop_and_pad ? call.tokens_num : call.N,
                 .fix = "pass the sorted_indices that npu_moe_token_permute_with_routing_map returned"};
  RoutedSlots routed;
  if (call.drop_and_pad) {
    const auto token = read_indices(rule, call.sorted_indices);
    std::vector<std::int64_t> row(token.size());
    std::iota(row.begin(), row.end(), 0);
    routed = capacity_slots(call.tokens_num, call.experts_num, token, row);
  } else {
    auto [first, place] = select(rule.op, call.routing_map, call.N);
    routed = {{std::move(first), read_indices(rule, call.sorted_indices)}, std::move(place)};
  }

  const Rows rows(call.permuted_token_out_grad);
  with_sum_type(rows.dtype(), rows.dtype(),
                [&]<class Wide>(Wide) { sum_rows<Wide>(rows, routed.slots, {}, call.grad_tokens); });
  if (!call.grad_probs.present) return;
  const auto grad_of_row = read_floats<double>(call.probs_grad);
  std::vector<double> grad;
  for (const auto row : routed.slots.row) grad.push_back(grad_of_row[static_cast<std::size_t>(row)]);
  write_places<double>(grad, routed.place, call.grad_probs);
}

}  // namespace opwright::ops
