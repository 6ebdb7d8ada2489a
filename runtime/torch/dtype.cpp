#include "runtime/torch/dtype.h"

#include <array>
#include <cstddef>

namespace opwright {
namespace {

// In the order of Dtype.
constexpr std::array scalar_types = {
    c10::ScalarType::Byte,   c10::ScalarType::Char,         c10::ScalarType::Short,         c10::ScalarType::Int,
    c10::ScalarType::Long,   c10::ScalarType::Half,         c10::ScalarType::BFloat16,      c10::ScalarType::Float,
    c10::ScalarType::Double, c10::ScalarType::ComplexFloat, c10::ScalarType::ComplexDouble, c10::ScalarType::Bool,
};
static_assert(scalar_types.size() == static_cast<std::size_t>(Dtype::bool_) + 1);

}  // namespace

std::optional<Dtype> from_torch(c10::ScalarType type) {
  for (std::size_t i = 0; i < scalar_types.size(); ++i) {
    if (scalar_types[i] == type) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}

c10::ScalarType to_torch(Dtype dtype) { return scalar_types[static_cast<std::size_t>(dtype)]; }

}  // namespace opwright
