#include "moe/token_permute_with_routing_map.h"

#include "ops/testing.h"

namespace opwright::reference {
void token_permute_with_routing_map(const ops::npu_moe_token_permute_with_routing_map& call);
void token_permute_with_routing_map_grad(const ops::npu_moe_token_permute_with_routing_map_grad& call);
}  // namespace opwright::reference

namespace opwright::testing {
namespace {

using Permute = ops::npu_moe_token_permute_with_routing_map;
using Grad = ops::npu_moe_token_permute_with_routing_map_grad;

Permute permute_call(const Tensor& tokens, const Tensor& routing_map, const Tensor& probs, std::int64_t rows,
                     bool drop_and_pad) {
  Permute call{};
  call.tokens = tokens.view();
  call.routing_map = routing_map.view();
  call.probs = probs.view();
  call.T = call.tokens.size(0);
  call.H = call.tokens.size(1);
  call.E = call.routing_map.size(1);
  call.N = call.num_out_tokens = rows;
  call.drop_and_pad = drop_and_pad;
  return call;
}

std::vector<Result<Permute>> results_of(const Permute& call) {
  std::vector<Result<Permute>> results{{&Permute::permuted_tokens, call.tokens.dtype, {call.N, call.H}},
                                       {&Permute::sorted_indices, Dtype::int32, {call.N}}};
  if (call.probs.present) results.push_back({&Permute::permuted_probs, call.probs.dtype, {call.N}});
  return results;
}

Grad grad_call(const Tensor& grad, const Tensor& probs_grad, const Tensor& sorted_indices, const Tensor& routing_map,
               bool drop_and_pad) {
  Grad call{};
  call.permuted_token_out_grad = grad.view();
  call.probs_grad = probs_grad.view();
  call.sorted_indices = sorted_indices.view();
  call.routing_map = routing_map.view();
  call.tokens_num = call.routing_map.size(0);
  call.experts_num = call.routing_map.size(1);
  call.N = call.permuted_token_out_grad.size(0);
  call.H = call.permuted_token_out_grad.size(1);
  call.drop_and_pad = drop_and_pad;
  return call;
}

std::vector<Result<Grad>> results_of(const Grad& call) {
  std::vector<Result<Grad>> results{
      {&Grad::grad_tokens, call.permuted_token_out_grad.dtype, {call.tokens_num, call.H}}};
  if (call.probs_grad.present) {
    results.push_back({&Grad::grad_probs, call.probs_grad.dtype, {call.tokens_num, call.experts_num}});
  }
  return results;
}

// Three tokens, three experts: token 0 goes to experts 0 and 2, token 1 to 1 and 2, token 2 to 0 and 1.
Tensor example_map() { return std::move(Tensor(Dtype::bool_, {3, 3}).fill({1, 0, 1, 0, 1, 1, 1, 1, 0})); }
Tensor example_probs() { return std::move(Tensor(Dtype::float32, {3, 3}).fill({1, 2, 3, 4, 5, 6, 7, 8, 9})); }

TEST(TokenPermuteWithRoutingMap, OrdersRowsByExpertAndThenByToken) {
  // Rows: expert 0: tokens 0, 2; expert 1: tokens 1, 2; expert 2: tokens 0, 1. Slots by token: (0,0) (0,2) (1,1) (1,2)
  // (2,0) (2,1) have rows 0, 4, 2, 5, 1, 3.
  const auto tokens = std::move(Tensor(Dtype::bfloat16, {3, 1}).fill({10, 20, 30}));
  const auto map = example_map();
  const auto probs = example_probs();
  const auto call = permute_call(tokens, map, probs, 6, false);
  const auto results = compute(ops::token_permute_with_routing_map, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{10, 30, 20, 30, 10, 20}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{0, 4, 2, 5, 1, 3}));
  EXPECT_EQ(values(results[2]), (std::vector<double>{1, 7, 5, 8, 3, 6}));
}

TEST(TokenPermuteWithRoutingMap, FillsEveryExpertToItsCapacity) {
  // Capacity 1 drops the second token of each expert; capacity 3 adds, behind the selected two, the token that is left.
  const auto tokens = std::move(Tensor(Dtype::float32, {3, 1}).fill({10, 20, 30}));
  const auto map = example_map();
  const auto probs = example_probs();
  const auto one = permute_call(tokens, map, probs, 3, true);
  const auto dropped = compute(ops::token_permute_with_routing_map, one, results_of(one));
  EXPECT_EQ(values(dropped[0]), (std::vector<double>{10, 20, 10}));
  EXPECT_EQ(values(dropped[1]), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(values(dropped[2]), (std::vector<double>{1, 5, 3}));
  const auto three = permute_call(tokens, map, probs, 9, true);
  const auto padded = compute(ops::token_permute_with_routing_map, three, results_of(three));
  EXPECT_EQ(values(padded[1]), (std::vector<double>{0, 2, 1, 1, 2, 0, 0, 1, 2}));
  EXPECT_EQ(values(padded[2]), (std::vector<double>{1, 7, 4, 5, 8, 2, 3, 6, 9}));
}

TEST(TokenPermuteWithRoutingMap, SaysThatTheMapSelectsAnotherNumberOfSlots) {
  const auto tokens = std::move(Tensor(Dtype::float32, {3, 1}).fill({10, 20, 30}));
  const auto map = example_map();
  const auto call = permute_call(tokens, map, Tensor(), 3, false);
  expect_error(ops::token_permute_with_routing_map, call, results_of(call),
               "npu_moe_token_permute_with_routing_map: routing_map selects 6 slots, but there are 3 rows; without "
               "drop_and_pad there is one row for each selected slot, a multiple of the number of tokens");
}

TEST(TokenPermuteWithRoutingMapGrad, BringsGradientsToTheirTokensAndPlaces) {
  // Rows as above. Token 0 has rows 0 and 4: 1 + 5; token 1 rows 2 and 5: 3 + 6; token 2 rows 1 and 3: 2 + 4.
  const auto grad = std::move(Tensor(Dtype::bfloat16, {6, 1}).fill({1, 2, 3, 4, 5, 6}));
  const auto probs_grad = std::move(Tensor(Dtype::float32, {6}).fill({10, 20, 30, 40, 50, 60}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {6}).fill({0, 4, 2, 5, 1, 3}));
  const auto map = example_map();
  const auto call = grad_call(grad, probs_grad, sorted_indices, map, false);
  const auto results = compute(ops::token_permute_with_routing_map_grad, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{6, 9, 6}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{10, 0, 50, 0, 30, 60, 20, 40, 0}));
}

TEST(TokenPermuteWithRoutingMapGrad, WithDropAndPad) {
  // Capacity 1: rows of experts 0, 1, 2 are tokens 0, 1, 0. Token 0 gets 1 + 3, token 1 gets 2, token 2 nothing.
  const auto grad = std::move(Tensor(Dtype::float16, {3, 1}).fill({1, 2, 3}));
  const auto probs_grad = std::move(Tensor(Dtype::float32, {3}).fill({10, 20, 30}));
  const auto sorted_indices = std::move(Tensor(Dtype::int64, {3}).fill({0, 1, 0}));
  const auto map = example_map();
  const auto call = grad_call(grad, probs_grad, sorted_indices, map, true);
  const auto results = compute(ops::token_permute_with_routing_map_grad, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{4, 2, 0}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{10, 0, 30, 0, 20, 0, 0, 0, 0}));
}

TEST(TokenPermuteWithRoutingMapGrad, NamesTheFirstIndexOutOfRange) {
  const auto grad = std::move(Tensor(Dtype::float32, {6, 1}).fill(eighths));
  const auto map = example_map();
  const auto rows = std::move(Tensor(Dtype::int32, {6}).fill({0, 4, 2, 6, 1, -1}));
  const auto call = grad_call(grad, Tensor(), rows, map, false);
  expect_error(
      ops::token_permute_with_routing_map_grad, call, results_of(call),
      "npu_moe_token_permute_with_routing_map_grad: sorted_indices[3] is 6; rows are 0 or greater and less than "
      "6; pass the sorted_indices that npu_moe_token_permute_with_routing_map returned");
  const auto tokens = std::move(Tensor(Dtype::int32, {6}).fill({0, 1, 2, 3, 0, 0}));
  const auto padded = grad_call(grad, Tensor(), tokens, map, true);
  expect_error(
      ops::token_permute_with_routing_map_grad, padded, results_of(padded),
      "npu_moe_token_permute_with_routing_map_grad: sorted_indices[3] is 3; token ids are 0 or greater and less "
      "than 3; pass the sorted_indices that npu_moe_token_permute_with_routing_map returned");
}

TEST(TokenPermuteWithRoutingMap, ForwardAndGradientEqualTheReference) {
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
              SCOPED_TRACE(
                  describe(name(dtype), name(probs_dtype), with_probs, T, E, H, drop_and_pad, layout, other, turn));
              // `choices` experts for each token; not all the same ones.
              const auto map =
                  std::move(Tensor(turn % 2 == 0 ? Dtype::bool_ : Dtype::int8, {T, E}, layouts[turn % 4])
                                .fill([&](std::int64_t i) { return (i % E + i / E * 3) % E < choices ? 1.0 : 0.0; }));
              const std::int64_t rows = drop_and_pad ? E * (turn % (T + 1)) : T * choices;
              const auto tokens = std::move(Tensor(dtype, {T, H}, layout).fill(eighths));
              Tensor probs, probs_grad;
              if (with_probs) (probs = Tensor(probs_dtype, {T, E}, other)).fill(sixteenths);
              if (with_probs) (probs_grad = Tensor(probs_dtype, {rows}, other)).fill(eighths);
              ++turn;

              const Threads guard(1 + turn % 3);
              const auto forward = permute_call(tokens, map, probs, rows, drop_and_pad);
              const auto expected = compute(reference::token_permute_with_routing_map, forward, results_of(forward));
              expect_same(compute(ops::token_permute_with_routing_map, forward, results_of(forward)), expected);

              const auto grad = std::move(Tensor(dtype, {rows, H}, other).fill(eighths));
              const auto backward = grad_call(grad, probs_grad, expected[1], map, drop_and_pad);
              expect_same(compute(ops::token_permute_with_routing_map_grad, backward, results_of(backward)),
                          compute(reference::token_permute_with_routing_map_grad, backward, results_of(backward)));
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
