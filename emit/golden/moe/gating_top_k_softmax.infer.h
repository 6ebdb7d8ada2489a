// Written by `opwright generate` from moe/gating_top_k_softmax.yaml; change that instead.
#pragma once

#include "runtime/checks.h"

// What inference answers.
namespace opwright::inference {

template <class Int>
struct npu_moe_gating_top_k_softmax {
  Int E;
  Sizes<Int> B;
  ResultInfo<Int> y;
  ResultInfo<Int> expert_idx;
  ResultInfo<Int> row_idx;
};

}  // namespace opwright::inference

namespace opwright::infer {

/// npu_moe_gating_top_k_softmax, declared at moe/gating_top_k_softmax.yaml:1
template <class Int>
inference::npu_moe_gating_top_k_softmax<Int> npu_moe_gating_top_k_softmax(
    const TensorInfo<Int>& x, const TensorInfo<Int>& finished, const Int& k) {
  const Checks<Int> check("npu_moe_gating_top_k_softmax");
  static constexpr Dtype D_dtypes[] = {Dtype::float32, Dtype::float16, Dtype::bfloat16};  // line 5
  Type D{"D", D_dtypes};
  Dim<Int> E{"E"};
  Pack<Int> B{"B"};

  check.argument("x", x, D, B, E);  // line 7
  if (finished.present) {
    check.argument("finished", finished, Dtype::bool_, B);  // line 8
  }

  // moe/gating_top_k_softmax.yaml:16
  check.rule("C1", "rank(x) == 2 or rank(x) == 3", [&] { return x.rank() == Int(2) || expect_eq(x.rank(), Int(3)); },
             {{"rank(x)", x.rank()}}, "flatten the leading dimensions");

  // moe/gating_top_k_softmax.yaml:19
  check.rule("C2", "0 <= k and k <= E", [&] { return expect_le(Int(0), k) && expect_le(k, *E); }, {{"k", k}, {"E", *E}},
             "choose at most as many experts as there are");

  // moe/gating_top_k_softmax.yaml:22
  check.rule("C3", "product(B) * k <= 2147483647",
             [&] { return expect_le(times(product<Int>(B), k), Int(2147483647)); }, {{"k", k}},
             "row_idx is int32; split the batch");

  return {
      .E = *E,
      .B = Sizes<Int>(*B),
      .y = check.result("y", *D, shape<Int>(*B, k)),                              // line 10
      .expert_idx = check.result("expert_idx", Dtype::int32, shape<Int>(*B, k)),  // line 11
      .row_idx = check.result("row_idx", Dtype::int32, shape<Int>(*B, k)),        // line 12
  };
}

}  // namespace opwright::infer
