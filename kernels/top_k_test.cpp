#include "kernels/top_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "kernels/cpu_target.h"

namespace opwright {
namespace {

std::vector<std::int32_t> greatest(const std::vector<float>& x, std::size_t k) {
  std::vector<std::int32_t> chosen(k, -1), scratch;
  select_greatest(x, chosen, scratch);
  return chosen;
}

TEST(SelectGreatest, OrdersSpecialNumbers) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  for (const auto& target : cpu_targets()) {
    use_cpu_target(target);
    EXPECT_EQ(greatest({-infinity, -1, -0.f, 0, 1e-45f, infinity, -nan, nan}, 8),
              (std::vector<std::int32_t>{6, 7, 5, 4, 2, 3, 1, 0}))
        << target;
  }
  use_cpu_target("");
}

TEST(SelectGreatest, IsAStableSortOnEveryTarget) {
  std::mt19937 random(1);
  for (const auto& target : cpu_targets()) {
    use_cpu_target(target);
    for (const std::size_t n : {0, 1, 2, 3, 7, 16, 17, 64, 129}) {
      std::vector<float> x(n);
      for (auto& value : x) value = static_cast<float>(random() % 20) - 30;  // with ties, all less than the padding's 0
      std::vector<std::int32_t> order(n);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return x[static_cast<std::size_t>(a)] > x[static_cast<std::size_t>(b)];
      });
      for (const std::size_t k : {std::size_t{0}, n / 2, n}) {
        EXPECT_EQ(greatest(x, k),
                  (std::vector<std::int32_t>(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k))))
            << target << ' ' << n;
      }
    }
  }
  use_cpu_target("");
}

}  // namespace
}  // namespace opwright
