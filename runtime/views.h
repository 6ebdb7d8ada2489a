// Tensors as kernels see them: a pointer, a dtype, sizes and strides. No ownership, no torch.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "runtime/dtype.h"

namespace opwright {

/// Any strides, in elements; zero (expanded) and negative-free as torch makes them. An absent optional tensor has
/// `present == false`, no data and no sizes. `data` already includes the storage offset; it may be null when the tensor
/// has no elements.
template <class Pointer>
struct BasicView {
  Pointer data = nullptr;
  Dtype dtype = Dtype::float32;
  std::span<const std::int64_t> sizes;
  std::span<const std::int64_t> strides;
  bool present = false;

  int rank() const { return static_cast<int>(sizes.size()); }
  std::int64_t size(int dim) const { return sizes[static_cast<std::size_t>(dim)]; }
  std::int64_t stride(int dim) const { return strides[static_cast<std::size_t>(dim)]; }
  std::int64_t numel() const {
    std::int64_t n = 1;
    for (auto s : sizes) n *= s;
    return n;
  }
  bool is_contiguous() const {
    std::int64_t expected = 1;
    for (int d = rank() - 1; d >= 0; --d) {
      if (size(d) != 1 && stride(d) != expected) return numel() == 0;
      expected *= size(d);
    }
    return true;
  }
  template <class T>
  auto* as() const {
    if constexpr (std::is_const_v<std::remove_pointer_t<Pointer>>)
      return static_cast<const T*>(data);
    else
      return static_cast<T*>(data);
  }
};

/// An argument.
using View = BasicView<const void*>;
/// A result. Always contiguous, never overlapping an argument; the kernel writes every element of it.
using MutableView = BasicView<void*>;

}  // namespace opwright
