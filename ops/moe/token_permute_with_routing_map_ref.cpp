#include <vector>

#include "moe/token_permute_with_routing_map.h"
#include "ops/reference.h"

namespace opwright::reference {
namespace {

struct Choice {
  std::int64_t token, expert;
};

bool selected(const View& routing_map, Choice choice) {
  return get(routing_map, choice.token * routing_map.size(1) + choice.expert) != 0;
}

/// The choice that each row stands for, without drop_and_pad: experts in order, and tokens in order within an expert.
std::vector<Choice> rows_of_map(const View& routing_map) {
  std::vector<Choice> rows;
  for (std::int64_t e = 0; e < routing_map.size(1); ++e) {
    for (std::int64_t t = 0; t < routing_map.size(0); ++t) {
      if (selected(routing_map, {t, e})) rows.push_back({t, e});
    }
  }
  return rows;
}

/// With drop_and_pad: of every expert the selected tokens, then the others, and the first `capacity` of all these.
std::vector<Choice> rows_of_capacity(const View& routing_map, std::int64_t capacity) {
  std::vector<Choice> rows;
  for (std::int64_t e = 0; e < routing_map.size(1); ++e) {
    std::vector<Choice> tokens;
    for (std::int64_t t = 0; t < routing_map.size(0); ++t) {
      if (selected(routing_map, {t, e})) tokens.push_back({t, e});
    }
    for (std::int64_t t = 0; t < routing_map.size(0); ++t) {
      if (!selected(routing_map, {t, e})) tokens.push_back({t, e});
    }
    for (std::int64_t c = 0; c < capacity; ++c) rows.push_back(tokens[static_cast<std::size_t>(c)]);
  }
  return rows;
}

}  // namespace

void token_permute_with_routing_map(const ops::npu_moe_token_permute_with_routing_map& call) {
  const auto rows = call.drop_and_pad ? rows_of_capacity(call.routing_map, call.E == 0 ? 0 : call.N / call.E)
                                      : rows_of_map(call.routing_map);
  for (std::int64_t r = 0; r < call.N; ++r) {
    const auto [token, expert] = rows[static_cast<std::size_t>(r)];
    for (std::int64_t h = 0; h < call.H; ++h)
      set(call.permuted_tokens, r * call.H + h, get(call.tokens, token * call.H + h));
    if (call.permuted_probs.present) set(call.permuted_probs, r, get(call.probs, token * call.E + expert));
    if (call.drop_and_pad) set(call.sorted_indices, r, static_cast<double>(token));
  }
  if (call.drop_and_pad) return;
  std::int64_t slot = 0;
  for (std::int64_t t = 0; t < call.T; ++t) {
    for (std::int64_t e = 0; e < call.E; ++e) {
      for (std::int64_t r = 0; r < call.N; ++r) {
        const auto row = rows[static_cast<std::size_t>(r)];
        if (row.token == t && row.expert == e) set(call.sorted_indices, slot++, static_cast<double>(r));
      }
    }
  }
}

void token_permute_with_routing_map_grad(const ops::npu_moe_token_permute_with_routing_map_grad& call) {
  // The choice of each row, out of sorted_indices.
  std::vector<Choice> rows(static_cast<std::size_t>(call.N));
  std::int64_t slot = 0;
  if (call.drop_and_pad) {
    for (std::int64_t r = 0; r < call.N; ++r) {
      rows[static_cast<std::size_t>(r)] = {index(call.sorted_indices, r), r / (call.N / call.experts_num)};
    }
  } else {
    for (std::int64_t t = 0; t < call.tokens_num; ++t) {
      for (std::int64_t e = 0; e < call.experts_num; ++e) {
        if (selected(call.routing_map, {t, e}))
          rows[static_cast<std::size_t>(index(call.sorted_indices, slot++))] = {t, e};
      }
    }
  }
  for (std::int64_t t = 0; t < call.tokens_num; ++t) {
    for (std::int64_t h = 0; h < call.H; ++h) {
      double sum = 0;
      for (std::int64_t r = 0; r < call.N; ++r) {
        if (rows[static_cast<std::size_t>(r)].token == t) sum += get(call.permuted_token_out_grad, r * call.H + h);
      }
      set(call.grad_tokens, t * call.H + h, sum);
    }
    for (std::int64_t e = 0; call.grad_probs.present && e < call.experts_num; ++e) {
      double sum = 0;
      for (std::int64_t r = 0; r < call.N; ++r) {
        const auto row = rows[static_cast<std::size_t>(r)];
        if (row.token == t && row.expert == e) sum += get(call.probs_grad, r);
      }
      set(call.grad_probs, t * call.experts_num + e, sum);
    }
  }
}

}  // namespace opwright::reference
