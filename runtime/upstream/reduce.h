// Sizes after dimensions are reduced, kept as 1, or replaced.
#pragma once

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

/// `dimension` counted from the front; a tensor without dimensions is taken to have one.
template <class Int>
std::int64_t wrapped_dimension(const Tensor<Int>& self, std::int64_t dimension) {
  const std::int64_t rank = self.dim() > 0 ? self.dim() : 1;
  require(dimension >= -rank && dimension < rank, "a tensor of ", self.dim(), " dimensions has no dimension ",
          dimension);
  return dimension < 0 ? dimension + rank : dimension;
}

/// Without dimensions in `dims`, all are reduced.
template <class Int>
Sizes<Int> reduce(const Tensor<Int>& self, std::span<const std::int64_t> dims, bool keepdim) {
  std::vector<bool> reduced(static_cast<std::size_t>(self.dim() > 0 ? self.dim() : 1), dims.empty());
  for (const std::int64_t dim : dims) reduced[static_cast<std::size_t>(wrapped_dimension(self, dim))] = true;
  Sizes<Int> sizes;
  for (std::size_t i = 0; i < self.shape.size(); ++i) {
    if (!reduced[i]) {
      sizes.push_back(self.shape[i]);
    } else if (keepdim) {
      sizes.push_back(Int(1));
    }
  }
  return sizes;
}

template <class Int>
Sizes<Int> reduce_last(const Tensor<Int>& self) {
  require(self.dim() >= 1, "self must have at least 1 dimension, got 0");
  return leading_sizes(self, 1);
}

/// 0, 1, … one less than the number of dimensions.
template <class Int>
std::vector<std::int64_t> all_dimensions(const Tensor<Int>& self) {
  std::vector<std::int64_t> dims;
  for (std::int64_t i = 0; i < self.dim(); ++i) dims.push_back(i);
  return dims;
}

template <class Int>
Sizes<Int> same_sizes(const Tensor<Int>& self) {
  return self.shape;
}

template <class Int>
Sizes<Int> topk_sizes(const Tensor<Int>& self, std::int64_t k, std::int64_t dim, bool, bool) {
  const std::int64_t wrapped = wrapped_dimension(self, dim);
  Sizes<Int> sizes = self.shape;
  if (sizes.size() > 0) sizes[static_cast<std::size_t>(wrapped)] = Int(k);
  return sizes;
}

/// A new dimension `dim` as long as the list.
template <class Int>
Sizes<Int> stack_sizes(std::span<const Tensor<Int>> tensors, std::int64_t dim) {
  require(!tensors.empty(), "there is nothing to stack");
  const Tensor<Int>& first = tensors[0];
  const std::int64_t rank = first.dim() + 1;
  require(dim >= -rank && dim < rank, "a stack of ", rank, " dimensions has no dimension ", dim);
  const std::int64_t at = dim < 0 ? dim + rank : dim;
  Sizes<Int> sizes;
  for (std::int64_t i = 0; i < rank; ++i) {
    sizes.push_back(i == at ? Int(static_cast<std::int64_t>(tensors.size())) : first.size(i < at ? i : i - 1));
  }
  return sizes;
}

template <class Int>
Sizes<Int> repeat_sizes(const Tensor<Int>& self, std::span<const std::int64_t> repeats) {
  const auto added = static_cast<std::int64_t>(repeats.size()) - self.dim();
  require(added >= 0, "repeats must have at least ", self.dim(), " elements, got ",
          static_cast<std::int64_t>(repeats.size()));
  Sizes<Int> sizes;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(repeats.size()); ++i) {
    const Int repeat(repeats[static_cast<std::size_t>(i)]);
    sizes.push_back(i < added ? repeat : times(self.size(i - added), repeat));
  }
  return sizes;
}

/// A diagonal of a matrix, or the matrix that has a vector as a diagonal.
template <class Int>
Sizes<Int> diag_sizes(const Tensor<Int>& self, std::int64_t diagonal) {
  const Int offset = diagonal < 0 ? minus(Int(0), Int(diagonal)) : Int(diagonal);
  if (self.dim() < 2) {
    const Int size = plus(self.size(0), offset);
    return {size, size};
  }
  const Int& cut = self.size(diagonal > 0 ? 1 : 0);
  require(expect_le(offset, cut), "the matrix has no diagonal ", diagonal);
  const Int rest = minus(cut, offset);
  return {minimum(rest, self.size(diagonal > 0 ? 0 : 1))};
}

}  // namespace opwright::upstream
