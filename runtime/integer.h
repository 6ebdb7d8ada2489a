// Arithmetic and comparisons of declarations, total and the same for numbers and for symbolic sizes.
//
// Nothing here is undefined: what does not fit into 64 bits, and division by zero, are errors. `Integer<Int>` is the
// border to an integer type; runtime/torch/symbolic.h specialises it for torch's symbolic integers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "runtime/error.h"
#include "runtime/sizes.h"

namespace opwright {

/// An expression that has no value. `Checks` turns it into an Error that names the operator and the rule or dim.
class ArithmeticError : public Error {
 public:
  using Error::Error;
};

template <class Int>
struct Integer;

template <>
struct Integer<std::int64_t> {
  /// The number, if it is known.
  static std::optional<std::int64_t> number(std::int64_t value) { return value; }
  static std::string text(std::int64_t value) { return std::to_string(value); }
  /// Whether a required relation holds. Symbolic sizes are then known to satisfy it, and are not replaced by numbers.
  static bool expect_eq(std::int64_t a, std::int64_t b) { return a == b; }
  static bool expect_ne(std::int64_t a, std::int64_t b) { return a != b; }
  static bool expect_lt(std::int64_t a, std::int64_t b) { return a < b; }
  static bool expect_le(std::int64_t a, std::int64_t b) { return a <= b; }
  static std::int64_t minimum(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
  static std::int64_t maximum(std::int64_t a, std::int64_t b) { return a < b ? b : a; }
};

template <class Int>
bool expect_eq(const Int& a, const Int& b) {
  return Integer<Int>::expect_eq(a, b);
}
template <class Int>
bool expect_ne(const Int& a, const Int& b) {
  return Integer<Int>::expect_ne(a, b);
}
template <class Int>
bool expect_lt(const Int& a, const Int& b) {
  return Integer<Int>::expect_lt(a, b);
}
template <class Int>
bool expect_le(const Int& a, const Int& b) {
  return Integer<Int>::expect_le(a, b);
}
template <class Int>
bool expect_gt(const Int& a, const Int& b) {
  return Integer<Int>::expect_lt(b, a);
}
template <class Int>
bool expect_ge(const Int& a, const Int& b) {
  return Integer<Int>::expect_le(b, a);
}

namespace detail {

[[noreturn]] inline void arithmetic_error(std::int64_t a, const char* sign, std::int64_t b, const char* what) {
  throw ArithmeticError(std::to_string(a) + " " + sign + " " + std::to_string(b) + " " + what);
}

constexpr const char* too_large = "does not fit into 64 bits";

/// Both operands as numbers, if both are known.
template <class Int>
std::optional<std::pair<std::int64_t, std::int64_t>> numbers(const Int& a, const Int& b) {
  const auto x = Integer<Int>::number(a);
  const auto y = Integer<Int>::number(b);
  if (!x || !y) return std::nullopt;
  return std::pair(*x, *y);
}

/// Division is defined for a positive divisor and a dividend that is not negative, where all roundings agree.
inline void require_divisible(std::int64_t a, const char* sign, std::int64_t b) {
  if (b == 0) arithmetic_error(a, sign, b, "divides by zero");
  if (a < 0 || b < 0) arithmetic_error(a, sign, b, "divides negative numbers");
}

}  // namespace detail

template <class Int>
Int plus(const Int& a, const Int& b) {
  if (const auto n = detail::numbers(a, b)) {
    std::int64_t sum;
    if (__builtin_add_overflow(n->first, n->second, &sum)) {
      detail::arithmetic_error(n->first, "+", n->second, detail::too_large);
    }
    return Int(sum);
  }
  return a + b;
}

template <class Int>
Int minus(const Int& a, const Int& b) {
  if (const auto n = detail::numbers(a, b)) {
    std::int64_t difference;
    if (__builtin_sub_overflow(n->first, n->second, &difference)) {
      detail::arithmetic_error(n->first, "-", n->second, detail::too_large);
    }
    return Int(difference);
  }
  return a - b;
}

template <class Int>
Int times(const Int& a, const Int& b) {
  if (const auto n = detail::numbers(a, b)) {
    std::int64_t product;
    if (__builtin_mul_overflow(n->first, n->second, &product)) {
      detail::arithmetic_error(n->first, "*", n->second, detail::too_large);
    }
    return Int(product);
  }
  return a * b;
}

template <class Int>
Int divide(const Int& a, const Int& b) {
  if (const auto n = detail::numbers(a, b)) {
    detail::require_divisible(n->first, "/", n->second);
    return Int(n->first / n->second);
  }
  return a / b;
}

template <class Int>
Int modulo(const Int& a, const Int& b) {
  if (const auto n = detail::numbers(a, b)) {
    detail::require_divisible(n->first, "%", n->second);
    return Int(n->first % n->second);
  }
  return a % b;
}

template <class Int>
Int ceil_div(const Int& a, const Int& b) {
  return divide(plus(a, minus(b, Int(1))), b);
}

template <class Int>
Int minimum(const Int& a, const Int& b) {
  return Integer<Int>::minimum(a, b);
}

template <class Int>
Int maximum(const Int& a, const Int& b) {
  return Integer<Int>::maximum(a, b);
}

template <class Int>
Int product(std::span<const Int> sizes) {
  Int result(1);
  for (const Int& size : sizes) result = times(result, size);
  return result;
}

/// `len(list)` of an int[] argument.
template <class Int>
Int length(std::span<const std::int64_t> list) {
  return Int(static_cast<std::int64_t>(list.size()));
}

/// `list[i]` of an int[] argument.
template <class Int>
Int element(std::span<const std::int64_t> list, const Int& index) {
  const auto i = Integer<Int>::number(index);
  const auto count = static_cast<std::int64_t>(list.size());
  if (!i || *i < 0 || *i >= count) {
    throw ArithmeticError("element " + Integer<Int>::text(index) + " of a list of " + std::to_string(count) +
                          " does not exist");
  }
  return Int(list[static_cast<std::size_t>(*i)]);
}

/// Sizes cut in two halves along `dim`, which counts from the end where it is negative. `whose` is for messages.
template <class Int>
Sizes<Int> halve(std::span<const Int> sizes, const Int& dim, const char* whose = "the shape") {
  const auto rank = static_cast<std::int64_t>(sizes.size());
  const auto d = Integer<Int>::number(dim);
  if (!d || *d < -rank || *d >= rank) {
    throw ArithmeticError(whose + (" has " + std::to_string(rank)) + " dimensions, and none is number " +
                          Integer<Int>::text(dim));
  }
  Sizes<Int> halves(sizes);
  Int& halved = halves[static_cast<std::size_t>(*d < 0 ? *d + rank : *d)];
  if (!expect_eq(modulo(halved, Int(2)), Int(0))) {
    throw ArithmeticError("dimension " + Integer<Int>::text(dim) + " of " + whose + " has the odd size " +
                          Integer<Int>::text(halved) + " and cannot be halved");
  }
  halved = divide(halved, Int(2));
  return halves;
}

}  // namespace opwright
