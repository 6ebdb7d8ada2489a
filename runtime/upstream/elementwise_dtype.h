// Result dtypes of element-wise operators.
#pragma once

#include "runtime/upstream/promotion.h"

namespace opwright::upstream {

template <class Int>
ScalarType abs_dtype(const Tensor<Int>& self) {
  return detail::to_real(self.dtype);
}

template <class Int>
ScalarType angle_dtype(const Tensor<Int>& self) {
  if (is_complex_type(self.dtype))
    return self.dtype == ScalarType::ComplexFloat ? ScalarType::Float : ScalarType::Double;
  return is_integral_type(self.dtype, true) ? ScalarType::Float : self.dtype;
}

template <class Int>
ScalarType polar_dtype(const Tensor<Int>& abs, const Tensor<Int>& angle) {
  const ScalarType type = promoted(abs, angle);
  const bool real = type == ScalarType::Half || type == ScalarType::Float || type == ScalarType::Double;
  return real ? detail::to_complex(type) : type;
}

namespace detail {
template <class Int, class Bound>
ScalarType clamp(const Tensor<Int>& self, const std::optional<Bound>& min, const std::optional<Bound>& max) {
  require(min || max, "min or max must be given");
  Promotion promotion;
  promotion.add(self);
  if (max) promotion.add(*max);
  if (min) promotion.add(*min);
  return promotion.result();
}
}  // namespace detail

template <class Int>
ScalarType clamp_dtype(const Tensor<Int>& self, const std::optional<Tensor<Int>>& min,
                       const std::optional<Tensor<Int>>& max) {
  return detail::clamp(self, min, max);
}
template <class Int>
ScalarType clamp_scalar_dtype(const Tensor<Int>& self, const std::optional<Scalar>& min,
                              const std::optional<Scalar>& max) {
  return detail::clamp(self, min, max);
}

}  // namespace opwright::upstream
