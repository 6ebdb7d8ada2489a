// Quantised results, and gathering.
#pragma once

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

/// int8, or eight 4-bit numbers in an int32.
inline ScalarType group_quant_dtype(std::optional<ScalarType> dst_dtype) {
  const ScalarType type = dst_dtype.value_or(ScalarType::Char);
  if (type == ScalarType::Char || type == ScalarType::QInt8) return ScalarType::Char;
  require(type == ScalarType::QUInt4x2, "dst_dtype must be int8, qint8 or quint4x2, got ", torch_name(type));
  return ScalarType::Int;
}

inline ScalarType dynamic_quant_dtype(std::optional<ScalarType> y_dtype) {
  const ScalarType type = y_dtype.value_or(ScalarType::Char);
  require(type == ScalarType::Char || type == ScalarType::QUInt4x2, "y_dtype must be int8 or quint4x2, got ",
          torch_name(type));
  return type == ScalarType::Char ? type : ScalarType::Int;
}

/// Of 4-bit numbers eight lie in one element.
template <class Int>
Sizes<Int> quantized_sizes(const Tensor<Int>& x, std::optional<ScalarType> dtype) {
  if (dtype != ScalarType::QUInt4x2) return x.shape;
  const Int last = x.size(-1);
  require(expect_eq(modulo(last, Int(8)), Int(0)), "the last dimension must be a multiple of 8, got ",
          Integer<Int>::text(last));
  Sizes<Int> sizes = x.shape;
  sizes[sizes.size() - 1] = divide(last, Int(8));
  return sizes;
}

/// Rows of input, one for each index.
template <class Int>
Sizes<Int> gather_sparse_index_sizes(const Tensor<Int>& input, const Tensor<Int>& index) {
  if (input.dim() == 0) return {};
  require(input.dim() + index.dim() - 1 <= 8, "the result would have ", input.dim() + index.dim() - 1,
          " dimensions, more than 8");
  Sizes<Int> sizes = index.shape;
  for (std::int64_t i = 1; i < input.dim(); ++i) sizes.push_back(input.size(i));
  return sizes;
}

}  // namespace opwright::upstream
