// Which rows of the permuted tokens belong to which token, and the three walks that the token operators are made of.
//
// A slot is one choice of a token. Token t owns the slots [first[t], first[t + 1]), and slot s points to row[s] of the
// permuted tokens, or to none. Several slots may point to one row, and none to another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/contiguous.h"
#include "runtime/views.h"

namespace opwright {

struct Slots {
  static constexpr std::int64_t no_row = -1;

  std::vector<std::int64_t> first;
  std::vector<std::int64_t> row;

  std::int64_t tokens() const { return static_cast<std::int64_t>(first.size()) - 1; }
  std::int64_t count() const { return static_cast<std::int64_t>(row.size()); }
};

/// `choices` slots for each of `tokens` tokens.
Slots uniform_slots(std::int64_t tokens, std::int64_t choices, std::vector<std::int64_t> row);

/// Slots of `owners` tokens where slot i belongs to owner[i] (which lies in [0, owners), or is negative: then the slot
/// is left out) and points to row i: each owner's rows in ascending order.
Slots slots_of_owners(std::int64_t owners, std::span<const std::int64_t> owner);

/// ranks[i] is the place of ids[i] in a stable sort of `ids`, none of which is negative.
void stable_ranks(std::span<const std::int64_t> ids, std::span<std::int32_t> ranks);

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

/// "indices[2, 1]": how messages name one element of an argument, given its place in row-major order.
std::string element_name(std::string_view argument, const View& view, std::int64_t place);

/// What the values of an index argument must be, and how to say that they are not.
struct IndexRule {
  std::string_view op, argument;
  std::string_view what;                   // "rows", "expert ids"
  std::optional<std::int64_t> limit = {};  // indices are below it
  std::string_view fix;
};

/// The indices of an argument. Throws an Error that names the first one that breaks the rule:
///
///     npu_moe_token_unpermute: sorted_indices[3] is -2; rows are 0 or greater; pass the sorted_indices that ...
std::vector<std::int64_t> read_indices(const IndexRule& rule, const View& view);

}  // namespace opwright
