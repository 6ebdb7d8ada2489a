#include "kernels/contiguous.h"

#include <algorithm>
#include <cstring>

#include "kernels/element.h"
#include "kernels/parallel.h"

namespace opwright {
namespace {

/// Elements that a thread should have at least.
constexpr std::int64_t grain_elements = 32768;

/// A copy with the strides of `view` along its last dimension, and an odometer over the others.
template <class Word>
void copy_words(const View& view, Word* out) {
  const auto* in = view.as<Word>();
  const int last = view.rank() - 1;
  const std::int64_t length = view.size(last), step = view.stride(last);
  const std::int64_t lines = view.numel() / length;
  parallel_for(lines, std::max<std::int64_t>(1, grain_elements / length), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end; ++line) {
      std::int64_t offset = 0;
      for (std::int64_t rest = line, dim = last - 1; dim >= 0; --dim) {
        const auto d = static_cast<int>(dim);
        offset += rest % view.size(d) * view.stride(d);
        rest /= view.size(d);
      }
      Word* to = out + line * length;
      for (std::int64_t i = 0; i < length; ++i) to[i] = in[offset + i * step];
    }
  });
}

template <class Integer>
std::vector<std::int64_t> widened(const Dense& dense, std::int64_t n) {
  return {dense.as<Integer>(), dense.as<Integer>() + n};
}

}  // namespace

void copy_elements(const View& view, void* out) {
  if (view.numel() == 0) return;
  if (view.rank() == 0) {
    std::memcpy(out, view.data, static_cast<std::size_t>(size_of(view.dtype)));
    return;
  }
  switch (size_of(view.dtype)) {
    case 1:
      return copy_words(view, static_cast<std::uint8_t*>(out));
    case 2:
      return copy_words(view, static_cast<std::uint16_t*>(out));
    case 4:
      return copy_words(view, static_cast<std::uint32_t*>(out));
    case 8:
      return copy_words(view, static_cast<std::uint64_t*>(out));
    default:
      throw std::logic_error("complex tensors have no kernels");
  }
}

Dense::Dense(const View& view) : data_(view.data) {
  if (view.is_contiguous()) return;
  copy_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(view.numel() * size_of(view.dtype)));
  copy_elements(view, copy_.get());
  data_ = copy_.get();
}

Rows::Rows(const View& matrix)
    : dtype_(matrix.dtype),
      count_(matrix.size(0)),
      length_(matrix.size(1)),
      row_bytes_(matrix.stride(0) * size_of(matrix.dtype)),
      data_(static_cast<const std::byte*>(matrix.data)) {
  if (matrix.stride(1) == 1 || length_ <= 1 || count_ == 0) return;
  // One row expanded to many needs one copy only.
  const bool one_row = matrix.stride(0) == 0;
  const std::int64_t sizes[] = {one_row ? 1 : count_, length_};
  View copied = matrix;
  copied.sizes = sizes;
  copy_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(copied.numel() * size_of(dtype_)));
  copy_elements(copied, copy_.get());
  data_ = copy_.get();
  row_bytes_ = one_row ? 0 : length_ * size_of(dtype_);
}

std::vector<std::int64_t> read_integers(const View& view) {
  const Dense dense(view);
  const std::int64_t n = view.numel();
  switch (view.dtype) {
    case Dtype::int64:
      return widened<std::int64_t>(dense, n);
    case Dtype::int32:
      return widened<std::int32_t>(dense, n);
    case Dtype::int8:
      return widened<std::int8_t>(dense, n);
    case Dtype::bool_:
      return widened<std::uint8_t>(dense, n);
    default:
      throw std::logic_error("an integer kernel was called with another dtype");
  }
}

void write_integers(const std::vector<std::int64_t>& values, const MutableView& out) {
  if (out.dtype == Dtype::int64) {
    std::copy(values.begin(), values.end(), out.as<std::int64_t>());
  } else {
    std::transform(values.begin(), values.end(), out.as<std::int32_t>(),
                   [](std::int64_t value) { return static_cast<std::int32_t>(value); });
  }
}

template <class Wide>
std::vector<Wide> read_floats(const View& view) {
  const Dense dense(view);
  std::vector<Wide> values(static_cast<std::size_t>(view.numel()));
  visit_floating_point(view.dtype, [&]<class T>(T) {
    const T* in = dense.as<T>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Wide>(widen(in[i]));
  });
  return values;
}

template <class Wide>
void write_floats(const std::vector<Wide>& values, const MutableView& out) {
  visit_floating_point(out.dtype, [&]<class T>(T) {
    T* to = out.as<T>();
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = round_to<T>(values[i]);
  });
}

template std::vector<float> read_floats<float>(const View&);
template std::vector<double> read_floats<double>(const View&);
template void write_floats<float>(const std::vector<float>&, const MutableView&);
template void write_floats<double>(const std::vector<double>&, const MutableView&);

}  // namespace opwright
