#include "kernels/walks.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "kernels/parallel.h"
#include "kernels/rows.h"

namespace opwright {
namespace {

/// Tokens that a thread should have at least, each with `rows` rows of `length` elements to move.
std::int64_t grain(std::int64_t tokens, std::int64_t rows, std::int64_t length) {
  constexpr std::int64_t elements = 32768;
  const std::int64_t per_token = std::max<std::int64_t>(1, rows / std::max<std::int64_t>(1, tokens) * length);
  return std::max<std::int64_t>(1, elements / per_token);
}

std::byte* row_of(const MutableView& matrix, std::int64_t row) {
  return matrix.as<std::byte>() + row * matrix.size(1) * size_of(matrix.dtype);
}

Store store_of(const MutableView& matrix) {
  return store_for(matrix.data, matrix.size(0), matrix.size(1) * size_of(matrix.dtype));
}

/// One term for each slot of token t that points to a row.
template <class Wide>
void terms_of(const Rows& permuted, const Slots& slots, std::span<const Wide> weights, std::int64_t t,
              std::vector<Term<Wide>>& terms) {
  terms.clear();
  for (std::size_t s = slots.begin(t); s < slots.end(t); ++s) {
    if (slots.row[s] == Slots::no_row) continue;
    terms.push_back({permuted[slots.row[s]], weights.empty() ? Wide{1} : weights[s]});
  }
}

/// Calls body(t, s, next) for each slot s of each token t that points to a row, token by token; `next` is the row of
/// the slot behind it, or no_row. The body stores rows of `length` elements by `store`.
template <class Body>
void for_each_slot(const Slots& slots, std::int64_t length, Store store, const Body& body) {
  parallel_for(slots.tokens(), grain(slots.tokens(), slots.count(), length), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      for (std::size_t s = slots.begin(t); s < slots.end(t); ++s) {
        if (slots.row[s] == Slots::no_row) continue;
        body(t, s, s + 1 < slots.row.size() ? slots.row[s + 1] : Slots::no_row);
      }
    }
    finish(store);
  });
}

/// Zeros the rows that no slot points to, and returns true; or returns false, because several slots point to one row.
bool clear_rows_without_slot(const Slots& slots, const MutableView& permuted) {
  std::vector<bool> named(static_cast<std::size_t>(permuted.size(0)), false);
  for (const auto row : slots.row) {
    if (row == Slots::no_row) continue;
    if (named[static_cast<std::size_t>(row)]) return false;
    named[static_cast<std::size_t>(row)] = true;
  }
  const std::int64_t bytes = permuted.size(1) * size_of(permuted.dtype);
  if (bytes == 0) return true;
  parallel_for(permuted.size(0), grain(1, 1, permuted.size(1)), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      if (!named[static_cast<std::size_t>(row)]) std::memset(row_of(permuted, row), 0, static_cast<std::size_t>(bytes));
    }
  });
  return true;
}

/// The slots seen from the rows: slots whose "tokens" are the rows and whose "rows" are the tokens, with the weights in
/// the new order.
template <class Wide>
std::pair<Slots, std::vector<Wide>> transposed(const Slots& slots, std::span<const Wide> weights, std::int64_t rows) {
  Slots by_row = slots_of_owners(rows, slots.row);
  std::vector<Wide> weights_by_row;
  if (!weights.empty()) {
    weights_by_row.reserve(by_row.row.size());
    for (const auto s : by_row.row) weights_by_row.push_back(weights[static_cast<std::size_t>(s)]);
  }
  std::vector<std::int64_t> token_of_slot(slots.row.size());
  for (std::int64_t t = 0; t < slots.tokens(); ++t) {
    for (std::size_t s = slots.begin(t); s < slots.end(t); ++s) token_of_slot[s] = t;
  }
  for (auto& row : by_row.row) row = token_of_slot[static_cast<std::size_t>(row)];
  return {std::move(by_row), std::move(weights_by_row)};
}

/// spread_to_rows where several slots may point to one row: each row collects what belongs to it.
template <class Wide>
void sum_by_row(const Rows& tokens, const Slots& slots, std::span<const Wide> weights, const MutableView& permuted) {
  const auto [by_row, weights_by_row] = transposed(slots, weights, permuted.size(0));
  sum_rows<Wide>(tokens, by_row, weights_by_row, permuted);
}

}  // namespace

void copy_to_rows(const Rows& tokens, const Slots& slots, const MutableView& permuted) {
  if (permuted.numel() == 0) return;
  const Store store = store_of(permuted);
  const std::int64_t bytes = tokens.length() * size_of(tokens.dtype());
  for_each_slot(slots, tokens.length(), store, [&](std::int64_t t, std::size_t s, std::int64_t) {
    copy_row(tokens[t], bytes, row_of(permuted, slots.row[s]), store);
  });
}

template <class Wide>
void sum_rows(const Rows& permuted, const Slots& slots, std::span<const Wide> weights, const MutableView& tokens) {
  if (tokens.numel() == 0) return;
  const Store store = store_of(tokens);
  parallel_for(slots.tokens(), grain(slots.tokens(), slots.count(), permuted.length()),
               [&](std::int64_t begin, std::int64_t end) {
                 std::vector<Term<Wide>> terms, next;
                 terms_of(permuted, slots, weights, begin, next);
                 for (std::int64_t t = begin; t < end; ++t) {
                   terms.swap(next);
                   next.clear();
                   if (t + 1 < end) terms_of(permuted, slots, weights, t + 1, next);
                   weighted_sum(tokens.dtype, terms, next, permuted.length(), row_of(tokens, t), store);
                 }
                 finish(store);
               });
}

template <class Wide>
void spread_to_rows(const Rows& tokens, const Slots& slots, std::span<const Wide> weights,
                    const MutableView& permuted) {
  if (!clear_rows_without_slot(slots, permuted)) return sum_by_row(tokens, slots, weights, permuted);
  if (weights.empty()) return copy_to_rows(tokens, slots, permuted);
  if (permuted.numel() == 0) return;
  const Store store = store_of(permuted);
  for_each_slot(slots, tokens.length(), store, [&](std::int64_t t, std::size_t s, std::int64_t) {
    const Term<Wide> term{tokens[t], weights[s]};
    weighted_sum(tokens.dtype(), {&term, 1}, {}, tokens.length(), row_of(permuted, slots.row[s]), store);
  });
}

template <class Wide>
std::vector<Wide> spread_and_dot(const Rows& tokens, const Rows& other, const Slots& slots,
                                 std::span<const Wide> weights, const MutableView& permuted) {
  std::vector<Wide> dots(slots.row.size(), Wide{0});
  const std::int64_t length = tokens.length();
  if (permuted.numel() == 0) return dots;
  const auto row_or_null = [&](std::int64_t row) { return row == Slots::no_row ? nullptr : other[row]; };
  if (clear_rows_without_slot(slots, permuted)) {
    const Store store = store_of(permuted);
    for_each_slot(slots, length, store, [&](std::int64_t t, std::size_t s, std::int64_t next) {
      const std::int64_t row = slots.row[s];
      scale_and_dot(tokens.dtype(), weights[s], tokens[t], other[row], row_or_null(next), length, row_of(permuted, row),
                    store, dots[s]);
    });
  } else {
    sum_by_row(tokens, slots, weights, permuted);
    for_each_slot(slots, length, Store::cached, [&](std::int64_t t, std::size_t s, std::int64_t next) {
      dot(tokens.dtype(), tokens[t], other[slots.row[s]], row_or_null(next), length, dots[s]);
    });
  }
  return dots;
}

template void sum_rows(const Rows&, const Slots&, std::span<const float>, const MutableView&);
template void sum_rows(const Rows&, const Slots&, std::span<const double>, const MutableView&);
template void spread_to_rows(const Rows&, const Slots&, std::span<const float>, const MutableView&);
template void spread_to_rows(const Rows&, const Slots&, std::span<const double>, const MutableView&);
template std::vector<float> spread_and_dot(const Rows&, const Rows&, const Slots&, std::span<const float>,
                                           const MutableView&);
template std::vector<double> spread_and_dot(const Rows&, const Rows&, const Slots&, std::span<const double>,
                                            const MutableView&);

}  // namespace opwright
