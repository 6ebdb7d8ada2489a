// Dtypes as integers (`int? y_dtype`): PyTorch's number below 256, 256 and aclnn's number above.
#pragma once

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

/// The dtype in which PyTorch holds it: types that PyTorch does not have are uint8.
inline ScalarType dtype_of_code(std::int64_t code) {
  using enum ScalarType;
  if (code < 256) {
    const auto type = static_cast<ScalarType>(code);
    const bool known = code >= 0 && code < static_cast<std::int64_t>(Undefined) &&
                       (type <= Bool || type == BFloat16 || type == Float8_e5m2 || type == Float8_e4m3fn ||
                        (type >= UInt16 && type <= UInt64) || type >= Float8_e8m0fnu);
    require(known, "no dtype of an NPU has the code ", code);
    return type;
  }
  switch (code - 256) {
    case 0:
      return Float;
    case 1:
      return Half;
    case 2:
      return Char;
    case 3:
      return Int;
    case 4:
      return Byte;
    case 6:
      return Short;
    case 7:
      return UInt16;
    case 8:
      return UInt32;
    case 9:
      return Long;
    case 10:
      return UInt64;
    case 11:
      return Double;
    case 12:
      return Bool;
    case 16:
      return ComplexFloat;
    case 17:
      return ComplexDouble;
    case 27:
      return BFloat16;
    case 33:
      return ComplexHalf;
    case 34:
      return Byte;  // hifloat8
    case 35:
      return Float8_e5m2;
    case 36:
      return Float8_e4m3fn;
    case 37:
      return Float8_e8m0fnu;
    case 38:  // float6_e3m2
    case 39:
      return Byte;  // float6_e2m3
    case 40:
      return Float4_e2m1fn_x2;
    case 41:
      return Byte;  // float4_e1m2
    default:
      require(false, "no dtype of an NPU has the code ", code);
      return Undefined;
  }
}

inline ScalarType dtype_of_optional_code(std::optional<std::int64_t> code) {
  require(code.has_value(), "the code of a dtype must be given");
  return dtype_of_code(*code);
}

}  // namespace opwright::upstream
