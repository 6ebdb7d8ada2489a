#include "moe/token_unpermute.h"

#include <cstdlib>

#include "ops/testing.h"

namespace opwright::reference {
void token_unpermute(const ops::npu_moe_token_unpermute& call);
void token_unpermute(const ops::_npu_moe_token_unpermute& call);
void token_unpermute_grad(const ops::npu_moe_token_unpermute_grad& call);
void token_unpermute_grad(const ops::npu_moe_token_unpermute_grad_v2& call);
}  // namespace opwright::reference

namespace opwright::testing {
namespace {

using Unpermute = ops::npu_moe_token_unpermute;
using UnpermuteForBackward = ops::_npu_moe_token_unpermute;
using Grad = ops::npu_moe_token_unpermute_grad;
using GradV2 = ops::npu_moe_token_unpermute_grad_v2;

template <class Call>
Call unpermute_call(const Tensor& permuted_tokens, const Tensor& sorted_indices, const Tensor& probs) {
  Call call{};
  call.permuted_tokens = permuted_tokens.view();
  call.sorted_indices = sorted_indices.view();
  call.probs = probs.view();
  call.R = call.permuted_tokens.size(0);
  call.H = call.permuted_tokens.size(1);
  call.S = call.sorted_indices.numel();
  call.T = call.probs.present ? call.probs.size(0) : call.S;
  call.K = call.probs.present ? call.probs.size(1) : 1;
  return call;
}

std::vector<Result<Unpermute>> results_of(const Unpermute& call) {
  return {{&Unpermute::unpermuted_tokens, call.permuted_tokens.dtype, {call.T, call.H}}};
}

Grad grad_call(const Tensor& permuted_tokens, const Tensor& grad, const Tensor& sorted_indices, const Tensor& probs) {
  auto call = unpermute_call<Grad>(permuted_tokens, sorted_indices, probs);
  call.grad_unpermuted_tokens = grad.view();
  return call;
}

std::vector<Result<Grad>> results_of(const Grad& call) {
  std::vector<Result<Grad>> results{{&Grad::grad_permuted_tokens, call.permuted_tokens.dtype, {call.R, call.H}}};
  if (call.probs.present) results.push_back({&Grad::grad_probs, call.probs.dtype, {call.T, call.K}});
  return results;
}

TEST(TokenUnpermute, WeighsTheRowsOfAToken) {
  // Token 0 has rows 2 and 0: 0.5 * 30 + 0.25 * 10 = 17.5. Token 1 has row 1 and row 3, which was dropped: 1 * 20.
  const auto rows = std::move(Tensor(Dtype::bfloat16, {3, 1}).fill({10, 20, 30}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {4}).fill({2, 0, 1, 3}));
  const auto probs = std::move(Tensor(Dtype::float32, {2, 2}).fill({0.5, 0.25, 1, 8}));
  const auto call = unpermute_call<Unpermute>(rows, sorted_indices, probs);
  EXPECT_EQ(values(compute(ops::token_unpermute, call, results_of(call))[0]), (std::vector<double>{17.5, 20}));
}

TEST(TokenUnpermute, IsAGatherWithoutProbs) {
  const auto rows = std::move(Tensor(Dtype::float16, {3, 2}).fill({1, 2, 3, 4, 5, 6}));
  const auto sorted_indices = std::move(Tensor(Dtype::int64, {3}).fill({2, 5, 0}));
  const auto call = unpermute_call<Unpermute>(rows, sorted_indices, Tensor());
  EXPECT_EQ(values(compute(ops::token_unpermute, call, results_of(call))[0]), (std::vector<double>{5, 6, 0, 0, 1, 2}));
}

TEST(TokenUnpermute, DoesNotRoundProbsToTheTokensDtype) {
  // 256 * (1 + 2^-9) + 256 * (1 + 2^-9) - 2 * 256 = 1. In bfloat16 1 + 2^-9 is 1, and nothing would be left.
  const auto rows = std::move(Tensor(Dtype::bfloat16, {1, 1}).fill({256}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {3}).fill({0, 0, 0}));
  const auto probs = std::move(Tensor(Dtype::float32, {1, 3}).fill({1 + 0x1p-9, 1 + 0x1p-9, -2}));
  const auto call = unpermute_call<Unpermute>(rows, sorted_indices, probs);
  EXPECT_EQ(values(compute(ops::token_unpermute, call, results_of(call))[0]), (std::vector<double>{1}));
}

TEST(TokenUnpermute, RoundsFloat64SumsOnce) {
  // 1 + 2^-8 + 2^-40 is just above the middle of the bfloat16 numbers 1 and 1 + 2^-7. By way of float32, which cannot
  // hold 2^-40, it would become the middle, and then 1.
  const auto rows = std::move(Tensor(Dtype::bfloat16, {1, 1}).fill({1}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {1}).fill({0}));
  const auto probs = std::move(Tensor(Dtype::float64, {1, 1}).fill({1 + 0x1p-8 + 0x1p-40}));
  const auto call = unpermute_call<Unpermute>(rows, sorted_indices, probs);
  EXPECT_EQ(values(compute(ops::token_unpermute, call, results_of(call))[0]), (std::vector<double>{1 + 0x1p-7}));
}

TEST(TokenUnpermute, CopiesWhatTheGradientNeeds) {
  const auto rows = std::move(Tensor(Dtype::bfloat16, {3, 2}, Layout::transposed).fill({1, 2, 3, 4, 5, 6}));
  const auto sorted_indices = std::move(Tensor(Dtype::int64, {3}).fill({2, 1, 0}));
  const auto probs = std::move(Tensor(Dtype::float32, {3, 1}).fill({1, 1, 1}));
  const auto with = unpermute_call<UnpermuteForBackward>(rows, sorted_indices, probs);
  const auto copied =
      compute<UnpermuteForBackward>(ops::token_unpermute, with,
                                    {{&UnpermuteForBackward::unpermuted_tokens, Dtype::bfloat16, {3, 2}},
                                     {&UnpermuteForBackward::permuted_tokens_for_backward, Dtype::bfloat16, {3, 2}}});
  EXPECT_EQ(values(copied[0]), (std::vector<double>{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(values(copied[1]), (std::vector<double>{1, 2, 3, 4, 5, 6}));

  const auto without = unpermute_call<UnpermuteForBackward>(rows, sorted_indices, Tensor());
  const auto empty =
      compute<UnpermuteForBackward>(ops::token_unpermute, without,
                                    {{&UnpermuteForBackward::unpermuted_tokens, Dtype::bfloat16, {3, 2}},
                                     {&UnpermuteForBackward::permuted_tokens_for_backward, Dtype::bfloat16, {0, 2}}});
  EXPECT_EQ(values(empty[0]), (std::vector<double>{5, 6, 3, 4, 1, 2}));
}

TEST(TokenUnpermute, NamesTheFirstNegativeRow) {
  const auto rows = std::move(Tensor(Dtype::float32, {2, 1}).fill({1, 2}));
  const auto sorted_indices = std::move(Tensor(Dtype::int64, {4}).fill({0, 1, -2, -3}));
  const auto call = unpermute_call<Unpermute>(rows, sorted_indices, Tensor());
  expect_error(ops::token_unpermute, call, results_of(call),
               "npu_moe_token_unpermute: sorted_indices[2] is -2; rows are 0 or greater; pass the sorted_indices that "
               "npu_moe_token_permute returned");
  const auto grad = std::move(Tensor(Dtype::float32, {4, 1}).fill(eighths));
  const auto backward = grad_call(rows, grad, sorted_indices, Tensor());
  expect_error(ops::token_unpermute_grad, backward, results_of(backward),
               "npu_moe_token_unpermute_grad: sorted_indices[2] is -2; rows are 0 or greater; pass the sorted_indices "
               "that npu_moe_token_permute returned");
}

TEST(TokenUnpermuteGrad, ScalesTheGradientAndTakesDotProducts) {
  // Rows: token 0 -> 2, 0; token 1 -> 1, and 3 was dropped. grad_permuted_tokens[2] = 0.5 * (1, 2),
  // [0] = 0.25 * (1, 2), [1] = 1 * (3, 4). grad_probs: (1, 2).(50, 60) = 170, (1, 2).(10, 20) = 50,
  // (3, 4).(30, 40) = 250, dropped 0.
  const auto rows = std::move(Tensor(Dtype::bfloat16, {3, 2}).fill({10, 20, 30, 40, 50, 60}));
  const auto grad = std::move(Tensor(Dtype::bfloat16, {2, 2}).fill({1, 2, 3, 4}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {4}).fill({2, 0, 1, 3}));
  const auto probs = std::move(Tensor(Dtype::float32, {2, 2}).fill({0.5, 0.25, 1, 8}));
  const auto call = grad_call(rows, grad, sorted_indices, probs);
  const auto results = compute(ops::token_unpermute_grad, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{0.25, 0.5, 3, 4, 0.5, 1}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{170, 50, 250, 0}));
}

TEST(TokenUnpermuteGrad, KeepsTheProbsPrecision) {
  // The dot product 1 + 2^-14 is a float32 number and no bfloat16 number: the original fault rounded it away.
  const auto rows = std::move(Tensor(Dtype::bfloat16, {1, 2}).fill({1, 0x1p-7}));
  const auto grad = std::move(Tensor(Dtype::bfloat16, {1, 2}).fill({1, 0x1p-7}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {1}).fill({0}));
  const auto probs = std::move(Tensor(Dtype::float32, {1, 1}).fill({1}));
  const auto call = grad_call(rows, grad, sorted_indices, probs);
  EXPECT_EQ(values(compute(ops::token_unpermute_grad, call, results_of(call))[1]), (std::vector<double>{1 + 0x1p-14}));
}

TEST(TokenUnpermuteGrad, AddsUpRowsThatSeveralSlotsShare) {
  // Row 0 is named by slots 0 and 2: 2 * 1 + 4 * 10 = 42. Row 1 by slot 1: 3 * 1. Row 2 by none.
  const auto rows = std::move(Tensor(Dtype::float32, {3, 1}).fill({1, 1, 1}));
  const auto grad = std::move(Tensor(Dtype::float32, {2, 1}).fill({1, 10}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {4}).fill({0, 1, 0, 7}));
  const auto probs = std::move(Tensor(Dtype::float16, {2, 2}).fill({2, 3, 4, 5}));
  const auto call = grad_call(rows, grad, sorted_indices, probs);
  EXPECT_EQ(values(compute(ops::token_unpermute_grad, call, results_of(call))[0]), (std::vector<double>{42, 3, 0}));
}

struct Case {
  Dtype tokens, probs;
  bool with_probs;
  std::int64_t T, K, H;
};

/// Calls body(case, turn) over all dtypes, with and without probs, and sizes.
void for_each_case(const std::function<void(const Case&, int)>& body) {
  int turn = 0;
  for (const Dtype tokens : floating_point) {
    for (const Dtype probs : floating_point) {
      for (const std::int64_t T : {0, 1, 2, 3, 5, 17}) {
        for (const std::int64_t K : {1, 2, 3, 8}) {
          for (const std::int64_t H : {0, 1, 2, 3, 5, 7, 17, 130}) {
            body({tokens, probs, true, T, K, H}, turn++);
            if (K == 1) body({tokens, probs, false, T, K, H}, turn++);
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

/// sorted_indices of several kinds: a permutation; rows named by several slots, by none, and rows that do not exist.
Tensor make_indices(const Case& c, int turn) {
  const std::int64_t slots = c.T * c.K;
  Tensor indices(turn % 2 == 0 ? Dtype::int32 : Dtype::int64, {slots}, layouts[turn % 3]);
  indices.fill([&](std::int64_t s) {
    return static_cast<double>(turn % 3 == 0 ? slots - 1 - s : (s * s * 5 + turn) % (slots + 2));
  });
  return indices;
}

TEST(TokenUnpermute, EqualsTheReference) {
  for_each_case([](const Case& c, int turn) {
    const Layout layout = layouts[turn % 6], probs_layout = layouts[turn / 6 % 6];
    SCOPED_TRACE(
        describe(name(c.tokens), c.with_probs ? name(c.probs) : "absent", c.T, c.K, c.H, layout, probs_layout, turn));
    const auto rows =
        std::move(Tensor(c.tokens, {std::max<std::int64_t>(0, c.T * c.K - turn % 4), c.H}, layout).fill(eighths));
    const auto indices = make_indices(c, turn);
    Tensor probs;
    if (c.with_probs) (probs = Tensor(c.probs, {c.T, c.K}, probs_layout)).fill(sixteenths);
    const auto call = unpermute_call<Unpermute>(rows, indices, probs);
    const auto two = unpermute_call<UnpermuteForBackward>(rows, indices, probs);
    const Threads guard(1 + turn % 3);
    const auto expected = compute(reference::token_unpermute, call, results_of(call));
    expect_same(compute(ops::token_unpermute, call, results_of(call)), expected);
    const std::vector<Result<UnpermuteForBackward>> two_results{
        {&UnpermuteForBackward::unpermuted_tokens, c.tokens, {c.T, c.H}},
        {&UnpermuteForBackward::permuted_tokens_for_backward, c.tokens, {c.with_probs ? two.R : 0, c.H}}};
    expect_same(compute(ops::token_unpermute, two, two_results), compute(reference::token_unpermute, two, two_results));
  });
}

TEST(TokenUnpermuteGrad, EqualsTheReference) {
  for_each_case([](const Case& c, int turn) {
    const Layout layout = layouts[turn % 6], other = layouts[turn / 6 % 6];
    SCOPED_TRACE(describe(name(c.tokens), c.with_probs ? name(c.probs) : "absent", c.T, c.K, c.H, layout, other, turn));
    const std::int64_t R = std::max<std::int64_t>(0, c.T * c.K - turn % 4);
    const auto rows = std::move(Tensor(c.tokens, {R, c.H}, layout).fill(eighths));
    const auto grad =
        std::move(Tensor(c.tokens, {c.T, c.H}, other).fill([](std::int64_t i) { return eighths(i + 7); }));
    const auto indices = make_indices(c, turn);
    Tensor probs;
    if (c.with_probs) (probs = Tensor(c.probs, {c.T, c.K}, other)).fill(sixteenths);
    const auto call = grad_call(rows, grad, indices, probs);
    GradV2 v2{};
    v2.grad_unpermuted_tokens = call.grad_unpermuted_tokens;
    v2.sorted_indices = call.sorted_indices;
    v2.probs = call.probs;
    if (c.with_probs) v2.permuted_tokens = call.permuted_tokens;
    v2.permuted_tokens_size_0 = R;
    v2.permuted_tokens_dtype = c.tokens;
    v2.T = c.T;
    v2.K = c.K;
    std::vector<Result<GradV2>> v2_results{{&GradV2::grad_permuted_tokens, c.tokens, {R, c.H}}};
    if (c.with_probs) v2_results.push_back({&GradV2::grad_probs, c.probs, {c.T, c.K}});
    const Threads guard(1 + turn % 3);
    const auto expected = compute(reference::token_unpermute_grad, call, results_of(call));
    expect_same(compute(ops::token_unpermute_grad, call, results_of(call)), expected);
    expect_same(compute(ops::token_unpermute_grad, v2, v2_results), expected);
  });
}

TEST(TokenUnpermute, HasTheSameBitsForEveryNumberOfThreads) {
  // Values whose sums do depend on their order.
  constexpr std::int64_t T = 257, K = 8, H = 192;
  const auto noise = [](std::int64_t i) { return std::sin(static_cast<double>(i) * 0.7310585786300049); };
  const auto rows = std::move(Tensor(Dtype::float32, {T * K, H}).fill(noise));
  const auto grad = std::move(Tensor(Dtype::float32, {T, H}).fill(noise));
  const auto probs = std::move(Tensor(Dtype::float32, {T, K}).fill(noise));
  const auto indices = std::move(
      Tensor(Dtype::int32, {T * K}).fill([](std::int64_t s) { return static_cast<double>(s * 7 % (T * K / 2)); }));
  const auto forward = unpermute_call<Unpermute>(rows, indices, probs);
  const auto backward = grad_call(rows, grad, indices, probs);
  const auto tokens = compute(ops::token_unpermute, forward, results_of(forward));
  const auto grads = compute(ops::token_unpermute_grad, backward, results_of(backward));
  for (const int threads : {1, 2, 3, 4, 7}) {
    const Threads guard(threads);
    expect_same(compute(ops::token_unpermute, forward, results_of(forward)), tokens);
    expect_same(compute(ops::token_unpermute_grad, backward, results_of(backward)), grads);
  }
}

TEST(TokenUnpermute, HasRowsBeyondTheReachOf32Bits) {
  // T * K * H = 2.15e9 elements, more than 2^31; all rows are one in memory where that is possible.
  constexpr std::int64_t T = 4097, K = 8, H = 65600, R = T * K;
  if (std::getenv("OPWRIGHT_LARGE_TESTS") == nullptr) GTEST_SKIP() << "needs 5 GiB; set OPWRIGHT_LARGE_TESTS to run it";
  Tensor row(Dtype::bfloat16, {H});
  row.fill([](std::int64_t h) { return static_cast<double>(h % 251); });
  const auto expanded = [&](const std::int64_t (&sizes)[2]) {
    static constexpr std::int64_t strides[] = {0, 1};
    return View{row.view().data, Dtype::bfloat16, sizes, strides, true};
  };
  const std::int64_t all_rows[] = {R, H}, all_tokens[] = {T, H};
  const auto indices =
      std::move(Tensor(Dtype::int32, {R}).fill([](std::int64_t s) { return static_cast<double>(R - 1 - s); }));
  const auto probs = std::move(Tensor(Dtype::float32, {T, K}).fill([](std::int64_t) { return 0.25; }));

  auto forward = unpermute_call<Unpermute>(row, indices, probs);
  forward.permuted_tokens = expanded(all_rows);
  forward.R = R;
  forward.H = H;
  const auto tokens = compute(ops::token_unpermute, forward, results_of(forward));
  const auto expected = reference::nearest(2.0 * ((H - 1) % 251), Dtype::bfloat16);  // 8 rows, each a quarter
  EXPECT_EQ(tokens[0][T * H - 1], expected);

  Grad backward{};
  backward.permuted_tokens = forward.permuted_tokens;
  backward.grad_unpermuted_tokens = expanded(all_tokens);
  backward.sorted_indices = forward.sorted_indices;
  backward.probs = forward.probs;
  backward.R = R;
  backward.H = H;
  backward.T = T;
  backward.K = K;
  const auto grads = compute(ops::token_unpermute_grad, backward, results_of(backward));
  EXPECT_EQ(grads[0][0], 0);
  EXPECT_EQ(grads[0][R * H - 1], 0.25 * ((H - 1) % 251));
  EXPECT_EQ(grads[0][(R - 1) * H + 3], 0.75);
}

}  // namespace
}  // namespace opwright::testing
