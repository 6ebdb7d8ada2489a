#include "kernels/rows.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <new>
#include <random>
#include <vector>

#include "kernels/cpu_target.h"
#include "kernels/element.h"
#include "runtime/error.h"

namespace opwright {
namespace {

constexpr std::size_t lengths[] = {0,  1,  2,  3,  5,  7,   8,   15,  16,  17,  31,
                                   32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 1000};

/// Runs the body under every target of this CPU.
template <class Body>
void for_each_target(const Body& body) {
  for (const auto& target : cpu_targets()) {
    SCOPED_TRACE(target);
    use_cpu_target(target);
    body();
    if (::testing::Test::HasFatalFailure()) break;
  }
  use_cpu_target("");
}

/// Elements with bits at random: all exponents, denormals, infinities and NaN among them.
template <class T>
std::vector<T> random_elements(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> elements;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t bits = random();
    if constexpr (sizeof(T) == 2) {
      elements.push_back({static_cast<std::uint16_t>(bits)});
    } else {
      elements.push_back(std::bit_cast<T>(bits));
    }
  }
  return elements;
}

/// Small numbers whose sums round.
template <class T>
std::vector<T> random_numbers(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<T> elements;
  for (std::size_t i = 0; i < n; ++i) elements.push_back(round_to<T>(normal(random)));
  return elements;
}

template <class T>
constexpr Dtype dtype_of = std::same_as<T, float16>    ? Dtype::float16
                           : std::same_as<T, bfloat16> ? Dtype::bfloat16
                           : std::same_as<T, float>    ? Dtype::float32
                                                       : Dtype::float64;

/// The same bits, or NaN in both.
template <class T>
bool same(T a, T b) {
  const auto x = widen(a), y = widen(b);
  return (x == y && std::signbit(x) == std::signbit(y)) || (std::isnan(x) && std::isnan(y));
}

template <class T>
class Rows32 : public ::testing::Test {};
using Elements = ::testing::Types<float, float16, bfloat16>;
TYPED_TEST_SUITE(Rows32, Elements);

TYPED_TEST(Rows32, WeightedSumIsThatOfAPlainLoopOnEveryTarget) {
  using T = TypeParam;
  for_each_target([] {
    for (const std::size_t length : lengths) {
      for (const std::size_t count : {0, 1, 2, 3, 8}) {
        std::vector<std::vector<T>> rows;
        std::vector<Term<float>> terms;
        for (std::size_t k = 0; k < count; ++k) {
          rows.push_back(count < 3 ? random_elements<T>(length, static_cast<std::uint32_t>(length + k))
                                   : random_numbers<T>(length, static_cast<std::uint32_t>(length + k)));
          terms.push_back({rows.back().data(), 0.3f - static_cast<float>(k)});
        }
        std::vector<T> sums(length + 1, T{});  // and one element behind the row, which must stay as it is
        weighted_sum(dtype_of<T>, terms, terms, static_cast<std::int64_t>(length), sums.data(), Store::cached);
        for (std::size_t i = 0; i < length; ++i) {
          float expected = 0;
          for (std::size_t k = 0; k < count; ++k) {
            const float product = terms[k].weight * widen(rows[k][i]);
            expected = k == 0 ? product : expected + product;
          }
          ASSERT_TRUE(same(sums[i], round_to<T>(expected))) << length << ' ' << count << ' ' << i;
        }
        ASSERT_TRUE(same(sums[length], T{})) << length;
      }
    }
  });
}

TYPED_TEST(Rows32, EveryNumberIsRoundedToNearestEvenOnEveryTarget) {
  using T = TypeParam;
  // float32 rows cannot be had from 16-bit ones; so weights bring the bits below the ones that are kept.
  const auto ones = std::vector<T>(40, round_to<T>(1.f));
  const auto weights = random_elements<float>(20000, 1);
  for_each_target([&] {
    std::vector<T> out(40);
    for (const float weight : weights) {
      const Term<float> term{ones.data(), weight};
      weighted_sum(dtype_of<T>, {&term, 1}, {}, 40, out.data(), Store::cached);
      for (const T element : out) ASSERT_TRUE(same(element, round_to<T>(weight))) << weight;
    }
  });
}

TYPED_TEST(Rows32, StreamedStoresWriteTheSame) {
  using T = TypeParam;
  constexpr std::int64_t length = 512;
  const auto row = random_numbers<T>(length, 3);
  const Term<float> term{row.data(), 1.5f};
  for_each_target([&] {
    struct alignas(64) Line {
      T elements[length];
    } cached, streamed, copied;
    weighted_sum(dtype_of<T>, {&term, 1}, {}, length, cached.elements, Store::cached);
    weighted_sum(dtype_of<T>, {&term, 1}, {}, length, streamed.elements, Store::streamed);
    copy_row(row.data(), length * static_cast<std::int64_t>(sizeof(T)), copied.elements, Store::streamed);
    finish(Store::streamed);
    for (std::size_t i = 0; i < length; ++i) {
      ASSERT_TRUE(same(streamed.elements[i], cached.elements[i]));
      ASSERT_TRUE(same(copied.elements[i], row[i]));
    }
  });
}

TYPED_TEST(Rows32, DotIsThatOfAPlainLoopOnEveryTarget) {
  using T = TypeParam;
  for_each_target([] {
    for (const std::size_t length : lengths) {
      const auto a = random_numbers<T>(length, 7), b = random_numbers<T>(length, 8);
      float sums[64] = {};
      for (std::size_t i = 0; i < length; ++i) sums[i % 64] += widen(a[i]) * widen(b[i]);
      for (std::size_t width = 32; width > 0; width /= 2) {
        for (std::size_t i = 0; i < width; ++i) sums[i] += sums[i + width];
      }
      float result = -1;
      dot(dtype_of<T>, a.data(), b.data(), a.data(), static_cast<std::int64_t>(length), result);
      ASSERT_EQ(result, sums[0]) << length;
    }
  });
}

template <class T>
class Rows64 : public ::testing::Test {};
using AllElements = ::testing::Types<float, float16, bfloat16, double>;
TYPED_TEST_SUITE(Rows64, AllElements);

TYPED_TEST(Rows64, SumsAreExactWhereFloat32WouldRound) {
  using T = TypeParam;
  // 1 * 1 + 2^-30 * 2 - 1 * 1 = 2^-29 in float64, 0 in float32.
  const T one[] = {round_to<T>(1.)}, two[] = {round_to<T>(2.)};
  const Term<double> terms[] = {{one, 1}, {two, 0x1p-30}, {one, -1}};
  T sum[1];
  weighted_sum(dtype_of<T>, terms, {}, 1, sum, Store::cached);
  const double expected_sum = dtype_of<T> == Dtype::float16 ? 0 : 0x1p-29;  // less than half of float16's least number
  EXPECT_EQ(widen(sum[0]), expected_sum);

  for (const std::size_t length : lengths) {
    const auto a = random_numbers<T>(length, 7), b = random_numbers<T>(length, 8);
    double expected = 0, result = -1;
    for (std::size_t i = 0; i < length; ++i)
      expected += static_cast<double>(widen(a[i])) * static_cast<double>(widen(b[i]));
    dot(dtype_of<T>, a.data(), b.data(), nullptr, static_cast<std::int64_t>(length), result);
    EXPECT_NEAR(result, expected, 1e-12 * static_cast<double>(length + 1));
  }
}

TEST(Store, IsStreamedForLargeMatricesOfWholeLines) {
  alignas(64) std::byte line[128] = {};
  EXPECT_EQ(store_for(line, 32768, 1024), Store::streamed);
  EXPECT_EQ(store_for(line, 1024, 1024), Store::cached);
  EXPECT_EQ(store_for(line, 32768, 1000), Store::cached);
  EXPECT_EQ(store_for(line + 16, 32768, 1024), Store::cached);
}

TEST(CpuTarget, HasAtLeastThePlainOne) {
  EXPECT_GE(cpu_targets().size(), 1u);
  try {
    use_cpu_target("AVX9000");
    ADD_FAILURE();
  } catch (const Error& error) {
    std::string all;
    for (const auto& target : cpu_targets()) all += (all.empty() ? "" : ", ") + target;
    EXPECT_EQ(error.what(), "this CPU has no target named AVX9000; it has " + all);
  }
}

}  // namespace
}  // namespace opwright
