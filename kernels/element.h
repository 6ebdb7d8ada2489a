// Floating-point elements one at a time: widening, and rounding to nearest, ties to even, in the bits that torch gives.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <stdexcept>

#include "runtime/dtype.h"

namespace opwright {

struct float16 {
  std::uint16_t bits;
};
struct bfloat16 {
  std::uint16_t bits;
};

inline float widen(bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }

inline float widen(float16 x) {
  // The exponent is moved in place and corrected by a multiplication, which also normalises denormals; infinities and
  // NaN keep an exponent of ones.
  const std::uint32_t magnitude = (x.bits & 0x7fffu) << 13;
  const std::uint32_t special = (x.bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | (x.bits & 0x8000u) << 16);
}

inline float widen(float x) { return x; }
inline double widen(double x) { return x; }

namespace detail {

inline bfloat16 to_bfloat16(float x) {
  if (std::isnan(x)) return {0x7fc0};
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

inline float16 to_float16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  std::uint32_t rounded;
  if (magnitude > 0x7f800000) {
    rounded = 0x7e00;
  } else if (magnitude >= 0x47800000) {  // 65536 and above
    rounded = 0x7c00;
  } else if (magnitude < 0x38800000) {  // below the least normal number, 2^-14: an addition rounds at the right place
    rounded = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - std::bit_cast<std::uint32_t>(0.5f);
  } else {
    rounded = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
  }
  return {static_cast<std::uint16_t>(sign | rounded)};
}

/// The neighbour of x in float32 with an odd last bit, unless x is a float32. Rounding that to 16 bits is then one
/// rounding of x, not two.
inline float round_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  if (static_cast<double>(nearest) == x || std::isnan(x)) return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(x)) --bits;
  return std::bit_cast<float>(bits | 1);
}

}  // namespace detail

/// x rounded once to T.
template <class T, std::floating_point Wide>
T round_to(Wide x) {
  if constexpr (std::same_as<T, bfloat16>) {
    if constexpr (std::same_as<Wide, double>)
      return detail::to_bfloat16(detail::round_to_odd(x));
    else
      return detail::to_bfloat16(x);
  } else if constexpr (std::same_as<T, float16>) {
    if constexpr (std::same_as<Wide, double>)
      return detail::to_float16(detail::round_to_odd(x));
    else
      return detail::to_float16(x);
  } else {
    return static_cast<T>(x);
  }
}

/// Calls visitor(T{}) with the element type of a floating-point dtype.
template <class Visitor>
decltype(auto) visit_floating_point(Dtype dtype, Visitor&& visitor) {
  switch (dtype) {
    case Dtype::float32:
      return visitor(float{});
    case Dtype::float16:
      return visitor(float16{});
    case Dtype::bfloat16:
      return visitor(bfloat16{});
    case Dtype::float64:
      return visitor(double{});
    default:
      throw std::logic_error("a floating-point kernel was called with another dtype");
  }
}

}  // namespace opwright
