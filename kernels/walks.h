// The walks over slots that the token operators are made of.
#pragma once

#include <span>
#include <vector>

#include "kernels/contiguous.h"
#include "kernels/slots.h"
#include "runtime/views.h"

namespace opwright {

/// permuted[row[s]] = tokens[t] for each slot s of each token t. Every row of `permuted` has one slot.
void copy_to_rows(const Rows& tokens, const Slots& slots, const MutableView& permuted);

/// tokens[t] = sum of weights[s] * permuted[row[s]] over the slots s of t, in their order. No weights: ones.
template <class Wide>
void sum_rows(const Rows& permuted, const Slots& slots, std::span<const Wide> weights, const MutableView& tokens);

/// permuted[r] = sum of weights[s] * tokens[t] over the slots s that point to row r, in their order; zero without any.
template <class Wide>
void spread_to_rows(const Rows& tokens, const Slots& slots, std::span<const Wide> weights, const MutableView& permuted);

/// spread_to_rows, and for each slot the dot product of its token's row of `tokens` and its row of `other`; 0 for a
/// slot without a row.
template <class Wide>
std::vector<Wide> spread_and_dot(const Rows& tokens, const Rows& other, const Slots& slots,
                                 std::span<const Wide> weights, const MutableView& permuted);

/// Calls body(float{}) or body(double{}): the type of products and sums of operands of these dtypes.
template <class Body>
decltype(auto) with_sum_type(Dtype a, Dtype b, Body&& body) {
  if (a == Dtype::float64 || b == Dtype::float64) return body(double{});
  return body(float{});
}

}  // namespace opwright
