#include "moe/gating_top_k_softmax.h"

#include <limits>
#include <set>

#include "ops/testing.h"

namespace opwright::reference {
void gating_top_k_softmax(const ops::npu_moe_gating_top_k_softmax& call);
}  // namespace opwright::reference

namespace opwright::testing {
namespace {

using Gating = ops::npu_moe_gating_top_k_softmax;

Gating gating_call(const Tensor& x, const Tensor& finished, std::int64_t k) {
  Gating call{};
  call.x = x.view();
  call.finished = finished.view();
  call.k = k;
  call.E = call.x.size(call.x.rank() - 1);
  return call;
}

std::vector<Result<Gating>> results_of(const Gating& call, Dtype y) {
  Sizes sizes(call.x.sizes.begin(), call.x.sizes.end());
  sizes.back() = call.k;
  return {{&Gating::y, y, sizes}, {&Gating::expert_idx, Dtype::int32, sizes}, {&Gating::row_idx, Dtype::int32, sizes}};
}

std::vector<Tensor> run(const Gating& call) {
  return compute(ops::gating_top_k_softmax, call, results_of(call, call.x.dtype));
}

TEST(GatingTopKSoftmax, TakesTheMostProbable) {
  // Row 0: e^0 : e^0 : e^-inf = 1/2, 1/2, 0; the tie goes to expert 0. Row 1: expert 1 alone.
  const double none = -std::numeric_limits<double>::infinity();
  const auto x = std::move(Tensor(Dtype::float32, {2, 3}).fill({7, 7, none, none, 2, none}));
  const auto results = run(gating_call(x, Tensor(), 2));
  EXPECT_EQ(values(results[0]), (std::vector<double>{0.5, 0.5, 1, 0}));
  EXPECT_EQ(values(results[1]), (std::vector<double>{0, 1, 1, 0}));
  // row_idx[t, k] = k * 2 + t
  EXPECT_EQ(values(results[2]), (std::vector<double>{0, 2, 1, 3}));
}

TEST(GatingTopKSoftmax, SelectsOnFloat32Values) {
  // In bfloat16 both logits would be 1, and expert 0 would win the tie.
  const auto x = std::move(Tensor(Dtype::float32, {1, 4}).fill({1, 1 + 0x1p-10, 0, 0}));
  EXPECT_EQ(values(run(gating_call(x, Tensor(), 1))[1]), (std::vector<double>{1}));
}

TEST(GatingTopKSoftmax, TreatsBothZerosAlike) {
  const auto x = std::move(Tensor(Dtype::float16, {1, 3}).fill({-0.0, 0.0, -1}));
  EXPECT_EQ(values(run(gating_call(x, Tensor(), 2))[1]), (std::vector<double>{0, 1}));
}

TEST(GatingTopKSoftmax, GivesFinishedRowsNoExpert) {
  const auto x = std::move(Tensor(Dtype::bfloat16, {2, 3}).fill({1, 2, 3, 3, 2, 1}));
  const auto finished = std::move(Tensor(Dtype::bool_, {2}).fill({1, 0}));
  EXPECT_EQ(values(run(gating_call(x, finished, 2))[1]), (std::vector<double>{3, 3, 0, 1}));
}

TEST(GatingTopKSoftmax, ChoosesDifferentExpertsInARowOfNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto x = std::move(Tensor(Dtype::float32, {2, 3}).fill({nan, nan, nan, 0, 0, -1e30}));
  const auto results = run(gating_call(x, Tensor(), 3));
  EXPECT_EQ((std::set<double>{results[1][0], results[1][1], results[1][2]}), (std::set<double>{0, 1, 2}));
  EXPECT_TRUE(std::isnan(results[0][0]));
  EXPECT_EQ(results[0][3], 0.5);
}

TEST(GatingTopKSoftmax, EqualsTheReference) {
  int turn = 0;
  for (const Dtype dtype : {Dtype::float32, Dtype::float16, Dtype::bfloat16}) {
    for (const std::int64_t T : {0, 1, 2, 3, 5, 17}) {
      for (const std::int64_t E : {1, 2, 3, 5, 7, 17, 64, 129}) {
        for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, E / 2, E}) {
          const Layout layout = layouts[turn % 6];
          SCOPED_TRACE(describe(name(dtype), T, E, k, layout, turn));
          const bool cube = turn % 3 == 0;
          const auto x = std::move(Tensor(dtype, cube ? Sizes{T, 2, E} : Sizes{T, E}, layout).fill(eighths));
          Tensor finished;
          if (turn % 2 == 0) {
            finished = Tensor(Dtype::bool_, cube ? Sizes{T, 2} : Sizes{T}, layouts[turn % 4]);
            finished.fill([](std::int64_t t) { return static_cast<double>(t % 2); });
          }
          const auto call = gating_call(x, finished, k);
          const Threads guard(1 + turn++ % 3);
          const auto actual = run(call);
          auto expected = compute(reference::gating_top_k_softmax, call, results_of(call, Dtype::float64));
          expect_near(actual[0], expected[0]);
          for (const std::size_t r : {1, 2}) EXPECT_EQ(values(actual[r]), values(expected[r]));
          if (HasFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace opwright::testing
