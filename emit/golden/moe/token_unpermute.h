// Written by `opwright generate` from moe/token_unpermute.yaml; change that instead.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/views.h"

namespace opwright::ops {

/// npu_moe_token_unpermute, declared at moe/token_unpermute.yaml:1
/// Bring expert outputs back into token order, weighted by the router's probabilities.
struct npu_moe_token_unpermute {
  View permuted_tokens;  // D[R, H]
  View sorted_indices;   // I[S]
  View probs;            // P[T, K]; may be absent
  bool padded_mode;
  std::int64_t R, H, S, T, K;
  MutableView unpermuted_tokens;  // D[T, H]
};
void token_unpermute(const npu_moe_token_unpermute& call);

/// npu_moe_token_unpermute_grad, declared at moe/token_unpermute.yaml:83
/// Gradients of npu_moe_token_unpermute, given the tensors of the forward call.
struct npu_moe_token_unpermute_grad {
  View permuted_tokens;         // D[R, H]
  View grad_unpermuted_tokens;  // D[T, H]
  View sorted_indices;          // I[S]
  View probs;                   // P[T, K]; may be absent
  bool padded_mode;
  std::int64_t R, H, T, S, K;
  MutableView grad_permuted_tokens;  // D[R, H]
  MutableView grad_probs;            // P[T, K]; may be absent
};
void token_unpermute_grad(const npu_moe_token_unpermute_grad& call);

}  // namespace opwright::ops
