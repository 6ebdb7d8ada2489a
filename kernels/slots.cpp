#include "kernels/slots.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "kernels/parallel.h"
#include "kernels/rows.h"
#include "runtime/error.h"

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
  const auto end = static_cast<std::size_t>(slots.first[static_cast<std::size_t>(t) + 1]);
  for (auto s = static_cast<std::size_t>(slots.first[static_cast<std::size_t>(t)]); s < end; ++s) {
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
      const auto last = static_cast<std::size_t>(slots.first[static_cast<std::size_t>(t) + 1]);
      for (auto s = static_cast<std::size_t>(slots.first[static_cast<std::size_t>(t)]); s < last; ++s) {
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
    const auto at = static_cast<std::size_t>(t);
    std::fill(token_of_slot.begin() + slots.first[at], token_of_slot.begin() + slots.first[at + 1], t);
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

Slots uniform_slots(std::int64_t tokens, std::int64_t choices, std::vector<std::int64_t> row) {
  Slots slots;
  slots.first.resize(static_cast<std::size_t>(tokens) + 1);
  for (std::size_t t = 0; t < slots.first.size(); ++t) slots.first[t] = static_cast<std::int64_t>(t) * choices;
  slots.row = std::move(row);
  return slots;
}

Slots slots_of_owners(std::int64_t owners, std::span<const std::int64_t> owner) {
  Slots slots;
  slots.first.assign(static_cast<std::size_t>(owners) + 1, 0);
  for (const auto o : owner) {
    if (o >= 0) ++slots.first[static_cast<std::size_t>(o) + 1];
  }
  std::partial_sum(slots.first.begin(), slots.first.end(), slots.first.begin());
  slots.row.resize(static_cast<std::size_t>(slots.first.back()));
  std::vector<std::int64_t> next(slots.first.begin(), slots.first.end() - 1);
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] < 0) continue;
    auto& place = next[static_cast<std::size_t>(owner[i])];
    slots.row[static_cast<std::size_t>(place++)] = static_cast<std::int64_t>(i);
  }
  return slots;
}

void stable_ranks(std::span<const std::int64_t> ids, std::span<std::int32_t> ranks) {
  if (ids.empty()) return;
  const auto greatest = static_cast<std::size_t>(*std::max_element(ids.begin(), ids.end()));
  if (greatest < 4 * ids.size() + 65536) {
    std::vector<std::int32_t> next(greatest + 2, 0);  // of an id: the rank of its next occurrence
    for (const auto id : ids) ++next[static_cast<std::size_t>(id) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::size_t i = 0; i < ids.size(); ++i) ranks[i] = next[static_cast<std::size_t>(ids[i])]++;
    return;
  }
  // Ids so far apart that counting them would take more memory than the ids themselves.
  std::vector<std::int32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)];
  });
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    ranks[static_cast<std::size_t>(order[rank])] = static_cast<std::int32_t>(rank);
  }
}

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

std::string element_name(std::string_view argument, const View& view, std::int64_t place) {
  std::string subscripts;
  for (int d = view.rank() - 1; d >= 0; --d) {
    subscripts = std::to_string(place % view.size(d)) + (subscripts.empty() ? "" : ", ") + subscripts;
    place /= view.size(d);
  }
  return std::string(argument) + "[" + subscripts + "]";
}

std::vector<std::int64_t> read_indices(const IndexRule& rule, const View& view) {
  std::vector<std::int64_t> indices = read_integers(view);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0 && (!rule.limit || indices[i] < *rule.limit)) continue;
    throw Error(std::string(rule.op) + ": " + element_name(rule.argument, view, static_cast<std::int64_t>(i)) + " is " +
                std::to_string(indices[i]) + "; " + std::string(rule.what) + " are 0 or greater" +
                (rule.limit ? " and less than " + std::to_string(*rule.limit) : "") + "; " + std::string(rule.fix));
  }
  return indices;
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
