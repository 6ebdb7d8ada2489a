// Padding, pooling, and columns of windows.
#pragma once

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {
namespace detail {

inline void require_length(std::span<const std::int64_t> list, std::string_view name, std::size_t length) {
  require(list.size() == length, name, " must have ", static_cast<std::int64_t>(length), " elements, got ",
          static_cast<std::int64_t>(list.size()));
}

/// The last `spatial` dimensions grow by pairs of padding, the last dimension first.
template <class Int>
Sizes<Int> padded(const Tensor<Int>& self, std::span<const std::int64_t> padding, std::int64_t spatial) {
  require_length(padding, "padding", static_cast<std::size_t>(2 * spatial));
  require(self.dim() == spatial + 1 || self.dim() == spatial + 2, "self must have ", spatial + 1, " or ", spatial + 2,
          " dimensions, got ", self.dim());
  Sizes<Int> sizes = self.shape;
  for (std::int64_t i = 0; i < spatial; ++i) {
    Int& size = sizes[static_cast<std::size_t>(self.dim() - 1 - i)];
    const auto pair = static_cast<std::size_t>(2 * i);
    size = plus(plus(size, Int(padding[pair])), Int(padding[pair + 1]));
  }
  return sizes;
}

/// The last dimensions as given, the others as they are.
template <class Int>
Sizes<Int> with_last(const Tensor<Int>& self, std::span<const std::int64_t> last) {
  Sizes<Int> sizes = leading_sizes(self, static_cast<std::int64_t>(last.size()));
  for (const std::int64_t size : last) sizes.push_back(Int(size));
  return sizes;
}

}  // namespace detail

template <class Int>
Sizes<Int> pad1d_sizes(const Tensor<Int>& self, std::span<const std::int64_t> padding) {
  return detail::padded(self, padding, 1);
}
template <class Int>
Sizes<Int> pad2d_sizes(const Tensor<Int>& self, std::span<const std::int64_t> padding) {
  return detail::padded(self, padding, 2);
}
template <class Int>
Sizes<Int> pad3d_sizes(const Tensor<Int>& self, std::span<const std::int64_t> padding) {
  return detail::padded(self, padding, 3);
}

template <class Int>
Sizes<Int> adaptive_avg_pool3d_sizes(const Tensor<Int>& self, std::span<const std::int64_t> output_size) {
  require(self.dim() == 4 || self.dim() == 5, "self must have 4 or 5 dimensions, got ", self.dim());
  for (std::int64_t i = 1; i < self.dim(); ++i) {
    require(expect_gt(self.size(i), Int(0)), "dimension ", i, " of self must not be empty");
  }
  require(output_size.size() >= 3, "output_size must have at least 3 elements, got ",
          static_cast<std::int64_t>(output_size.size()));
  return detail::with_last(self, output_size.first(3));
}

/// Of other ranks, the input's own sizes.
template <class Int>
Sizes<Int> max_pool2d_sizes(const Tensor<Int>& self, std::span<const std::int64_t> output_size) {
  const bool pooled = (self.dim() == 3 || self.dim() == 4) && output_size.size() == 2;
  return pooled ? detail::with_last(self, output_size) : self.shape;
}

/// Of other ranks, no dimensions.
template <class Int>
Sizes<Int> max_pool3d_sizes(const Tensor<Int>& self, std::span<const std::int64_t> output_size) {
  if (self.dim() != 4 && self.dim() != 5) return {};
  require(output_size.size() >= 3, "output_size must have at least 3 elements, got ",
          static_cast<std::int64_t>(output_size.size()));
  return detail::with_last(self, output_size.first(3));
}

template <class Int>
Sizes<Int> upsample_nearest2d_sizes(const Tensor<Int>& input, std::span<const std::int64_t> output_size) {
  require(input.dim() >= 2, "input must have at least 2 dimensions, got ", input.dim());
  require(output_size.size() >= 2, "output_size must have at least 2 elements, got ",
          static_cast<std::int64_t>(output_size.size()));
  return {input.size(0), input.size(1), Int(output_size[0]), Int(output_size[1])};
}

/// The image whose windows are the columns of grad_output.
template <class Int>
Sizes<Int> im2col_backward_sizes(const Tensor<Int>& grad_output, std::span<const std::int64_t> input_size,
                                 std::span<const std::int64_t> kernel_size) {
  require(grad_output.dim() == 2 || grad_output.dim() == 3, "grad_output must have 2 or 3 dimensions, got ",
          grad_output.dim());
  for (int i = -2; i < 0; ++i) {
    require(expect_ne(grad_output.size(i), Int(0)), "dimension ", i, " of grad_output must not be empty");
  }
  detail::require_length(input_size, "input_size", 2);
  detail::require_length(kernel_size, "kernel_size", 2);
  require(kernel_size[0] > 0 && kernel_size[1] > 0, "kernel_size must be positive");
  Sizes<Int> sizes;
  if (grad_output.dim() == 3) sizes.push_back(grad_output.size(0));
  sizes.push_back(divide(grad_output.size(-2), times(Int(kernel_size[0]), Int(kernel_size[1]))));
  for (const std::int64_t size : input_size) sizes.push_back(Int(size));
  return sizes;
}

}  // namespace opwright::upstream
