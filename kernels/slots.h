// Which rows of the permuted tokens belong to which token.
//
// A slot is one choice of a token. Token t owns the slots [begin(t), end(t)), and slot s points to row[s] of the
// permuted tokens, or to none. Several slots may point to one row, and none to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace opwright {

struct Slots {
  static constexpr std::int64_t no_row = -1;

  std::vector<std::int64_t> first;  // of each token, and behind the last token the number of slots
  std::vector<std::int64_t> row;

  std::int64_t tokens() const { return static_cast<std::int64_t>(first.size()) - 1; }
  std::int64_t count() const { return static_cast<std::int64_t>(row.size()); }
  std::size_t begin(std::int64_t token) const {
    return static_cast<std::size_t>(first[static_cast<std::size_t>(token)]);
  }
  std::size_t end(std::int64_t token) const { return begin(token + 1); }
};

/// `choices` slots for each of `tokens` tokens.
Slots uniform_slots(std::int64_t tokens, std::int64_t choices, std::vector<std::int64_t> row);

/// Slots of `owners` tokens where slot i belongs to owner[i] (which lies in [0, owners), or is negative: then the slot
/// is left out) and points to row i: each owner's rows in ascending order.
Slots slots_of_owners(std::int64_t owners, std::span<const std::int64_t> owner);

/// ranks[i] is the place of ids[i] in a stable sort of `ids`, none of which is negative.
void stable_ranks(std::span<const std::int64_t> ids, std::span<std::int32_t> ranks);

}  // namespace opwright
