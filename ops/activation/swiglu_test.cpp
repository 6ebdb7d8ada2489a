#include "activation/swiglu.h"

#include <limits>

#include "ops/testing.h"

namespace opwright::reference {
void swiglu(const ops::npu_swiglu& call);
void swiglu_backward(const ops::npu_swiglu_backward& call);
}  // namespace opwright::reference

namespace opwright::testing {
namespace {

using Swiglu = ops::npu_swiglu;
using Backward = ops::npu_swiglu_backward;

Swiglu swiglu_call(const Tensor& self, std::int64_t dim) {
  Swiglu call{};
  call.self = self.view();
  call.dim = dim;
  return call;
}

Backward backward_call(const Tensor& grad, const Tensor& self, std::int64_t dim) {
  Backward call{};
  call.grad_output = grad.view();
  call.self = self.view();
  call.dim = dim;
  return call;
}

Sizes halved(Sizes sizes, std::int64_t dim) {
  sizes[static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(sizes.size()) : dim)] /= 2;
  return sizes;
}

std::vector<Result<Swiglu>> results_of(const Swiglu& call, Dtype dtype) {
  return {{&Swiglu::result, dtype, halved({call.self.sizes.begin(), call.self.sizes.end()}, call.dim)}};
}

std::vector<Result<Backward>> results_of(const Backward& call, Dtype dtype) {
  return {{&Backward::grad_self, dtype, {call.self.sizes.begin(), call.self.sizes.end()}}};
}

TEST(Swiglu, GatesTheSecondHalf) {
  // silu(0) = 0; silu(x) is x for large x and 0 for large -x.
  const auto self = std::move(Tensor(Dtype::float32, {2, 4}).fill({0, 200, 3, 5, -200, 100, 3, 0.5}));
  const auto call = swiglu_call(self, -1);
  EXPECT_EQ(values(compute(ops::swiglu, call, results_of(call, Dtype::float32))[0]),
            (std::vector<double>{0, 1000, -0.0, 50}));
}

TEST(Swiglu, HalvesAnyDimension) {
  // Along dimension 0, a is the first row and b the second.
  const auto self = std::move(Tensor(Dtype::float16, {2, 2}).fill({100, 200, 2, 3}));
  const auto call = swiglu_call(self, 0);
  EXPECT_EQ(values(compute(ops::swiglu, call, results_of(call, Dtype::float16))[0]), (std::vector<double>{200, 600}));
}

TEST(SwigluBackward, FollowsTheProductRule) {
  // At a = 0: silu = 0, sigmoid = 1/2, silu' = 1/2. So grad_a = 3 * 8 / 2 = 12 and grad_b = 0.
  // At a = 200: silu = 200, silu' = 1. So grad_a = 2 * 4 = 8, grad_b = 2 * 200.
  const auto self = std::move(Tensor(Dtype::bfloat16, {1, 4}).fill({0, 200, 8, 4}));
  const auto grad = std::move(Tensor(Dtype::bfloat16, {1, 2}).fill({3, 2}));
  const auto call = backward_call(grad, self, 1);
  EXPECT_EQ(values(compute(ops::swiglu_backward, call, results_of(call, Dtype::bfloat16))[0]),
            (std::vector<double>{12, 8, 0, 400}));
}

TEST(Swiglu, KeepsNanAndInfinity) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto self = std::move(Tensor(Dtype::float32, {1, 6}).fill({infinity, nan, 1, 2, 2, nan}));
  const auto call = swiglu_call(self, 1);
  const auto result = compute(ops::swiglu, call, results_of(call, Dtype::float32));
  EXPECT_EQ(result[0][0], infinity);
  EXPECT_TRUE(std::isnan(result[0][1]));
  EXPECT_TRUE(std::isnan(result[0][2]));
}

TEST(Swiglu, ForwardAndBackwardAreNearTheReference) {
  int turn = 0;
  const Sizes shapes[] = {{2},       {6},          {0, 4},     {3, 0},      {5, 2},    {17, 14},    {1, 130},
                          {2, 3, 6}, {4, 2, 2, 2}, {34, 7, 1}, {2, 300, 2}, {6, 1500}, {2, 4096, 3}};
  for (const Dtype dtype : floating_point) {
    for (const Sizes& sizes : shapes) {
      const auto rank = static_cast<std::int64_t>(sizes.size());
      for (std::int64_t dim = -rank; dim < rank; ++dim) {
        if (sizes[static_cast<std::size_t>(dim < 0 ? dim + rank : dim)] % 2 != 0) continue;
        const Layout layout = layouts[turn % 6], other = layouts[turn / 6 % 6];
        SCOPED_TRACE(describe(name(dtype), ::testing::PrintToString(sizes), dim, layout, other, turn));
        const auto self = std::move(Tensor(dtype, sizes, layout).fill([](std::int64_t i) { return 3 * eighths(i); }));
        const auto grad = std::move(Tensor(dtype, halved(sizes, dim), other).fill(eighths));
        const Threads guard(1 + turn++ % 3);
        const auto forward = swiglu_call(self, dim);
        expect_near(compute(ops::swiglu, forward, results_of(forward, dtype))[0],
                    compute(reference::swiglu, forward, results_of(forward, Dtype::float64))[0]);
        const auto backward = backward_call(grad, self, dim);
        expect_near(compute(ops::swiglu_backward, backward, results_of(backward, dtype))[0],
                    compute(reference::swiglu_backward, backward, results_of(backward, Dtype::float64))[0]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace opwright::testing
