// Views of any strides, made into what kernels walk: dense arrays, and rows whose elements lie side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/views.h"

namespace opwright {

/// Copies the elements of `view`, in row-major order, to dense memory.
void copy_elements(const View& view, void* out);

/// The elements of a view in row-major order: the view's own memory where it is dense, a copy otherwise.
class Dense {
 public:
  explicit Dense(const View& view);
  const void* data() const { return data_; }
  template <class T>
  const T* as() const {
    return static_cast<const T*>(data_);
  }

 private:
  std::unique_ptr<std::byte[]> copy_;
  const void* data_;
};

/// The rows of a matrix, each dense. Rows may lie anywhere (slices, one row expanded to many); only a matrix whose rows
/// are not dense themselves is copied.
class Rows {
 public:
  explicit Rows(const View& matrix);
  Dtype dtype() const { return dtype_; }
  std::int64_t count() const { return count_; }
  std::int64_t length() const { return length_; }
  const std::byte* operator[](std::int64_t row) const { return data_ + row * row_bytes_; }

 private:
  Dtype dtype_;
  std::int64_t count_, length_;
  std::int64_t row_bytes_;
  std::unique_ptr<std::byte[]> copy_;
  const std::byte* data_;
};

/// The elements of an integer or bool view in row-major order, widened.
std::vector<std::int64_t> read_integers(const View& view);

/// Writes integers to an int32 or int64 result; they fit.
void write_integers(const std::vector<std::int64_t>& values, const MutableView& out);

/// The elements of a floating-point view in row-major order, widened to Wide (float or double).
template <class Wide>
std::vector<Wide> read_floats(const View& view);

/// Rounds each value once to the dtype of `out`.
template <class Wide>
void write_floats(const std::vector<Wide>& values, const MutableView& out);

}  // namespace opwright
