#include "moe/token_permute.h"

#include "ops/testing.h"

namespace opwright::reference {
void token_permute(const ops::npu_moe_token_permute& call);
void token_permute_grad(const ops::npu_moe_token_permute_grad& call);
void token_permute_grad(const ops::npu_moe_token_permute_grad_v2& call);
}  // namespace opwright::reference

namespace opwright::testing {
namespace {

using Permute = ops::npu_moe_token_permute;
using Grad = ops::npu_moe_token_permute_grad;
using GradV2 = ops::npu_moe_token_permute_grad_v2;

Permute permute_call(const Tensor& tokens, const Tensor& indices, std::int64_t rows) {
  Permute call{};
  call.tokens = tokens.view();
  call.indices = indices.view();
  call.T = call.tokens.size(0);
  call.H = call.tokens.size(1);
  call.K = call.indices.rank() == 2 ? call.indices.size(1) : 1;
  call.S = call.T * call.K;
  call.N = rows;
  return call;
}

std::vector<Result<Permute>> results_of(const Permute& call) {
  return {{&Permute::permuted_tokens, call.tokens.dtype, {call.N, call.H}},
          {&Permute::sorted_indices, Dtype::int32, {call.S}}};
}

GradV2 grad_call(const Tensor& grad, const Tensor& sorted_indices, std::int64_t tokens, std::int64_t choices) {
  GradV2 call{};
  call.grad_permuted_tokens = grad.view();
  call.sorted_indices = sorted_indices.view();
  call.tokens_size_0 = tokens;
  call.num_topK = choices;
  call.N = call.grad_permuted_tokens.size(0);
  call.H = call.grad_permuted_tokens.size(1);
  call.S = call.sorted_indices.numel();
  return call;
}

std::vector<Result<GradV2>> results_of(const GradV2& call) {
  return {{&GradV2::grad_tokens, call.grad_permuted_tokens.dtype, {call.tokens_size_0, call.H}}};
}

TEST(TokenPermute, PutsTheTokensOfAnExpertSideBySide) {
  // Slots:   (0,0) (0,1) (1,0) (1,1) (2,0) (2,1) (3,0) (3,1)
  // experts:   0     4     4     3     4     2     1     1
  // Expert 0 has slot 0 -> row 0; expert 1 slots 6, 7 -> rows 1, 2; expert 2 slot 5 -> row 3; expert 3 slot 3 -> row 4;
  // expert 4 slots 1, 2, 4 -> rows 5, 6, 7.
  const auto tokens = std::move(Tensor(Dtype::bfloat16, {4, 1}).fill({10, 20, 30, 40}));
  const auto indices = std::move(Tensor(Dtype::int64, {4, 2}).fill({0, 4, 4, 3, 4, 2, 1, 1}));
  const auto call = permute_call(tokens, indices, 8);
  const auto results = compute(ops::token_permute, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{10, 40, 40, 30, 20, 10, 20, 30}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{0, 5, 6, 4, 7, 3, 1, 2}));
}

TEST(TokenPermute, KeepsTheOrderOfTokensWithinAnExpert) {
  const auto tokens = std::move(Tensor(Dtype::float32, {4, 1}).fill({1, 2, 3, 4}));
  const auto indices = std::move(Tensor(Dtype::int32, {4, 1}).fill({0, 0, 0, 0}));
  const auto call = permute_call(tokens, indices, 4);
  EXPECT_EQ(values(compute(ops::token_permute, call, results_of(call))[1]), (std::vector<double>{0, 1, 2, 3}));
}

TEST(TokenPermute, SortsExpertIdsOfAnySize) {
  // 2^31 - 1 is the greatest, then 70000, 5 and 5, 0: rows 4, 3, 1, 2, 0.
  const auto tokens = std::move(Tensor(Dtype::float32, {5, 1}).fill({1, 2, 3, 4, 5}));
  const auto indices = std::move(Tensor(Dtype::int64, {5}).fill({2147483647, 70000, 5, 5, 0}));
  const auto call = permute_call(tokens, indices, 5);
  const auto results = compute(ops::token_permute, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{5, 3, 4, 2, 1}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{4, 3, 1, 2, 0}));

  Tensor huge(Dtype::int64, {3});
  const std::int64_t ids[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX};
  std::copy(ids, ids + 3, huge.result().as<std::int64_t>());
  const auto few = std::move(Tensor(Dtype::float32, {3, 1}).fill({1, 2, 3}));
  const auto huge_call = permute_call(few, huge, 3);
  EXPECT_EQ(values(compute(ops::token_permute, huge_call, results_of(huge_call))[0]), (std::vector<double>{2, 1, 3}));
}

TEST(TokenPermute, DropsRowsAtTheEnd) {
  // Rows of the four slots: 1, 2, 0, 3. With N = 2, the slots of rows 2 and 3 are dropped; sorted_indices keeps them.
  const auto tokens = std::move(Tensor(Dtype::float16, {2, 2}).fill({1, 2, 3, 4}));
  const auto indices = std::move(Tensor(Dtype::int32, {2, 2}).fill({1, 1, 0, 2}));
  const auto call = permute_call(tokens, indices, 2);
  const auto results = compute(ops::token_permute, call, results_of(call));
  EXPECT_EQ(values(results[0]), (std::vector<double>{3, 4, 1, 2}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{1, 2, 0, 3}));
}

TEST(TokenPermute, WritesSortedIndicesWithoutHiddenElements) {
  const Tensor tokens(Dtype::bfloat16, {2, 0});
  const auto indices = std::move(Tensor(Dtype::int32, {2, 2}).fill({1, 0, 0, 1}));
  const auto call = permute_call(tokens, indices, 4);
  EXPECT_EQ(values(compute(ops::token_permute, call, results_of(call))[1]), (std::vector<double>{2, 0, 1, 3}));
}

TEST(TokenPermute, NamesTheFirstNegativeExpert) {
  const auto tokens = std::move(Tensor(Dtype::float32, {3, 1}).fill({1, 2, 3}));
  const auto indices = std::move(Tensor(Dtype::int64, {3, 2}).fill({0, 1, 2, 3, 4, -1}));
  const auto call = permute_call(tokens, indices, 6);
  expect_error(ops::token_permute, call, results_of(call),
               "npu_moe_token_permute: indices[2, 1] is -1; expert ids are 0 or greater; give tokens without an expert "
               "an id above all others, and drop their rows with num_out_tokens");
  const auto one_choice = std::move(Tensor(Dtype::int32, {3}).fill({0, -7, -8}));
  const auto short_call = permute_call(tokens, one_choice, 3);
  expect_error(ops::token_permute, short_call, results_of(short_call),
               "npu_moe_token_permute: indices[1] is -7; expert ids are 0 or greater; give tokens without an expert "
               "an id above all others, and drop their rows with num_out_tokens");
}

TEST(TokenPermute, EqualsTheReference) {
  int turn = 0;
  for (const Dtype dtype : floating_point) {
    for (const std::int64_t T : {0, 1, 2, 3, 5, 17}) {
      for (const std::int64_t K : {1, 2, 3, 8}) {
        for (const std::int64_t H : {0, 1, 2, 3, 5, 7, 17, 130}) {
          for (const std::int64_t dropped : {0, 1, 1000}) {
            const Layout layout = layouts[turn % 6], index_layout = layouts[turn % 4];
            const Dtype index = turn % 2 == 0 ? Dtype::int32 : Dtype::int64;
            const int threads = 1 + turn++ % 3;
            SCOPED_TRACE(describe(name(dtype), name(index), T, K, H, dropped, layout, index_layout, threads));
            const auto tokens = std::move(Tensor(dtype, {T, H}, layout).fill(eighths));
            const auto indices = std::move(Tensor(index, {T, K}, index_layout).fill([&](std::int64_t place) {
              return static_cast<double>((place * 7 + T) % (H + 1));
            }));
            const auto call = permute_call(tokens, indices, std::max<std::int64_t>(0, T * K - dropped));
            const Threads guard(threads);
            expect_same(compute(ops::token_permute, call, results_of(call)),
                        compute(reference::token_permute, call, results_of(call)));
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(TokenPermute, StreamsLargeResults) {
  // 32 MiB of rows, which are stored past the caches: nothing else may differ.
  constexpr std::int64_t T = 2048, K = 2, H = 4096;
  const auto tokens = std::move(Tensor(Dtype::bfloat16, {T, H}).fill(eighths));
  const auto indices =
      std::move(Tensor(Dtype::int32, {T, K}).fill([](std::int64_t s) { return static_cast<double>(s % 2); }));
  const auto call = permute_call(tokens, indices, T * K);
  const auto results = compute(ops::token_permute, call, results_of(call));
  // Expert 0 takes every token once, then so does expert 1: the tokens twice.
  const auto* rows = static_cast<const std::byte*>(results[0].view().data);
  const std::size_t bytes = T * H * sizeof(std::uint16_t);
  EXPECT_EQ(std::memcmp(rows, tokens.view().data, bytes), 0);
  EXPECT_EQ(std::memcmp(rows + bytes, tokens.view().data, bytes), 0);
}

TEST(TokenPermuteGrad, AddsTheRowsOfAToken) {
  // Token 0 has rows 1 and 2, token 1 row 0 and the dropped row 3: 20 + 30, 10.
  const auto grad = std::move(Tensor(Dtype::float32, {3, 1}).fill({10, 20, 30}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {4}).fill({1, 2, 0, 3}));
  const auto call = grad_call(grad, sorted_indices, 2, 2);
  EXPECT_EQ(values(compute(ops::token_permute_grad, call, results_of(call))[0]), (std::vector<double>{50, 10}));
}

TEST(TokenPermuteGrad, RoundsOnce) {
  // Eight rows: 1 and seven times 2^-9, whose sum 1 + 7 * 2^-9 lies between the bfloat16 numbers 1 + 2^-7 and 1 + 2^-6,
  // and is nearer to the latter (1.013671875: 1.015625 is 2^-9 away, 1.0078125 is 3 * 2^-9). Rounding every sum would
  // leave 1.
  const auto grad =
      std::move(Tensor(Dtype::bfloat16, {8, 1}).fill([](std::int64_t row) { return row == 0 ? 1 : 0x1p-9; }));
  const auto sorted_indices =
      std::move(Tensor(Dtype::int64, {8}).fill([](std::int64_t s) { return static_cast<double>(s); }));
  const auto call = grad_call(grad, sorted_indices, 1, 8);
  EXPECT_EQ(values(compute(ops::token_permute_grad, call, results_of(call))[0]), (std::vector<double>{1.015625}));
}

TEST(TokenPermuteGrad, NamesTheFirstNegativeRow) {
  const auto grad = std::move(Tensor(Dtype::float32, {2, 1}).fill({1, 2}));
  const auto sorted_indices = std::move(Tensor(Dtype::int32, {2}).fill({1, -3}));
  const auto call = grad_call(grad, sorted_indices, 2, 1);
  expect_error(ops::token_permute_grad, call, results_of(call),
               "npu_moe_token_permute_grad_v2: sorted_indices[1] is -3; rows are 0 or greater; pass the sorted_indices "
               "that npu_moe_token_permute returned");
}

TEST(TokenPermuteGrad, EqualsTheReference) {
  int turn = 0;
  for (const Dtype dtype : floating_point) {
    for (const std::int64_t T : {0, 1, 2, 3, 5, 17}) {
      for (const std::int64_t K : {1, 2, 3, 8}) {
        for (const std::int64_t H : {0, 1, 2, 3, 5, 7, 17, 130}) {
          for (const std::int64_t N : {std::int64_t{0}, T * K / 2, T * K}) {
            const Layout layout = layouts[turn % 6], index_layout = layouts[turn % 5];
            const Dtype index = turn % 2 == 0 ? Dtype::int32 : Dtype::int64;
            const int threads = 1 + turn++ % 3;
            SCOPED_TRACE(describe(name(dtype), name(index), T, K, H, N, layout, index_layout, threads));
            const auto grad = std::move(Tensor(dtype, {N, H}, layout).fill(eighths));
            // Some rows are named by several slots, some by none, some do not exist.
            const auto sorted_indices = std::move(Tensor(index, {T * K}, index_layout).fill([&](std::int64_t place) {
              return static_cast<double>((place * 5 + 2) % (T * K + 1));
            }));
            const auto v2 = grad_call(grad, sorted_indices, T, K);
            Grad v1{};
            v1.grad_permuted_tokens = v2.grad_permuted_tokens;
            v1.sorted_indices = v2.sorted_indices;
            v1.T = T;
            v1.K = K;
            const std::vector<Result<Grad>> v1_results{{&Grad::grad_tokens, dtype, {T, H}}};
            const Threads guard(threads);
            const auto expected = compute(reference::token_permute_grad, v2, results_of(v2));
            expect_same(compute(ops::token_permute_grad, v2, results_of(v2)), expected);
            expect_same(compute(ops::token_permute_grad, v1, v1_results), expected);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace opwright::testing
