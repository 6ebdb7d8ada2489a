#include "kernels/pointwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/cpu_target.h"
#include "kernels/element.h"

namespace opwright {
namespace {

/// What the body computes under the best target, after comparing it, bit by bit, with what it computes under the
/// others.
std::vector<float> on_every_target(const std::function<std::vector<float>()>& body) {
  const auto best = body();
  for (const auto& target : cpu_targets()) {
    use_cpu_target(target);
    const auto other = body();
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (std::isnan(best[i]) && std::isnan(other[i])) continue;
      EXPECT_EQ(std::memcmp(&best[i], &other[i], sizeof(float)), 0)
          << target << ' ' << i << ": " << other[i] << " and " << best[i];
    }
  }
  use_cpu_target("");
  return best;
}

std::vector<float> range(float first, float last, std::size_t n) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = first + (last - first) * static_cast<float>(i) / static_cast<float>(n - 1);
  return x;
}

TEST(Pointwise, SwigluIsWithinAFewUnitsInTheLastPlace) {
  const auto a = range(-87, 100, 100001);
  const std::vector<float> b(a.size(), 1.f);
  const auto out = on_every_target([&] {
    std::vector<float> result(a.size());
    swiglu(Dtype::float32, a.data(), b.data(), static_cast<std::int64_t>(a.size()), result.data(), Store::cached);
    return result;
  });
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]), exact = x / (1 + std::exp(-x));
    ASSERT_NEAR(static_cast<double>(out[i]), exact, 3e-7 * std::fabs(exact)) << x;
  }
}

TEST(Pointwise, SwigluBackwardIsWithinAFewUnitsOfOne) {
  const auto a = range(-30, 30, 60001);
  const std::vector<float> b(a.size(), 2.f), grad(a.size(), 0.5f);
  const auto n = static_cast<std::int64_t>(a.size());
  const auto grads = on_every_target([&] {
    std::vector<float> result(2 * a.size());
    swiglu_backward(Dtype::float32, grad.data(), a.data(), b.data(), n, result.data(), result.data() + n,
                    Store::cached);
    return result;
  });
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]), s = 1 / (1 + std::exp(-x));
    ASSERT_NEAR(static_cast<double>(grads[i]), s + x * s * (1 - s), 1e-6) << x;
    ASSERT_NEAR(static_cast<double>(grads[a.size() + i]), 0.5 * x * s, 3e-7 * std::fabs(x)) << x;
  }
}

/// The softmax of a row, the same under every target.
std::vector<float> softmax_of(const std::vector<float>& x) {
  return on_every_target([&] {
    std::vector<float> logits(x.size()), result(x.size());
    const float sum =
        softmax_terms(Dtype::float32, x.data(), static_cast<std::int64_t>(x.size()), logits.data(), result.data());
    EXPECT_EQ(std::memcmp(logits.data(), x.data(), x.size() * sizeof(float)), 0);
    for (auto& y : result) y /= sum;
    return result;
  });
}

TEST(Pointwise, SoftmaxOfAnyLength) {
  for (const std::size_t n : {1, 2, 3, 7, 16, 17, 64, 65, 127, 256, 1000}) {
    auto x = range(-30, -1, n + 1);
    x.pop_back();
    const auto out = softmax_of(x);
    double sum = 0;
    for (const float logit : x) sum += std::exp(static_cast<double>(logit));
    for (std::size_t i = 0; i < n; ++i) {
      const double exact = std::exp(static_cast<double>(x[i])) / sum;
      ASSERT_NEAR(static_cast<double>(out[i]), exact, 3e-6 * exact) << n;
    }
  }
}

TEST(Pointwise, SoftmaxOfExtremes) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(softmax_of({-infinity, 0, -infinity, 0}), (std::vector<float>{0, 0.5f, 0, 0.5f}));
  EXPECT_EQ(softmax_of({3e38f, -3e38f}), (std::vector<float>{1, 0}));
  // e^-100 is a denormal number, 3.78e-44, and not zero.
  EXPECT_NEAR(static_cast<double>(softmax_of({0, -100})[1]), std::exp(-100.), 2e-45);
  // Far below zero, where a padding of zeros would be the greatest.
  EXPECT_EQ(softmax_of({-1e30f, -1e30f, -2e30f}), (std::vector<float>{0.5f, 0.5f, 0}));
  for (const float y : softmax_of({1, std::nanf(""), 2})) EXPECT_TRUE(std::isnan(y));
}

}  // namespace
}  // namespace opwright
