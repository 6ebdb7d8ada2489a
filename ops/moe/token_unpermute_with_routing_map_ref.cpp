#include <vector>

#include "moe/token_unpermute_with_routing_map.h"
#include "ops/reference.h"

namespace opwright::reference {
namespace {

/// One row's part in one token; `expert` is -1 where there are no probs to tell.
struct Part {
  std::int64_t token, row, expert_token, expert;
};

/// The i-th entry of the map that is not zero, by token and then by expert, as the part's expert and the token that the
/// map names beside it.
void choose(const View& routing_map, std::vector<Part>& parts) {
  std::size_t i = 0;
  for (std::int64_t t = 0; t < routing_map.size(0); ++t) {
    for (std::int64_t e = 0; e < routing_map.size(1); ++e) {
      if (get(routing_map, t * routing_map.size(1) + e) == 0) continue;
      parts[i].expert_token = t;
      parts[i++].expert = e;
    }
  }
}

std::vector<Part> parts_of(bool drop_and_pad, const View& sorted_indices, const View& routing_map, const View& probs,
                           std::int64_t tokens) {
  const std::int64_t rows = sorted_indices.numel();
  std::vector<Part> parts;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t value = index(sorted_indices, i);
    if (!drop_and_pad) {
      parts.push_back({i / (rows / tokens), value, -1, -1});
    } else {
      parts.push_back({value, i, value, probs.present ? i / (rows / probs.size(1)) : -1});
    }
  }
  if (!drop_and_pad && probs.present) choose(routing_map, parts);
  return parts;
}

double weight(const View& probs, const Part& part) {
  return probs.present ? get(probs, part.expert_token * probs.size(1) + part.expert) : 1;
}

void unpermute(const View& permuted_tokens, const View& probs, const std::vector<Part>& parts,
               const MutableView& unpermuted_tokens) {
  const std::int64_t hidden = permuted_tokens.size(1);
  for (std::int64_t t = 0; t < unpermuted_tokens.size(0); ++t) {
    for (std::int64_t h = 0; h < hidden; ++h) {
      double sum = 0;
      for (const auto& part : parts) {
        if (part.token == t) sum += weight(probs, part) * get(permuted_tokens, part.row * hidden + h);
      }
      set(unpermuted_tokens, t * hidden + h, sum);
    }
  }
}

}  // namespace

void token_unpermute_with_routing_map(const ops::npu_moe_token_unpermute_with_routing_map& call) {
  const auto parts = parts_of(call.drop_and_pad, call.sorted_indices, call.routing_map, call.probs, call.T);
  unpermute(call.permuted_tokens, call.probs, parts, call.unpermuted_tokens);
}

void token_unpermute_with_routing_map(const ops::_npu_moe_token_unpermute_with_routing_map& call) {
  const auto parts = parts_of(call.drop_and_pad, call.sorted_indices, call.routing_map, call.probs, call.T);
  unpermute(call.permuted_tokens, call.probs, parts, call.unpermuted_tokens);
  std::int64_t place = 0;
  for (std::int64_t t = 0; t < call.T; ++t) {
    for (const auto& part : parts) {
      if (part.token != t) continue;
      set(call.out_index, place, static_cast<double>(part.row));
      set(call.permuted_token_id, place++, static_cast<double>(t));
    }
  }
  for (std::size_t i = 0; call.permute_probs.present && i < parts.size(); ++i) {
    set(call.permute_probs, static_cast<std::int64_t>(i), weight(call.probs, parts[i]));
  }
}

void token_unpermute_with_routing_map_grad(const ops::npu_moe_token_unpermute_with_routing_map_grad& call) {
  std::vector<Part> parts;
  for (std::int64_t i = 0; i < call.N; ++i) {
    const std::int64_t row = index(call.out_index, i);
    if (!call.drop_and_pad) {
      parts.push_back({i / (call.N / call.T), row, -1, -1});
    } else {
      const std::int64_t token = index(call.permuted_token_id, i);
      parts.push_back({token, row, token, call.probs.present ? row / (call.N / call.probs.size(1)) : -1});
    }
  }
  if (!call.drop_and_pad && call.probs.present) choose(call.routing_map, parts);

  for (std::int64_t row = 0; row < call.N; ++row) {
    for (std::int64_t h = 0; h < call.H; ++h) {
      double sum = 0;
      for (const auto& part : parts) {
        if (part.row == row)
          sum += weight(call.probs, part) * get(call.unpermuted_tokens_grad, part.token * call.H + h);
      }
      set(call.grad_permuted_tokens, row * call.H + h, sum);
    }
  }
  if (!call.grad_probs.present) return;
  for (std::int64_t place = 0; place < call.grad_probs.numel(); ++place) {
    double sum = 0;
    for (const auto& part : parts) {
      if (part.expert_token * call.probs.size(1) + part.expert != place) continue;
      for (std::int64_t h = 0; h < call.H; ++h) {
        sum += get(call.unpermuted_tokens_grad, part.token * call.H + h) *
               get(call.permuted_tokens, part.row * call.H + h);
      }
    }
    set(call.grad_probs, place, sum);
  }
}

}  // namespace opwright::reference
