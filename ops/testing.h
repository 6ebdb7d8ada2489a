// What the tests of operators share: tensors of every layout, and running a kernel or a reference on them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/parallel.h"
#include "ops/reference.h"
#include "runtime/error.h"
#include "runtime/views.h"

namespace opwright::testing {

using Sizes = std::vector<std::int64_t>;

inline constexpr Dtype floating_point[] = {Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::float64};

/// How the elements of a tensor lie in memory: row by row; rows apart, as in a slice; elements apart; column by column;
/// one row for all; one element for all.
enum class Layout { dense, sliced, strided, transposed, expanded_rows, expanded };
inline constexpr Layout layouts[] = {Layout::dense,      Layout::sliced,        Layout::strided,
                                     Layout::transposed, Layout::expanded_rows, Layout::expanded};

/// A tensor that owns exactly the memory that it needs, so that AddressSanitizer sees a step outside. All bytes are
/// 0xff at first: NaN, or -1.
class Tensor {
 public:
  Tensor() = default;

  Tensor(Dtype dtype, Sizes sizes, Layout layout = Layout::dense)
      : dtype_(dtype), present_(true), sizes_(std::move(sizes)), strides_(sizes_.size()) {
    std::int64_t step = layout == Layout::strided ? 2 : 1;
    const auto rank = sizes_.size();
    for (std::size_t i = 0; i < rank; ++i) {
      const std::size_t d = layout == Layout::transposed ? i : rank - 1 - i;
      strides_[d] = step;
      step *= sizes_[d];
      if (layout == Layout::sliced && i == 0) step += 3;
    }
    if (layout == Layout::expanded) std::fill(strides_.begin(), strides_.end(), 0);
    if (layout == Layout::expanded_rows && rank > 1) strides_[0] = 0;
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < rank; ++d) elements += (sizes_[d] - 1) * strides_[d];
    if (numel() == 0) elements = 0;
    bytes_ = static_cast<std::size_t>(elements * size_of(dtype));
    memory_.reset(new (std::align_val_t{64}) std::byte[bytes_]);
    std::memset(memory_.get(), 0xff, bytes_);
  }

  /// Gives the element at each place in row-major order its value.
  Tensor& fill(const std::function<double(std::int64_t)>& value) {
    for (std::int64_t place = 0; place < numel(); ++place) reference::set(result(), place, value(place));
    return *this;
  }

  Tensor& fill(std::initializer_list<double> values) {
    return fill([&](std::int64_t place) { return values.begin()[place]; });
  }

  View view() const { return {memory_.get(), dtype_, sizes_, strides_, present_}; }
  MutableView result() { return {memory_.get(), dtype_, sizes_, strides_, present_}; }
  double operator[](std::int64_t place) const { return reference::get(view(), place); }
  std::int64_t numel() const { return view().numel(); }
  Dtype dtype() const { return dtype_; }

  /// No element was written since the tensor was made.
  bool untouched() const {
    return std::all_of(memory_.get(), memory_.get() + bytes_, [](std::byte b) { return b == std::byte{0xff}; });
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { operator delete[](memory, std::align_val_t{64}); }
  };

  Dtype dtype_ = Dtype::float32;
  bool present_ = false;
  Sizes sizes_, strides_;
  std::size_t bytes_ = 0;
  std::unique_ptr<std::byte[], Free> memory_;
};

inline std::vector<double> values(const Tensor& tensor) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < tensor.numel(); ++i) result.push_back(tensor[i]);
  return result;
}

/// Multiples of 1/8 between -4 and 4: exact in every dtype, and so are sums of their products in float32.
inline double eighths(std::int64_t place) { return static_cast<double>((place * 37 + 11) % 61 - 30) / 8; }

/// Multiples of 1/16 between 0 and 1.
inline double sixteenths(std::int64_t place) { return static_cast<double>((place * 5 + 3) % 17) / 16; }

/// A result of an operator: its field in the call, and what it is.
template <class Call>
struct Result {
  MutableView Call::* field;
  Dtype dtype;
  Sizes sizes;
};

/// Runs a kernel or a reference and returns its results.
template <class Call>
std::vector<Tensor> compute(void (*function)(const Call&), Call call, const std::vector<Result<Call>>& results) {
  std::vector<Tensor> computed;
  for (const auto& result : results) {
    computed.emplace_back(result.dtype, result.sizes);
    call.*result.field = computed.back().result();
  }
  function(call);
  return computed;
}

/// Every element of every result is the same number, or NaN in both.
inline void expect_same(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected) {
  for (std::size_t r = 0; r < expected.size(); ++r) {
    for (std::int64_t i = 0; i < expected[r].numel(); ++i) {
      const double a = actual[r][i], e = expected[r][i];
      ASSERT_TRUE(a == e || (std::isnan(a) && std::isnan(e)))
          << "result " << r << ", element " << i << ": " << a << " instead of " << e;
    }
  }
}

/// Every element is the number that is nearest to the exact one, or would be if that were wrong by a few float32
/// roundings.
inline void expect_near(const Tensor& actual, const Tensor& exact) {
  for (std::int64_t i = 0; i < exact.numel(); ++i) {
    const double e = exact[i], a = actual[i];
    if (std::isnan(e) || std::isinf(e)) {
      ASSERT_TRUE(a == e || (std::isnan(a) && std::isnan(e))) << "element " << i << ": " << a << " instead of " << e;
      continue;
    }
    const reference::Format format = reference::format_of(actual.dtype());
    const int exponent = e == 0 ? format.least : std::max(std::ilogb(e), format.least);
    const double half_spacing = std::ldexp(0.5, exponent - format.precision + 1);
    const double error = std::fabs(e) * (actual.dtype() == Dtype::float64 ? 1e-14 : 6e-7);
    ASSERT_NEAR(a, e, half_spacing + error) << "element " << i;
  }
}

/// While it lives, parallel_for splits its work into as many pieces as there are threads to be, last piece first.
class Threads {
 public:
  explicit Threads(int count) {
    count_ = count;
    set_parallel_for([](std::int64_t n, std::int64_t, const std::function<void(std::int64_t, std::int64_t)>& body) {
      std::vector<std::thread> threads;
      for (std::int64_t i = count_; i-- > 0;) {
        const std::int64_t begin = n * i / count_, end = n * (i + 1) / count_;
        if (begin < end) threads.emplace_back([&body, begin, end] { body(begin, end); });
      }
      for (auto& thread : threads) thread.join();
    });
  }
  ~Threads() { set_parallel_for(nullptr); }

 private:
  static inline std::int64_t count_ = 1;
};

/// Runs the kernel on bad input: it throws an Error with exactly this text, and writes nothing.
template <class Call>
void expect_error(void (*kernel)(const Call&), Call call, const std::vector<Result<Call>>& results,
                  const std::string& message) {
  std::vector<Tensor> untouched;
  for (const auto& result : results) {
    untouched.emplace_back(result.dtype, result.sizes);
    call.*result.field = untouched.back().result();
  }
  try {
    kernel(call);
    ADD_FAILURE() << "no error; expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
  }
  for (const auto& result : untouched) EXPECT_TRUE(result.untouched());
}

/// The name of a case, for SCOPED_TRACE.
template <class... Parts>
std::string describe(const Parts&... parts) {
  std::ostringstream text;
  ((text << parts << ' '), ...);
  return text.str();
}

inline std::ostream& operator<<(std::ostream& out, Layout layout) {
  constexpr const char* names[] = {"dense", "sliced", "strided", "transposed", "expanded_rows", "expanded"};
  return out << names[static_cast<int>(layout)];
}

}  // namespace opwright::testing
