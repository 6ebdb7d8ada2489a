// Written by `opwright generate` from moe/gating_top_k_softmax.yaml; change that instead.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/views.h"

namespace opwright::ops {

/// npu_moe_gating_top_k_softmax, declared at moe/gating_top_k_softmax.yaml:1
/// Softmax over the experts, and the k most probable of them for each token.
struct npu_moe_gating_top_k_softmax {
  View x;         // D[*B, E]
  View finished;  // bool[*B]; may be absent
  std::int64_t k;
  std::int64_t E;
  std::span<const std::int64_t> B;
  MutableView y;           // D[*B, k]
  MutableView expert_idx;  // int32[*B, k]
  MutableView row_idx;     // int32[*B, k]
};
void gating_top_k_softmax(const npu_moe_gating_top_k_softmax& call);

}  // namespace opwright::ops
