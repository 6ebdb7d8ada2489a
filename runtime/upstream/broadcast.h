// Sizes that operands have in common once those of size 1 are repeated.
//
// Semantics: PyTorch's broadcasting; clamp, isclose, addr, cdist and triangular_solve are built on it.
#pragma once

#include <algorithm>

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

template <class Int>
Sizes<Int> broadcast_sizes(const Sizes<Int>& a, const Sizes<Int>& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  Sizes<Int> result;
  for (std::size_t i = 0; i < rank; ++i) {
    if (i + a.size() < rank) {
      result.push_back(b[i]);
    } else if (i + b.size() < rank) {
      result.push_back(a[i]);
    } else {
      const Int& x = a[i + a.size() - rank];
      const Int& y = b[i + b.size() - rank];
      if (x == Int(1)) {
        result.push_back(y);
      } else if (y == Int(1)) {
        result.push_back(x);
      } else {
        require(expect_eq(x, y), "sizes ", Integer<Int>::text(x), " and ", Integer<Int>::text(y), " of dimension ",
                static_cast<std::int64_t>(i), " do not broadcast");
        result.push_back(x);
      }
    }
  }
  return result;
}

template <class Int>
Sizes<Int> broadcast(const Tensor<Int>& a, const Tensor<Int>& b) {
  return broadcast_sizes(a.shape, b.shape);
}
template <class Int>
Sizes<Int> broadcast_sizes_and_tensor(const Sizes<Int>& a, const Tensor<Int>& b) {
  return broadcast_sizes(a, b.shape);
}

template <class Int>
Sizes<Int> clamp_sizes(const Tensor<Int>& self, const std::optional<Tensor<Int>>& min,
                       const std::optional<Tensor<Int>>& max) {
  require(min || max, "min or max must be given");
  const Sizes<Int> sizes = min ? broadcast_sizes(self.shape, min->shape) : self.shape;
  return max ? broadcast_sizes(sizes, max->shape) : sizes;
}

/// As of torch 2.12; earlier ones did not broadcast floating-point operands with equal_nan.
template <class Int>
Sizes<Int> isclose_sizes(const Tensor<Int>& self, const Tensor<Int>& other, double rtol, double atol, bool) {
  require(rtol >= 0, "rtol must not be negative, got ", rtol);
  require(atol >= 0, "atol must not be negative, got ", atol);
  return broadcast(self, other);
}

/// self + vec1 outer vec2.
template <class Int>
Sizes<Int> addr_sizes(const Tensor<Int>& self, const Tensor<Int>& vec1, const Tensor<Int>& vec2) {
  return broadcast_sizes(self.shape, Sizes<Int>{vec1.size(0), vec2.size(0)});
}

/// Distances between the rows of x1 and those of x2.
template <class Int>
Sizes<Int> cdist_sizes(const Tensor<Int>& x1, const Tensor<Int>& x2) {
  require(x1.dim() >= 2, "x1 must have at least 2 dimensions, got ", x1.dim());
  require(x2.dim() >= 2, "x2 must have at least 2 dimensions, got ", x2.dim());
  Sizes<Int> sizes = broadcast_sizes(leading_sizes(x1, 2), leading_sizes(x2, 2));
  sizes.push_back(x1.size(-2));
  sizes.push_back(x2.size(-2));
  return sizes;
}

/// The solution and the coefficients, with common batches.
template <class Int>
std::vector<Sizes<Int>> triangular_solve_sizes(const Tensor<Int>& self, const Tensor<Int>& a) {
  require(self.dim() >= 2, "self must have at least 2 dimensions, got ", self.dim());
  require(a.dim() >= 2, "A must have at least 2 dimensions, got ", a.dim());
  require(expect_eq(a.size(-1), a.size(-2)), "A must be square, got ", Integer<Int>::text(a.size(-2)), " by ",
          Integer<Int>::text(a.size(-1)));
  require(expect_eq(a.size(-2), self.size(-2)), "A and self must have as many rows, got ",
          Integer<Int>::text(a.size(-2)), " and ", Integer<Int>::text(self.size(-2)));
  const Sizes<Int> batches = broadcast_sizes(leading_sizes(self, 2), leading_sizes(a, 2));
  std::vector<Sizes<Int>> results(2, batches);
  for (int i = -2; i < 0; ++i) {
    results[0].push_back(self.size(i));
    results[1].push_back(a.size(i));
  }
  return results;
}

}  // namespace opwright::upstream
