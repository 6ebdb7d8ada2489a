// PyTorch's type promotion: which dtype holds the values of all operands.
//
// Semantics: torch.promote_types and torch.result_type of PyTorch 2.13. Default dtype: float32.
#pragma once

#include <span>

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {
namespace detail {

constexpr bool is_quantized(ScalarType t) {
  return (t >= ScalarType::QInt8 && t <= ScalarType::QInt32) || t == ScalarType::QUInt4x2 || t == ScalarType::QUInt2x4;
}
constexpr bool is_bare_unsigned(ScalarType t) { return t >= ScalarType::UInt16 && t <= ScalarType::UInt7; }
constexpr bool is_ordinary(ScalarType t) { return t <= ScalarType::Bool || t == ScalarType::BFloat16; }

inline ScalarType to_complex(ScalarType t) {
  switch (t) {
    case ScalarType::Half:
      return ScalarType::ComplexHalf;
    case ScalarType::BFloat16:
    case ScalarType::Float:
      return ScalarType::ComplexFloat;
    case ScalarType::Double:
      return ScalarType::ComplexDouble;
    default:
      require(is_complex_type(t), torch_name(t), " has no complex counterpart");
      return t;
  }
}

constexpr ScalarType to_real(ScalarType t) {
  if (t == ScalarType::ComplexHalf) return ScalarType::Half;
  if (t == ScalarType::ComplexFloat) return ScalarType::Float;
  return t == ScalarType::ComplexDouble ? ScalarType::Double : t;
}

/// Of floating-point types among the ordinary ones.
constexpr ScalarType wider(ScalarType a, ScalarType b) {
  if (a == b) return a;
  return a == ScalarType::Double || b == ScalarType::Double ? ScalarType::Double : ScalarType::Float;
}

inline ScalarType promote_ordinary(ScalarType a, ScalarType b) {
  const bool inexact_a = is_floating_type(a) || is_complex_type(a);
  const bool inexact_b = is_floating_type(b) || is_complex_type(b);
  if (inexact_a && inexact_b) {
    const ScalarType real = wider(to_real(a), to_real(b));
    return is_complex_type(a) || is_complex_type(b) ? to_complex(real) : real;
  }
  if (inexact_a) return a;
  if (inexact_b) return b;
  if (a == ScalarType::Bool) return b;
  if (b == ScalarType::Bool) return a;
  const bool bytes = a <= ScalarType::Char && b <= ScalarType::Char;
  return bytes ? ScalarType::Short : (a < b ? b : a);
}

}  // namespace detail

/// The smallest dtype that holds both; an error where PyTorch has no rule.
inline ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == ScalarType::Undefined || b == ScalarType::Undefined) return ScalarType::Undefined;
  if (a == b) return a;
  const bool plain = !detail::is_quantized(a) && !detail::is_quantized(b) && !is_float8_type(a) && !is_float8_type(b);
  if (plain && (detail::is_bare_unsigned(a) || detail::is_bare_unsigned(b))) {
    if (is_floating_type(a)) return a;
    if (is_floating_type(b)) return b;
  }
  require(detail::is_ordinary(a) && detail::is_ordinary(b), torch_name(a), " and ", torch_name(b),
          " have no common dtype");
  return detail::promote_ordinary(a, b);
}

/// Operands in three categories: with dimensions, without, and Python numbers. A lower category counts only where its
/// kind (bool, integer, floating, complex) is above that of the higher ones.
class Promotion {
 public:
  template <class Int>
  void add(const Tensor<Int>& tensor) {
    ScalarType& category = tensor.dim() > 0 ? dims_ : tensor.wrapped_number ? numbers_ : scalars_;
    category = join(category, tensor.wrapped_number ? of_number(tensor.dtype) : tensor.dtype);
  }
  void add(const Scalar& scalar) { numbers_ = join(numbers_, of_number(scalar.type())); }

  ScalarType result() const { return combine(dims_, combine(scalars_, numbers_)); }

 private:
  static ScalarType of_number(ScalarType type) {
    if (is_complex_type(type)) return ScalarType::ComplexFloat;
    return is_floating_type(type) ? ScalarType::Float : type;
  }
  static ScalarType join(ScalarType a, ScalarType b) {
    if (a == ScalarType::Undefined) return b;
    return b == ScalarType::Undefined ? a : promote_types(a, b);
  }
  static ScalarType combine(ScalarType higher, ScalarType lower) {
    if (is_complex_type(higher)) return higher;
    if (is_floating_type(higher)) return is_complex_type(lower) ? detail::to_complex(higher) : higher;
    if (is_complex_type(lower)) return lower;
    if (higher == ScalarType::Bool || is_floating_type(lower)) return join(higher, lower);
    return higher == ScalarType::Undefined ? lower : higher;
  }

  ScalarType dims_ = ScalarType::Undefined;
  ScalarType scalars_ = ScalarType::Undefined;
  ScalarType numbers_ = ScalarType::Undefined;
};

template <class... Operands>
ScalarType promoted(const Operands&... operands) {
  Promotion promotion;
  (promotion.add(operands), ...);
  return promotion.result();
}

template <class Int>
ScalarType result_type(const Tensor<Int>& a, const Tensor<Int>& b) {
  return promoted(a, b);
}
template <class Int>
ScalarType result_type_with_scalar(const Tensor<Int>& a, const Scalar& b) {
  return promoted(a, b);
}
template <class Int>
ScalarType result_type_of_scalar(const Scalar& a, const Tensor<Int>& b) {
  return promoted(a, b);
}
inline ScalarType result_type_of_scalars(const Scalar& a, const Scalar& b) { return promoted(a, b); }
template <class Int>
ScalarType result_type_of_list(std::span<const Tensor<Int>> tensors) {
  require(!tensors.empty(), "no tensors have no common dtype");
  Promotion promotion;
  for (const auto& tensor : tensors) promotion.add(tensor);
  return promotion.result();
}

}  // namespace opwright::upstream
