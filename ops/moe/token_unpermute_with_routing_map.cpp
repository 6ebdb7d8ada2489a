#include "moe/token_unpermute_with_routing_map.h"

#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/contiguous.h"
#include "kernels/indices.h"
#include "kernels/routing_map.h"
#include "kernels/slots.h"
#include "kernels/walks.h"

namespace opwright::ops {
namespace {

constexpr std::string_view made_by_permute =
    "pass the sorted_indices that npu_moe_token_permute_with_routing_map returned";
constexpr std::string_view made_by_unpermute = "pass what _npu_moe_token_unpermute_with_routing_map returned";

/// Choices of each token where all have the same number.
std::int64_t choices(std::int64_t rows, std::int64_t tokens) { return tokens == 0 ? 0 : rows / tokens; }

/// Without drop_and_pad: the i-th slot is the i-th that the map selects. Places are of use with probs only.
RoutedSlots selected_slots(std::string_view op, const View& routing_map, const View& probs, std::int64_t tokens,
                           std::vector<std::int64_t> row) {
  const auto rows = static_cast<std::int64_t>(row.size());
  RoutedSlots routed{uniform_slots(tokens, choices(rows, tokens), std::move(row)), {}};
  if (probs.present) routed.place = select(op, routing_map, rows).place;
  return routed;
}

std::int64_t experts(const View& probs) { return probs.present ? probs.size(1) : 0; }

/// The slots of a forward call.
template <class Call>
RoutedSlots read_slots(std::string_view op, const Call& call) {
  IndexRule rule{.op = op, .argument = "sorted_indices", .what = "rows", .limit = call.N, .fix = made_by_permute};
  if (!call.drop_and_pad) {
    return selected_slots(op, call.routing_map, call.probs, call.T, read_indices(rule, call.sorted_indices));
  }
  rule.what = "token ids";
  rule.limit = call.T;
  const auto token = read_indices(rule, call.sorted_indices);
  std::vector<std::int64_t> row(token.size());
  std::iota(row.begin(), row.end(), 0);
  return capacity_slots(call.T, experts(call.probs), token, row);
}

Dtype weight_dtype(const View& tokens, const View& probs) { return probs.present ? probs.dtype : tokens.dtype; }

template <class Wide>
std::vector<Wide> read_weights(const View& probs, std::span<const std::int64_t> place) {
  return probs.present ? read_places<Wide>(probs, place) : std::vector<Wide>{};
}

void unpermute(const View& permuted_tokens, const View& probs, const RoutedSlots& routed,
               const MutableView& unpermuted_tokens) {
  const Rows rows(permuted_tokens);
  with_sum_type(rows.dtype(), weight_dtype(permuted_tokens, probs), [&]<class Wide>(Wide) {
    sum_rows<Wide>(rows, routed.slots, read_weights<Wide>(probs, routed.place), unpermuted_tokens);
  });
}

}  // namespace

void token_unpermute_with_routing_map(const npu_moe_token_unpermute_with_routing_map& call) {
  unpermute(call.permuted_tokens, call.probs, read_slots("npu_moe_token_unpermute_with_routing_map", call),
            call.unpermuted_tokens);
}

void token_unpermute_with_routing_map(const _npu_moe_token_unpermute_with_routing_map& call) {
  const RoutedSlots routed = read_slots("_npu_moe_token_unpermute_with_routing_map", call);
  unpermute(call.permuted_tokens, call.probs, routed, call.unpermuted_tokens);

  const Slots& slots = routed.slots;
  std::vector<std::int64_t> token;
  for (std::int64_t t = 0; t < slots.tokens(); ++t) {
    token.resize(static_cast<std::size_t>(slots.first[static_cast<std::size_t>(t) + 1]), t);
  }
  write_integers(slots.row, call.out_index);
  write_integers(token, call.permuted_token_id);
  if (!call.permute_probs.present) return;
  // With drop_and_pad in the order of the rows, otherwise in that of the slots.
  std::vector<std::int64_t> place = routed.place;
  if (call.drop_and_pad) {
    for (std::size_t s = 0; s < place.size(); ++s) place[static_cast<std::size_t>(slots.row[s])] = routed.place[s];
  }
  write_floats(read_places<double>(call.probs, place), call.permute_probs);
}

void token_unpermute_with_routing_map_grad(const npu_moe_token_unpermute_with_routing_map_grad& call) {
  constexpr std::string_view op = "npu_moe_token_unpermute_with_routing_map_grad";
  auto row = read_indices(
      {.op = op, .argument = "out_index", .what = "rows", .limit = call.N, .fix = made_by_unpermute}, call.out_index);
  RoutedSlots routed;
  if (call.drop_and_pad) {
    const auto token = read_indices(
        {.op = op, .argument = "permuted_token_id", .what = "token ids", .limit = call.T, .fix = made_by_unpermute},
        call.permuted_token_id);
    routed = capacity_slots(call.T, experts(call.probs), token, row);
  } else {
    routed = selected_slots(op, call.routing_map, call.probs, call.T, std::move(row));
  }

  const Rows grad(call.unpermuted_tokens_grad);
  with_sum_type(grad.dtype(), weight_dtype(call.unpermuted_tokens_grad, call.probs), [&]<class Wide>(Wide) {
    const auto weights = read_weights<Wide>(call.probs, routed.place);
    if (!call.grad_probs.present) return spread_to_rows<Wide>(grad, routed.slots, weights, call.grad_permuted_tokens);
    const Rows rows(call.permuted_tokens);
    write_places<Wide>(spread_and_dot<Wide>(grad, rows, routed.slots, weights, call.grad_permuted_tokens), routed.place,
                       call.grad_probs);
  });
}

}  // namespace opwright::ops
