#include "kernels/rows.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

// The code below the next two includes is compiled once for each CPU target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace opwright {
namespace HWY_NAMESPACE {
namespace {

/// Asks for bytes [begin, end) of a row. Rows lie anywhere in memory, and the hardware's own prefetcher starts anew on
/// every page: without this, half the time of a sum of long rows is waiting.
HWY_INLINE void fetch(const void* row, std::size_t begin, std::size_t end) {
  constexpr std::size_t line = 64;
  for (std::size_t byte = begin; byte < end; byte += line) {
    __builtin_prefetch(static_cast<const std::byte*>(row) + byte, 0, 2);
  }
}

template <class T>
HWY_INLINE FloatVector product(const Term<float>& term, std::size_t at, std::size_t count) {
  const FloatVector row = load_first(static_cast<const T*>(term.row) + at, count);
  return hn::Mul(hn::Set(Floats(), term.weight), row);
}

template <class T>
void weighted_sum_of(std::span<const Term<float>> terms, std::span<const Term<float>> next, std::size_t length, T* out,
                     Store store) {
  if (terms.empty()) {
    std::memset(out, 0, length * sizeof(T));
    return;
  }
  constexpr std::size_t vectors = 4;  // sums in flight; more would leave no registers for the loads
  constexpr std::size_t block = vectors * lanes;
  std::size_t at = 0;
  for (; at + block <= length; at += block) {
    for (const auto& term : next) fetch(term.row, at * sizeof(T), (at + block) * sizeof(T));
    FloatVector sums[vectors];
    for (std::size_t v = 0; v < vectors; ++v) sums[v] = product<T>(terms[0], at + v * lanes, lanes);
    for (const auto& term : terms.subspan(1)) {
      for (std::size_t v = 0; v < vectors; ++v) sums[v] = hn::Add(sums[v], product<T>(term, at + v * lanes, lanes));
    }
    for (std::size_t v = 0; v < vectors; ++v) save(sums[v], out + at + v * lanes, store);
  }
  for (; at < length; at += lanes) {
    const std::size_t count = std::min(lanes, length - at);
    FloatVector sum = product<T>(terms[0], at, count);
    for (const auto& term : terms.subspan(1)) sum = hn::Add(sum, product<T>(term, at, count));
    save_first(sum, out + at, count, store);
  }
}

void WeightedSum(Dtype dtype, std::span<const Term<float>> terms, std::span<const Term<float>> next,
                 std::int64_t length, void* out, Store store) {
  const auto n = static_cast<std::size_t>(length);
  switch (dtype) {
    case Dtype::float16:
      return weighted_sum_of(terms, next, n, static_cast<float16*>(out), store);
    case Dtype::bfloat16:
      return weighted_sum_of(terms, next, n, static_cast<bfloat16*>(out), store);
    default:
      return weighted_sum_of(terms, next, n, static_cast<float*>(out), store);
  }
}

/// The dot product of a and b. On the way, while a is at hand, each vector of it is given to visit(vector, place,
/// count).
template <class T, class Visit>
HWY_INLINE float dot_of(const T* a, const T* b, const T* next, std::size_t length, const Visit& visit) {
  PartialSums sums = no_sums();
  std::size_t at = 0;
  for (; at + partial_sums <= length; at += partial_sums) {
    if (next != nullptr) fetch(next, at * sizeof(T), (at + partial_sums) * sizeof(T));
    for (std::size_t v = 0; v < sum_vectors; ++v) {
      const FloatVector from_a = load(a + at + v * lanes);
      sums[v] = hn::Add(sums[v], hn::Mul(from_a, load(b + at + v * lanes)));
      visit(from_a, at + v * lanes, lanes);
    }
  }
  for (std::size_t v = 0; at < length; ++v, at += lanes) {
    const std::size_t count = std::min(lanes, length - at);
    const FloatVector from_a = load_first(a + at, count);
    sums[v] = hn::Add(sums[v], hn::Mul(from_a, load_first(b + at, count)));
    visit(from_a, at, count);
  }
  return total(sums);
}

void Dot(Dtype dtype, const void* a, const void* b, const void* next, std::size_t length, float& result) {
  const auto compute = [&]<class T>(T) {
    result = dot_of(static_cast<const T*>(a), static_cast<const T*>(b), static_cast<const T*>(next), length,
                    [](FloatVector, std::size_t, std::size_t) {});
  };
  switch (dtype) {
    case Dtype::float16:
      return compute(float16{});
    case Dtype::bfloat16:
      return compute(bfloat16{});
    default:
      return compute(float{});
  }
}

void ScaleAndDot(Dtype dtype, float weight, const void* a, const void* b, const void* next, std::size_t length,
                 void* out, Store store, float& result) {
  const auto compute = [&]<class T>(T) {
    result = dot_of(static_cast<const T*>(a), static_cast<const T*>(b), static_cast<const T*>(next), length,
                    [&](FloatVector from_a, std::size_t at, std::size_t count) HWY_ATTR {
                      const FloatVector scaled = hn::Mul(hn::Set(Floats(), weight), from_a);
                      save_first(scaled, static_cast<T*>(out) + at, count, store);
                    });
  };
  switch (dtype) {
    case Dtype::float16:
      return compute(float16{});
    case Dtype::bfloat16:
      return compute(bfloat16{});
    default:
      return compute(float{});
  }
}

void CopyStreamed(const void* row, std::int64_t bytes, void* out) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto n = static_cast<std::size_t>(bytes);
  for (std::size_t at = 0; at < n; at += hn::Lanes(d)) {
    hn::Stream(hn::LoadU(d, static_cast<const std::uint8_t*>(row) + at), d, static_cast<std::uint8_t*>(out) + at);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace opwright
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <hwy/cache_control.h>

#include "kernels/cpu_target.h"

namespace opwright {
namespace {

// When the library is loaded, before any kernel runs.
[[maybe_unused]] const bool target_chosen = (use_cpu_target_of_environment(), true);

}  // namespace

HWY_EXPORT(WeightedSum);
HWY_EXPORT(Dot);
HWY_EXPORT(ScaleAndDot);
HWY_EXPORT(CopyStreamed);

Store store_for(const void* matrix, std::int64_t rows, std::int64_t row_bytes) {
  constexpr std::int64_t line = 64, large = std::int64_t{24} << 20;
  const bool whole_lines = row_bytes % line == 0 && reinterpret_cast<std::uintptr_t>(matrix) % line == 0;
  return whole_lines && rows * row_bytes >= large ? Store::streamed : Store::cached;
}

void finish(Store store) {
  if (store == Store::streamed) hwy::FlushStream();
}

void copy_row(const void* row, std::int64_t bytes, void* out, Store store) {
  if (store == Store::streamed) {
    HWY_DYNAMIC_DISPATCH(CopyStreamed)(row, bytes, out);
  } else {
    std::memcpy(out, row, static_cast<std::size_t>(bytes));
  }
}

void weighted_sum(Dtype dtype, std::span<const Term<float>> terms, std::span<const Term<float>> next,
                  std::int64_t length, void* out, Store store) {
  HWY_DYNAMIC_DISPATCH(WeightedSum)(dtype, terms, next, length, out, store);
}

void dot(Dtype dtype, const void* a, const void* b, const void* next, std::int64_t length, float& result) {
  HWY_DYNAMIC_DISPATCH(Dot)(dtype, a, b, next, static_cast<std::size_t>(length), result);
}

void scale_and_dot(Dtype dtype, float weight, const void* a, const void* b, const void* next, std::int64_t length,
                   void* out, Store store, float& result) {
  HWY_DYNAMIC_DISPATCH(ScaleAndDot)
  (dtype, weight, a, b, next, static_cast<std::size_t>(length), out, store, result);
}

}  // namespace opwright

#endif  // HWY_ONCE
