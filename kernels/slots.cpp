#include "kernels/slots.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace opwright {

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

}  // namespace opwright
