// The values that typed expressions take on.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

/// An optional argument that is not given.
struct Absent {
  friend bool operator==(const Absent&, const Absent&) = default;
};

using ConcreteTensor = Tensor<std::int64_t>;
using ConcreteSizes = Sizes<std::int64_t>;

/// int8, int32, integer and size are all std::int64_t; integers and sizes are both ConcreteSizes.
using Value = std::variant<Absent, bool, std::int64_t, double, std::string, ScalarType, Scalar, ConcreteTensor,
                           std::vector<ConcreteTensor>, std::vector<std::optional<ConcreteTensor>>, ConcreteSizes,
                           std::vector<ConcreteSizes>, std::vector<bool>, std::vector<double>, std::vector<Scalar>>;

}  // namespace opwright::upstream
