// Dtypes as integers (`int? y_dtype`): PyTorch's number below 256, 256 and aclnn's number above.
#pragma once

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

/// A dtype of aclnn.
struct DtypeCode {
  std::string_view name;  // as upstream spells it after `DType::`
  std::int64_t code;
  ScalarType held_as;  // the dtype in which PyTorch holds it, uint8 for what PyTorch does not have
};

inline constexpr DtypeCode dtype_codes[] = {
    {"FLOAT", 256, ScalarType::Float},
    {"FLOAT16", 257, ScalarType::Half},
    {"INT8", 258, ScalarType::Char},
    {"INT32", 259, ScalarType::Int},
    {"UINT8", 260, ScalarType::Byte},
    {"INT16", 262, ScalarType::Short},
    {"UINT16", 263, ScalarType::UInt16},
    {"UINT32", 264, ScalarType::UInt32},
    {"INT64", 265, ScalarType::Long},
    {"UINT64", 266, ScalarType::UInt64},
    {"DOUBLE", 267, ScalarType::Double},
    {"BOOL", 268, ScalarType::Bool},
    {"COMPLEX64", 272, ScalarType::ComplexFloat},
    {"COMPLEX128", 273, ScalarType::ComplexDouble},
    {"BF16", 283, ScalarType::BFloat16},
    {"INT4", 285, ScalarType::Undefined},  // packed by each operator in its own way
    {"COMPLEX32", 289, ScalarType::ComplexHalf},
    {"HIFLOAT8", 290, ScalarType::Byte},
    {"FLOAT8_E5M2", 291, ScalarType::Float8_e5m2},
    {"FLOAT8_E4M3FN", 292, ScalarType::Float8_e4m3fn},
    {"FLOAT8_E8M0", 293, ScalarType::Float8_e8m0fnu},
    {"FLOAT6_E3M2", 294, ScalarType::Byte},
    {"FLOAT6_E2M3", 295, ScalarType::Byte},
    {"FLOAT4_E2M1", 296, ScalarType::Float4_e2m1fn_x2},
    {"FLOAT4_E1M2", 297, ScalarType::Byte},
};

/// The dtype in which PyTorch holds what a code stands for.
inline ScalarType dtype_of_code(std::int64_t code) {
  using enum ScalarType;
  const auto type = static_cast<ScalarType>(code);
  const bool torch_has_it = code >= 0 && code < static_cast<std::int64_t>(Undefined) &&
                            (type <= Bool || type == BFloat16 || type == Float8_e5m2 || type == Float8_e4m3fn ||
                             (type >= UInt16 && type <= UInt64) || type >= Float8_e8m0fnu);
  if (torch_has_it) return type;
  for (const DtypeCode& dtype : dtype_codes) {
    if (dtype.code == code && dtype.held_as != Undefined) return dtype.held_as;
  }
  require(false, "no dtype of an NPU has the code ", code);
  return Undefined;
}

inline ScalarType dtype_of_optional_code(std::optional<std::int64_t> code) {
  require(code.has_value(), "the code of a dtype must be given");
  return dtype_of_code(*code);
}

}  // namespace opwright::upstream
