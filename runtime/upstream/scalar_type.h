// PyTorch's element types under PyTorch's names and numbers, without PyTorch: what upstream's dtype rules compute with.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opwright::upstream {

/// The numbers are those of c10::ScalarType.
enum class ScalarType : std::int8_t {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  ComplexHalf,
  ComplexFloat,
  ComplexDouble,
  Bool,
  QInt8,
  QUInt8,
  QInt32,
  BFloat16,
  QUInt4x2,
  QUInt2x4,
  Bits1x8,
  Bits2x4,
  Bits4x2,
  Bits8,
  Bits16,
  Float8_e5m2,
  Float8_e4m3fn,
  Float8_e5m2fnuz,
  Float8_e4m3fnuz,
  UInt16,
  UInt32,
  UInt64,
  UInt1,
  UInt2,
  UInt3,
  UInt4,
  UInt5,
  UInt6,
  UInt7,
  Int1,
  Int2,
  Int3,
  Int4,
  Int5,
  Int6,
  Int7,
  Float8_e8m0fnu,
  Float4_e2m1fn_x2,
  Undefined,
};

namespace detail {
constexpr std::string_view scalar_type_names[] = {"Byte",
                                                  "Char",
                                                  "Short",
                                                  "Int",
                                                  "Long",
                                                  "Half",
                                                  "Float",
                                                  "Double",
                                                  "ComplexHalf",
                                                  "ComplexFloat",
                                                  "ComplexDouble",
                                                  "Bool",
                                                  "QInt8",
                                                  "QUInt8",
                                                  "QInt32",
                                                  "BFloat16",
                                                  "QUInt4x2",
                                                  "QUInt2x4",
                                                  "Bits1x8",
                                                  "Bits2x4",
                                                  "Bits4x2",
                                                  "Bits8",
                                                  "Bits16",
                                                  "Float8_e5m2",
                                                  "Float8_e4m3fn",
                                                  "Float8_e5m2fnuz",
                                                  "Float8_e4m3fnuz",
                                                  "UInt16",
                                                  "UInt32",
                                                  "UInt64",
                                                  "UInt1",
                                                  "UInt2",
                                                  "UInt3",
                                                  "UInt4",
                                                  "UInt5",
                                                  "UInt6",
                                                  "UInt7",
                                                  "Int1",
                                                  "Int2",
                                                  "Int3",
                                                  "Int4",
                                                  "Int5",
                                                  "Int6",
                                                  "Int7",
                                                  "Float8_e8m0fnu",
                                                  "Float4_e2m1fn_x2",
                                                  "Undefined"};
// As Python calls them.
constexpr std::string_view torch_names[] = {"uint8",
                                            "int8",
                                            "int16",
                                            "int32",
                                            "int64",
                                            "float16",
                                            "float32",
                                            "float64",
                                            "complex32",
                                            "complex64",
                                            "complex128",
                                            "bool",
                                            "qint8",
                                            "quint8",
                                            "qint32",
                                            "bfloat16",
                                            "quint4x2",
                                            "quint2x4",
                                            "bits1x8",
                                            "bits2x4",
                                            "bits4x2",
                                            "bits8",
                                            "bits16",
                                            "float8_e5m2",
                                            "float8_e4m3fn",
                                            "float8_e5m2fnuz",
                                            "float8_e4m3fnuz",
                                            "uint16",
                                            "uint32",
                                            "uint64",
                                            "uint1",
                                            "uint2",
                                            "uint3",
                                            "uint4",
                                            "uint5",
                                            "uint6",
                                            "uint7",
                                            "int1",
                                            "int2",
                                            "int3",
                                            "int4",
                                            "int5",
                                            "int6",
                                            "int7",
                                            "float8_e8m0fnu",
                                            "float4_e2m1fn_x2",
                                            "undefined"};
}  // namespace detail

/// As C++ spells it after `at::k`: "BFloat16".
constexpr std::string_view name(ScalarType type) { return detail::scalar_type_names[static_cast<int>(type)]; }
/// As Python spells it after `torch.`: "bfloat16". For messages.
constexpr std::string_view torch_name(ScalarType type) { return detail::torch_names[static_cast<int>(type)]; }

constexpr std::optional<ScalarType> scalar_type_named(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(ScalarType::Undefined); ++i)
    if (detail::scalar_type_names[i] == text) return static_cast<ScalarType>(i);
  return std::nullopt;
}

constexpr bool is_complex_type(ScalarType type) {
  return type == ScalarType::ComplexHalf || type == ScalarType::ComplexFloat || type == ScalarType::ComplexDouble;
}

/// As PyTorch decides it: the barebones unsigned types count, the sub-byte ones do not.
constexpr bool is_integral_type(ScalarType type, bool include_bool) {
  return type <= ScalarType::Long || (type >= ScalarType::UInt16 && type <= ScalarType::UInt64) ||
         (include_bool && type == ScalarType::Bool);
}

constexpr bool is_float8_type(ScalarType type) {
  return (type >= ScalarType::Float8_e5m2 && type <= ScalarType::Float8_e4m3fnuz) || type == ScalarType::Float8_e8m0fnu;
}

constexpr bool is_floating_type(ScalarType type) {
  return (type >= ScalarType::Half && type <= ScalarType::Double) || type == ScalarType::BFloat16 ||
         is_float8_type(type) || type == ScalarType::Float4_e2m1fn_x2;
}

/// PyTorch's two notions of a dtype, `caffe2::TypeMeta` and `at::ScalarType`, are one here.
constexpr ScalarType same_type(ScalarType type) { return type; }

}  // namespace opwright::upstream
