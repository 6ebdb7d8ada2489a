// Written by `opwright generate` from moe/token_unpermute.yaml; change that instead.
#pragma once

#include "runtime/checks.h"

// What inference answers.
namespace opwright::inference {

template <class Int>
struct npu_moe_token_unpermute {
  Int R, H, S, T, K;
  ResultInfo<Int> unpermuted_tokens;
};

template <class Int>
struct npu_moe_token_unpermute_grad {
  Int R, H, T, S, K;
  ResultInfo<Int> grad_permuted_tokens;
  ResultInfo<Int> grad_probs;
};

}  // namespace opwright::inference

namespace opwright::infer {

/// npu_moe_token_unpermute, declared at moe/token_unpermute.yaml:1
template <class Int>
inference::npu_moe_token_unpermute<Int> npu_moe_token_unpermute(const TensorInfo<Int>& permuted_tokens,
                                                                const TensorInfo<Int>& sorted_indices,
                                                                const TensorInfo<Int>& probs, bool padded_mode) {
  const Checks<Int> check("npu_moe_token_unpermute");
  static constexpr Dtype D_dtypes[] = {Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::float64};  // line 5
  static constexpr Dtype P_dtypes[] = {Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::float64};  // line 6
  static constexpr Dtype I_dtypes[] = {Dtype::int32, Dtype::int64};                                       // line 7
  Type D{"D", D_dtypes}, P{"P", P_dtypes}, I{"I", I_dtypes};
  Dim<Int> R{"R"}, H{"H"}, S{"S"}, T{"T"}, K{"K"};

  check.argument("permuted_tokens", permuted_tokens, D, R, H);  // line 9
  check.argument("sorted_indices", sorted_indices, I, S);       // line 10
  if (probs.present) {
    check.argument("probs", probs, P, T, K);  // line 11
  } else {  // line 15
    check.define(K, "1", [&] { return Int(1); });
    check.define(T, "S", [&] { return *S; });
  }

  // moe/token_unpermute.yaml:18
  check.rule("C1", "not padded_mode", [&] { return !padded_mode; }, {{"padded_mode", padded_mode}},
             "pass padded_mode=False; for a fixed capacity an expert, use "
             "npu_moe_token_unpermute_with_routing_map(..., drop_and_pad=True)");

  // moe/token_unpermute.yaml:21
  check.rule("C2", "S == T * K", [&] { return expect_eq(*S, times(*T, *K)); }, {{"S", *S}, {"T", *T}, {"K", *K}},
             "sorted_indices has one entry for each entry of probs");

  return {
      .R = *R,
      .H = *H,
      .S = *S,
      .T = *T,
      .K = *K,
      .unpermuted_tokens = check.result("unpermuted_tokens", *D, shape<Int>(*T, *H)),  // line 13
  };
}

/// npu_moe_token_unpermute_grad, declared at moe/token_unpermute.yaml:83
template <class Int>
inference::npu_moe_token_unpermute_grad<Int> npu_moe_token_unpermute_grad(
    const TensorInfo<Int>& permuted_tokens, const TensorInfo<Int>& grad_unpermuted_tokens,
    const TensorInfo<Int>& sorted_indices, const TensorInfo<Int>& probs, bool padded_mode) {
  const Checks<Int> check("npu_moe_token_unpermute_grad");
  static constexpr Dtype D_dtypes[] = {Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::float64};  // line 87
  static constexpr Dtype P_dtypes[] = {Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::float64};  // line 88
  static constexpr Dtype I_dtypes[] = {Dtype::int32, Dtype::int64};                                       // line 89
  Type D{"D", D_dtypes}, P{"P", P_dtypes}, I{"I", I_dtypes};
  Dim<Int> R{"R"}, H{"H"}, T{"T"}, S{"S"}, K{"K"};

  check.argument("permuted_tokens", permuted_tokens, D, R, H);                // line 91
  check.argument("grad_unpermuted_tokens", grad_unpermuted_tokens, D, T, H);  // line 92
  check.argument("sorted_indices", sorted_indices, I, S);                     // line 93
  if (probs.present) {
    check.argument("probs", probs, P, T, K);  // line 94
  } else {  // line 102
    check.define(K, "1", [&] { return Int(1); });
  }

  // moe/token_unpermute.yaml:105
  check.rule("C1", "not padded_mode", [&] { return !padded_mode; }, {{"padded_mode", padded_mode}},
             "pass padded_mode=False");

  // moe/token_unpermute.yaml:108
  check.rule("C2", "S == T * K", [&] { return expect_eq(*S, times(*T, *K)); }, {{"S", *S}, {"T", *T}, {"K", *K}},
             "sorted_indices has one entry for each of a token's K choices");

  return {
      .R = *R,
      .H = *H,
      .T = *T,
      .S = *S,
      .K = *K,
      .grad_permuted_tokens = like(permuted_tokens),  // line 96
      .grad_probs = like(probs),                      // line 97
  };
}

}  // namespace opwright::infer
