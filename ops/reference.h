// What the references are written with: elements as double, one at a time, and rounding by its definition. Shares no
// code with the kernels, so that it can be a second opinion.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "runtime/views.h"

namespace opwright::reference {

/// A binary floating-point format: bits of the significand (with the hidden one), and the exponents of the least and
/// the greatest normal number.
struct Format {
  int precision, least, greatest;
};

inline Format format_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16:
      return {11, -14, 15};
    case Dtype::bfloat16:
      return {8, -126, 127};
    case Dtype::float32:
      return {24, -126, 127};
    default:
      return {53, -1022, 1023};
  }
}

/// The number of this dtype that is nearest to x; of two that are equally near, the even one.
inline double nearest(double x, Dtype dtype) {
  if (x == 0 || !std::isfinite(x)) return x;
  const Format format = format_of(dtype);
  const int exponent = std::max(std::ilogb(x), format.least);
  const double spacing = std::ldexp(1.0, exponent - format.precision + 1);
  const double rounded = std::nearbyint(x / spacing) * spacing;
  const double limit = std::ldexp(2.0 - std::ldexp(1.0, 1 - format.precision), format.greatest);
  return std::fabs(rounded) > limit ? std::copysign(std::numeric_limits<double>::infinity(), x) : rounded;
}

/// The value of the 16 bits of a float16 or bfloat16.
inline double decode(std::uint16_t bits, Dtype dtype) {
  const Format format = format_of(dtype);
  const int fraction_bits = format.precision - 1;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int exponent = (bits & 0x7fff) >> fraction_bits;
  double magnitude;
  if (exponent == 2 * format.greatest + 1) {
    magnitude = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, format.least - fraction_bits);
  } else {
    magnitude = std::ldexp(fraction + (1 << fraction_bits), exponent - format.greatest - fraction_bits);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// The 16 bits of a number of this dtype.
inline std::uint16_t encode(double x, Dtype dtype) {
  const Format format = format_of(dtype);
  const int fraction_bits = format.precision - 1;
  const int sign = std::signbit(x) ? 0x8000 : 0;
  const int infinity = (2 * format.greatest + 1) << fraction_bits;
  if (std::isnan(x)) return static_cast<std::uint16_t>(infinity | 1 << (fraction_bits - 1));
  if (std::isinf(x)) return static_cast<std::uint16_t>(sign | infinity);
  const int exponent = x == 0 ? format.least : std::max(std::ilogb(x), format.least);
  const int significand = static_cast<int>(std::ldexp(std::fabs(x), fraction_bits - exponent));
  const int denormal = significand >> fraction_bits == 0 ? 1 : 0;
  return static_cast<std::uint16_t>(
      sign | (((exponent + format.greatest - denormal) << fraction_bits) + (significand & ((1 << fraction_bits) - 1))));
}

/// The offset, in elements, of the element at a place in row-major order.
template <class AnyView>
std::int64_t offset(const AnyView& view, std::int64_t place) {
  std::int64_t result = 0;
  for (int d = view.rank() - 1; d >= 0; --d) {
    result += place % view.size(d) * view.stride(d);
    place /= view.size(d);
  }
  return result;
}

/// The element at a place in row-major order.
template <class AnyView>
double get(const AnyView& view, std::int64_t place) {
  const char* from = static_cast<const char*>(view.data) + offset(view, place) * size_of(view.dtype);
  const auto read = [from]<class T>(T value) {
    std::memcpy(&value, from, sizeof(T));
    return value;
  };
  switch (view.dtype) {
    case Dtype::float16:
    case Dtype::bfloat16:
      return decode(read(std::uint16_t{}), view.dtype);
    case Dtype::float32:
      return static_cast<double>(read(float{}));
    case Dtype::float64:
      return read(double{});
    case Dtype::int32:
      return read(std::int32_t{});
    case Dtype::int64:
      return static_cast<double>(read(std::int64_t{}));
    default:
      return read(std::int8_t{});
  }
}

/// An integer element.
inline std::int64_t index(const View& view, std::int64_t place) {
  if (view.dtype != Dtype::int64) return static_cast<std::int64_t>(get(view, place));
  return view.as<std::int64_t>()[offset(view, place)];
}

/// Stores the number of the view's dtype that is nearest to x.
inline void set(const MutableView& view, std::int64_t place, double x) {
  char* to = static_cast<char*>(view.data) + offset(view, place) * size_of(view.dtype);
  const auto write = [to](auto value) { std::memcpy(to, &value, sizeof value); };
  switch (view.dtype) {
    case Dtype::float16:
    case Dtype::bfloat16:
      return write(encode(nearest(x, view.dtype), view.dtype));
    case Dtype::float32:
      return write(static_cast<float>(x));
    case Dtype::float64:
      return write(x);
    case Dtype::int32:
      return write(static_cast<std::int32_t>(x));
    case Dtype::int64:
      return write(static_cast<std::int64_t>(x));
    default:
      return write(static_cast<std::int8_t>(x));
  }
}

}  // namespace opwright::reference
