// What upstream's size and dtype rules read of a call: tensors without data, scalars, the platform.
//
// `Int` is std::int64_t for tensors with data and a symbolic integer for Meta.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/error.h"
#include "runtime/integer.h"
#include "runtime/sizes.h"
#include "runtime/upstream/scalar_type.h"

namespace opwright::upstream {

/// A tensor as a rule sees it. An optional tensor that is absent is an empty std::optional, never an undefined Tensor.
template <class Int>
struct Tensor {
  ScalarType dtype = ScalarType::Float;
  Sizes<Int> shape;
  bool wrapped_number = false;  // came from a Python number: weighs less in promotion

  std::int64_t dim() const { return static_cast<std::int64_t>(shape.size()); }
  const Sizes<Int>& sizes() const { return shape; }
  ScalarType scalar_type() const { return dtype; }
  Int numel() const { return product<Int>(shape); }
  /// `dimension` counts from the end where it is negative; throws Error where the tensor has no such dimension.
  const Int& size(std::int64_t dimension) const {
    const std::int64_t wrapped = dimension < 0 ? dimension + dim() : dimension;
    if (wrapped < 0 || wrapped >= dim()) {
      throw Error("a tensor of " + std::to_string(dim()) + " dimensions has no dimension " + std::to_string(dimension));
    }
    return shape[static_cast<std::size_t>(wrapped)];
  }
};

/// The sizes of a tensor without its last `without` dimensions.
template <class Int>
Sizes<Int> leading_sizes(const Tensor<Int>& tensor, std::int64_t without) {
  Sizes<Int> sizes;
  for (std::int64_t i = 0; i + without < tensor.dim(); ++i) sizes.push_back(tensor.size(i));
  return sizes;
}

/// A Python number. Rules ask for its kind, and of few for its value.
struct Scalar {
  enum class Kind { boolean, integer, floating, complex } kind = Kind::integer;
  double value = 0;

  ScalarType type() const {
    constexpr ScalarType types[] = {ScalarType::Bool, ScalarType::Long, ScalarType::Double, ScalarType::ComplexDouble};
    return types[static_cast<int>(kind)];
  }
};

/// What rules ask of the machine they run on. The defaults are what Meta assumes, where there is none.
struct Platform {
  bool cann_at_least_8_2_rc1 = true;
  bool ascend950_or_newer = false;
  bool allow_hf32_in_convolutions = true;
};

/// Throws Error unless a precondition of a rule holds: `require(x.dim() == 2, "x must have 2 dimensions, got ",
/// x.dim())`.
template <class... Pieces>
void require(bool condition, const Pieces&... pieces) {
  if (condition) return;
  std::string message;
  const auto append = [&](const auto& piece) {
    if constexpr (requires { message += piece; } && !requires { std::to_string(piece); }) {
      message += piece;
    } else {
      message += std::to_string(piece);
    }
  };
  (append(pieces), ...);
  throw Error(message);
}

}  // namespace opwright::upstream
