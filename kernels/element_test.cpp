#include "kernels/element.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace opwright {
namespace {

/// A format's numbers, by the definition of its bits.
struct Format {
  int fraction_bits, bias;

  double value(int bits) const {
    const int exponent = (bits & 0x7fff) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
    const double magnitude = exponent == 0
                                 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                 : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }
  int infinity() const { return (2 * bias + 1) << fraction_bits; }
};

constexpr Format half{10, 15}, brain{7, 127};

template <class T>
void expect_widened(const Format& format) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const float widened = widen(T{static_cast<std::uint16_t>(bits)});
    const int magnitude = bits & 0x7fff;
    if (magnitude > format.infinity()) {
      ASSERT_TRUE(std::isnan(widened)) << bits;
    } else if (magnitude == format.infinity()) {
      ASSERT_EQ(widened, bits == magnitude ? INFINITY : -INFINITY);
    } else {
      ASSERT_EQ(widened, format.value(bits)) << bits;
      ASSERT_EQ(std::signbit(widened), bits != magnitude);
    }
  }
}

TEST(Element, WidensEveryBitPattern) {
  expect_widened<float16>(half);
  expect_widened<bfloat16>(brain);
}

/// Neither neighbour of the rounded number is nearer to x, and if one is as near, then the rounded number is the even
/// one. Infinity stands, as IEEE has it, for the number that would follow the greatest.
template <class T, class Wide>
void expect_nearest(Wide x, const Format& format) {
  const int bits = round_to<T>(x).bits;
  if (std::isnan(x)) {
    ASSERT_GT(bits & 0x7fff, format.infinity());
    return;
  }
  ASSERT_EQ((bits & 0x8000) != 0, std::signbit(x));
  const int magnitude = bits & 0x7fff;
  ASSERT_LE(magnitude, format.infinity());
  const double distance = std::fabs(format.value(magnitude) - std::fabs(static_cast<double>(x)));
  for (const int neighbour : {magnitude - 1, magnitude + 1}) {
    if (neighbour < 0 || neighbour > format.infinity()) continue;
    const double other = std::fabs(format.value(neighbour) - std::fabs(static_cast<double>(x)));
    ASSERT_TRUE(distance < other || (distance == other && magnitude % 2 == 0)) << x << " became " << format.value(bits);
  }
}

TEST(Element, RoundsFloat32ToNearestEven) {
  // Every upper half of the bits, with lower halves that make ties in either format, and numbers beside ties.
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper) {
    for (const std::uint32_t lower : {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x3000u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      const auto x = std::bit_cast<float>(upper << 16 | lower);
      if (std::isinf(x)) continue;
      expect_nearest<float16>(x, half);
      expect_nearest<bfloat16>(x, brain);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(round_to<float16>(std::numeric_limits<float>::infinity()).bits, 0x7c00);
  EXPECT_EQ(round_to<bfloat16>(-std::numeric_limits<float>::infinity()).bits, 0xff80);
}

TEST(Element, RoundsFloat64Once) {
  // Numbers beside a tie, by less than float32 can tell.
  for (int bits = 0; bits < 0x7c00; ++bits) {
    for (const double step : {0x1p-40, -0x1p-40, 0.0}) {
      const double half_way = (half.value(bits) + half.value(bits + 1)) / 2;
      expect_nearest<float16>(half_way * (1 + step), half);
      expect_nearest<float16>(-half_way * (1 + step), half);
      const double brain_way = (brain.value(bits) + brain.value(bits + 1)) / 2;
      expect_nearest<bfloat16>(brain_way * (1 + step), brain);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(round_to<float16>(1e300).bits, 0x7c00);
  EXPECT_EQ(round_to<bfloat16>(-1e300).bits, 0xff80);
  EXPECT_EQ(round_to<bfloat16>(1e-300).bits, 0);
}

}  // namespace
}  // namespace opwright
