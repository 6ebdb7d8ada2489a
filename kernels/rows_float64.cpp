// The overloads of rows.h for float64: for gradcheck and for references, so plain loops.
#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/element.h"
#include "kernels/rows.h"

namespace opwright {

void weighted_sum(Dtype dtype, std::span<const Term<double>> terms, std::span<const Term<double>>, std::int64_t length,
                  void* out, Store) {
  if (terms.empty()) {
    std::memset(out, 0, static_cast<std::size_t>(length * size_of(dtype)));
    return;
  }
  visit_floating_point(dtype, [&]<class T>(T) {
    const auto product = [](const Term<double>& term, std::int64_t i) {
      return term.weight * static_cast<double>(widen(static_cast<const T*>(term.row)[i]));
    };
    for (std::int64_t i = 0; i < length; ++i) {
      double sum = product(terms[0], i);
      for (const auto& term : terms.subspan(1)) sum += product(term, i);
      static_cast<T*>(out)[i] = round_to<T>(sum);
    }
  });
}

void dot(Dtype dtype, const void* a, const void* b, const void*, std::int64_t length, double& result) {
  visit_floating_point(dtype, [&]<class T>(T) {
    // Independent sums, so that an addition need not wait for the one before it.
    std::array<double, 8> sums{};
    for (std::int64_t i = 0; i < length; ++i) {
      const auto at = static_cast<std::size_t>(i);
      sums[at % sums.size()] += static_cast<double>(widen(static_cast<const T*>(a)[i])) *
                                static_cast<double>(widen(static_cast<const T*>(b)[i]));
    }
    result = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  });
}

void scale_and_dot(Dtype dtype, double weight, const void* a, const void* b, const void* next, std::int64_t length,
                   void* out, Store store, double& result) {
  const Term<double> term{a, weight};
  weighted_sum(dtype, {&term, 1}, {}, length, out, store);
  dot(dtype, a, b, next, length, result);
}

}  // namespace opwright
