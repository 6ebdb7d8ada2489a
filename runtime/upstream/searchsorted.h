// What searchsorted checks before it searches. Values are not looked at.
#pragma once

#include <limits>

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

template <class Int>
bool searchsorted_check(const Tensor<Int>& sorted, const Tensor<Int>& self, bool out_int32, bool right,
                        const std::optional<std::string_view>& side, const std::optional<Tensor<Int>>& sorter) {
  if (side) {
    require(*side == "left" || *side == "right", "side must be left or right, got ", *side);
    require(!right || *side == "right", "side is left and right is true");
  }
  require(sorted.dim() > 0, "sorted_sequence must have at least 1 dimension, got 0");
  if (sorter) {
    require(sorter->dim() == sorted.dim(), "sorter and sorted_sequence must have the same sizes");
    for (std::int64_t i = 0; i < sorted.dim(); ++i) {
      require(expect_eq(sorter->size(i), sorted.size(i)), "sorter and sorted_sequence must have the same sizes");
    }
    require(sorter->dtype == ScalarType::Long, "sorter must be int64, got ", torch_name(sorter->dtype));
  }
  if (sorted.dim() != 1) {
    require(self.dim() == sorted.dim(), "self must have ", sorted.dim(), " dimensions as sorted_sequence has, got ",
            self.dim());
    for (std::int64_t i = 0; i + 1 < sorted.dim(); ++i) {
      require(expect_eq(self.size(i), sorted.size(i)), "self and sorted_sequence must agree in dimension ", i);
    }
  }
  if (out_int32) {
    require(expect_lt(sorted.size(-1), Int(std::numeric_limits<std::int32_t>::max())),
            "the last dimension of sorted_sequence is too long for int32");
  }
  return true;
}

template <class Int>
bool searchsorted_check_scalar(const Tensor<Int>& sorted, const Scalar&, bool out_int32, bool right,
                               const std::optional<std::string_view>& side, const std::optional<Tensor<Int>>& sorter) {
  return searchsorted_check(sorted, Tensor<Int>{sorted.dtype, {}, true}, out_int32, right, side, sorter);
}

template <class Int>
bool searchsorted_check_out(const Tensor<Int>& sorted, const Tensor<Int>& self, const Tensor<Int>& out, bool out_int32,
                            bool right, const std::optional<std::string_view>& side,
                            const std::optional<Tensor<Int>>& sorter) {
  const ScalarType wanted = out_int32 ? ScalarType::Int : ScalarType::Long;
  require(out.dtype == wanted, "out must be ", torch_name(wanted), ", got ", torch_name(out.dtype));
  return searchsorted_check(sorted, self, out_int32, right, side, sorter);
}

/// Strides are not known here, so there is nothing to warn of.
template <class Int>
bool searchsorted_warn(const Tensor<Int>&, const Tensor<Int>&, const std::optional<Tensor<Int>>&) {
  return true;
}
template <class Int>
bool searchsorted_warn_scalar(const Tensor<Int>&, const std::optional<Tensor<Int>>&) {
  return true;
}

inline bool searchsorted_right(bool right, const std::optional<std::string_view>& side) {
  return side ? *side == "right" : right;
}

}  // namespace opwright::upstream
