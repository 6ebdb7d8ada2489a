// Element types, as declarations name them. Knows no torch and no aclnn; both convert at their border.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opwright {

enum class Dtype : std::uint8_t {
  uint8,
  int8,
  int16,
  int32,
  int64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
  bool_,
};

/// The name in declarations and messages: "bfloat16", "bool".
constexpr std::string_view name(Dtype dtype) {
  constexpr std::string_view names[] = {"uint8",    "int8",    "int16",   "int32",     "int64",      "float16",
                                        "bfloat16", "float32", "float64", "complex64", "complex128", "bool"};
  return names[static_cast<int>(dtype)];
}

/// Bytes of one element.
constexpr int size_of(Dtype dtype) {
  constexpr int sizes[] = {1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16, 1};
  return sizes[static_cast<int>(dtype)];
}

constexpr bool is_floating_point(Dtype dtype) { return dtype >= Dtype::float16 && dtype <= Dtype::float64; }

/// The dtype of a name, or nothing.
constexpr std::optional<Dtype> dtype_named(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(Dtype::bool_); ++i)
    if (name(static_cast<Dtype>(i)) == text) return static_cast<Dtype>(i);
  return std::nullopt;
}

}  // namespace opwright
