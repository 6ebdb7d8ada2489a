#include "moe/token_unpermute_with_routing_map.h"

#include "ops/testing.h"

namespace opwright::reference {
void token_unpermute_with_routing_map(const ops::npu_moe_token_unpermute_with_routing_map& call);
void token_unpermute_with_routing_map(const ops::_npu_moe_token_unpermute_with_routing_map& call);
void token_unpermute_with_routing_map_grad(const ops::npu_moe_token_unpermute_with_routing_map_grad& call);
}  // namespace opwright::reference

namespace opwright::testing {
namespace {

using Unpermute = ops::npu_moe_token_unpermute_with_routing_map;
using UnpermuteForBackward = ops::_npu_moe_token_unpermute_with_routing_map;
using Grad = ops::npu_moe_token_unpermute_with_routing_map_grad;

template <class Call>
Call unpermute_call(const Tensor& permuted_tokens, const Tensor& sorted_indices, const Tensor& routing_map,
                    const Tensor& probs, bool drop_and_pad, std::int64_t tokens) {
  Call call{};
  call.permuted_tokens = permuted_tokens.view();
  call.sorted_indices = sorted_indices.view();
  call.routing_map = routing_map.view();
  call.probs = probs.view();
  call.drop_and_pad = drop_and_pad;
  call.N = call.permuted_tokens.size(0);
  call.H = call.permuted_tokens.size(1);
  call.T = tokens;
  return call;
}

std::vector<Result<Unpermute>> results_of(const Unpermute& call) {
  return {{&Unpermute::unpermuted_tokens, call.permuted_tokens.dtype, {call.T, call.H}}};
}

std::vector<Result<UnpermuteForBackward>> results_of(const UnpermuteForBackward& call) {
  std::vector<Result<UnpermuteForBackward>> results{
      {&UnpermuteForBackward::unpermuted_tokens, call.permuted_tokens.dtype, {call.T, call.H}},
      {&UnpermuteForBackward::out_index, call.sorted_indices.dtype, {call.N}},
      {&UnpermuteForBackward::permuted_token_id, call.sorted_indices.dtype, {call.N}}};
  if (call.probs.present) results.push_back({&UnpermuteForBackward::permute_probs, call.probs.dtype, {call.N}});
  return results;
}

Grad grad_call(const Tensor& grad, const Tensor& out_index, const Tensor& permuted_token_id, const Tensor& routing_map,
               const Tensor& permuted_tokens, const Tensor& probs, bool drop_and_pad) {
  Grad call{};
  call.unpermuted_tokens_grad = grad.view();
  call.out_index = out_index.view();
  call.permuted_token_id = permuted_token_id.view();
  call.routing_map = routing_map.view();
  call.permuted_tokens = permuted_tokens.view();
  call.probs = probs.view();
  call.drop_and_pad = drop_and_pad;
  call.T = call.unpermuted_tokens_grad.size(0);
  call.H = call.unpermuted_tokens_grad.size(1);
  call.N = call.out_index.numel();
  return call;
}

std::vector<Result<Grad>> results_of(const Grad& call) {
  std::vector<Result<Grad>> results{{&Grad::grad_permuted_tokens, call.unpermuted_tokens_grad.dtype, {call.N, call.H}}};
  if (call.probs.present) {
    results.push_back({&Grad::grad_probs, call.probs.dtype, {call.probs.size(0), call.probs.size(1)}});
  }
  return results;
}

// Token 0 goes to experts 0 and 2, token 1 to 1 and 2, token 2 to 0 and 1; rows by expert and then by token.
Tensor example_map() { return std::move(Tensor(Dtype::bool_, {3, 3}).fill({1, 0, 1, 0, 1, 1, 1, 1, 0})); }
Tensor example_rows() { return std::move(Tensor(Dtype::int32, {6}).fill({0, 4, 2, 5, 1, 3})); }
Tensor example_probs() { return std::move(Tensor(Dtype::float32, {3, 3}).fill({0.5, 99, 0.25, 99, 1, 2, 4, 8, 99})); }

TEST(TokenUnpermuteWithRoutingMap, WeighsTheRowsOfAToken) {
  // Token 0: 0.5 * row 0 + 0.25 * row 4 = 0.5 * 1 + 0.25 * 5 = 1.75; token 1: 1 * row 2 + 2 * row 5 = 3 + 12 = 15;
  // token 2: 4 * row 1 + 8 * row 3 = 8 + 32 = 40.
  const auto rows = std::move(Tensor(Dtype::bfloat16, {6, 1}).fill({1, 2, 3, 4, 5, 6}));
  const auto sorted_indices = example_rows();
  const auto map = example_map();
  const auto probs = example_probs();
  const auto call = unpermute_call<UnpermuteForBackward>(rows, sorted_indices, map, probs, false, 3);
  const auto results = compute(ops::token_unpermute_with_routing_map, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{1.75, 15, 40}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{0, 4, 2, 5, 1, 3}));
  EXPECT_EQ(values(results[2]), (std::vector<double>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(values(results[3]), (std::vector<double>{0.5, 0.25, 1, 2, 4, 8}));
}

TEST(TokenUnpermuteWithRoutingMap, WithDropAndPad) {
  // Capacity 2; rows of expert 0: tokens 2, 0; expert 1: tokens 1, 2; expert 2: tokens 0, 1. Weights in row order:
  // probs[2, 0] = 4, probs[0, 0] = 0.5, probs[1, 1] = 1, probs[2, 1] = 8, probs[0, 2] = 0.25, probs[1, 2] = 2.
  // Token 0: rows 1, 4: 0.5 * 2 + 0.25 * 5 = 2.25; token 1: rows 2, 5: 3 + 12 = 15; token 2: rows 0, 3: 4 + 32 = 36.
  const auto rows = std::move(Tensor(Dtype::float16, {6, 1}).fill({1, 2, 3, 4, 5, 6}));
  const auto sorted_indices = std::move(Tensor(Dtype::int64, {6}).fill({2, 0, 1, 2, 0, 1}));
  const auto probs = example_probs();
  const auto call = unpermute_call<UnpermuteForBackward>(rows, sorted_indices, Tensor(), probs, true, 3);
  const auto results = compute(ops::token_unpermute_with_routing_map, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{2.25, 15, 36}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{1, 4, 2, 5, 0, 3}));
  EXPECT_EQ(values(results[2]), (std::vector<double>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(values(results[3]), (std::vector<double>{4, 0.5, 1, 8, 0.25, 2}));
}

TEST(TokenUnpermuteWithRoutingMap, SumsWithoutProbsAndMap) {
  // N / T = 2 rows a token: rows 0 and 4, 2 and 5, 1 and 3.
  const auto rows = std::move(Tensor(Dtype::float32, {6, 1}).fill({1, 2, 3, 4, 5, 6}));
  const auto sorted_indices = example_rows();
  const auto call = unpermute_call<Unpermute>(rows, sorted_indices, Tensor(), Tensor(), false, 3);
  EXPECT_EQ(values(compute(ops::token_unpermute_with_routing_map, call, results_of(call))[0]),
            (std::vector<double>{6, 9, 6}));
}

TEST(TokenUnpermuteWithRoutingMap, NamesWhatIsWrong) {
  const auto rows = std::move(Tensor(Dtype::float32, {6, 1}).fill(eighths));
  const auto probs = example_probs();
  const auto map = example_map();
  const auto beyond = std::move(Tensor(Dtype::int32, {6}).fill({0, 4, 2, 5, 6, 3}));
  const auto call = unpermute_call<Unpermute>(rows, beyond, map, probs, false, 3);
  expect_error(
      ops::token_unpermute_with_routing_map, call, results_of(call),
      "npu_moe_token_unpermute_with_routing_map: sorted_indices[4] is 6; rows are 0 or greater and less than 6; "
      "pass the sorted_indices that npu_moe_token_permute_with_routing_map returned");
  const auto padded = unpermute_call<Unpermute>(rows, beyond, map, probs, true, 3);
  expect_error(ops::token_unpermute_with_routing_map, padded, results_of(padded),
               "npu_moe_token_unpermute_with_routing_map: sorted_indices[1] is 4; token ids are 0 or greater and less "
               "than 3; pass the sorted_indices that npu_moe_token_permute_with_routing_map returned");
  const auto few = std::move(Tensor(Dtype::int8, {3, 3}).fill({1, 0, 0, 0, 1, 0, 0, 0, 1}));
  const auto sorted_indices = example_rows();
  const auto mismatched = unpermute_call<Unpermute>(rows, sorted_indices, few, probs, false, 3);
  expect_error(ops::token_unpermute_with_routing_map, mismatched, results_of(mismatched),
               "npu_moe_token_unpermute_with_routing_map: routing_map selects 3 slots, but there are 6 rows; without "
               "drop_and_pad there is one row for each selected slot, a multiple of the number of tokens");
}

TEST(TokenUnpermuteWithRoutingMapGrad, GivesProbsTheirOwnDtype) {
  // grad_permuted_tokens[row] = weight * grad[token]; grad_probs = grad[token] * permuted_tokens[row]. Token 0: rows 0
  // and 4, token 1: rows 2 and 5, token 2: rows 1 and 3. 1 + 2^-14 is no bfloat16 number.
  const auto rows = std::move(Tensor(Dtype::bfloat16, {6, 2}).fill({1, 0x1p-7, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0}));
  const auto grad = std::move(Tensor(Dtype::bfloat16, {3, 2}).fill({1, 0x1p-7, 10, 0, 100, 0}));
  const auto out_index = example_rows();
  const auto token = std::move(Tensor(Dtype::int32, {6}).fill({0, 0, 1, 1, 2, 2}));
  const auto map = example_map();
  const auto probs = example_probs();
  const auto call = grad_call(grad, out_index, token, map, rows, probs, false);
  const auto results = compute(ops::token_unpermute_with_routing_map_grad, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{0.5, 0x1p-8, 400, 0, 10, 0, 800, 0, 0.25, 0x1p-9, 20, 0}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{1 + 0x1p-14, 0, 5, 0, 30, 60, 200, 400, 0}));
}

TEST(TokenUnpermuteWithRoutingMap, ForwardAndGradientEqualTheReference) {
  int turn = 0;
  for (const Dtype dtype : floating_point) {
    for (const Dtype probs_dtype : floating_point) {
      for (const std::int64_t T : {0, 1, 2, 3, 5, 17}) {
        for (const std::int64_t E : {1, 2, 3, 7}) {
          for (const std::int64_t H : {0, 1, 2, 7, 130}) {
            for (const bool drop_and_pad : {false, true}) {
              const Layout layout = layouts[turn % 6], other = layouts[turn / 6 % 6];
              const bool with_probs = turn % 4 != 0;
              const std::int64_t choices = 1 + turn % E;
              const Dtype index = turn % 2 == 0 ? Dtype::int32 : Dtype::int64;
              SCOPED_TRACE(
                  describe(name(dtype), name(probs_dtype), with_probs, T, E, H, drop_and_pad, layout, other, turn));
              const auto map =
                  std::move(Tensor(turn % 2 == 0 ? Dtype::bool_ : Dtype::int8, {T, E}, layouts[turn % 4])
                                .fill([&](std::int64_t i) { return (i % E + i / E * 3) % E < choices ? 1.0 : 0.0; }));
              const std::int64_t N = T == 0 ? 0 : drop_and_pad ? E * (turn % (T + 2)) : T * choices;
              const auto rows = std::move(Tensor(dtype, {N, H}, layout).fill(eighths));
              const auto sorted_indices = std::move(Tensor(index, {N}, other).fill([&](std::int64_t i) {
                return static_cast<double>((i * i + turn) % (drop_and_pad ? T : N));
              }));
              Tensor probs;
              if (with_probs) (probs = Tensor(probs_dtype, {T, E}, other)).fill(sixteenths);
              ++turn;

              const Threads guard(1 + turn % 3);
              const auto one = unpermute_call<Unpermute>(rows, sorted_indices, map, probs, drop_and_pad, T);
              const auto four = unpermute_call<UnpermuteForBackward>(rows, sorted_indices, map, probs, drop_and_pad, T);
              expect_same(compute(ops::token_unpermute_with_routing_map, one, results_of(one)),
                          compute(reference::token_unpermute_with_routing_map, one, results_of(one)));
              const auto expected = compute(reference::token_unpermute_with_routing_map, four, results_of(four));
              expect_same(compute(ops::token_unpermute_with_routing_map, four, results_of(four)), expected);

              const auto grad =
                  std::move(Tensor(dtype, {T, H}, other).fill([](std::int64_t i) { return eighths(i + 5); }));
              Tensor permuted;
              if (with_probs) (permuted = Tensor(dtype, {N, H}, layout)).fill(eighths);
              const auto backward = grad_call(grad, expected[1], expected[2], map, permuted, probs, drop_and_pad);
              expect_same(compute(ops::token_unpermute_with_routing_map_grad, backward, results_of(backward)),
                          compute(reference::token_unpermute_with_routing_map_grad, backward, results_of(backward)));
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace opwright::testing
