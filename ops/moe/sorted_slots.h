// How the token operators read `sorted_indices`.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "kernels/indices.h"
#include "kernels/slots.h"
#include "runtime/views.h"

namespace opwright::ops {

/// The slots of `tokens` tokens. A row at `rows` or beyond was dropped by the permutation. `op` begins the message of
/// an Error about a negative row.
inline Slots sorted_slots(std::string_view op, const View& sorted_indices, std::int64_t tokens, std::int64_t choices,
                          std::int64_t rows) {
  auto row = read_indices({.op = op,
                           .argument = "sorted_indices",
                           .what = "rows",
                           .fix = "pass the sorted_indices that npu_moe_token_permute returned"},
                          sorted_indices);
  for (auto& r : row) {
    if (r >= rows) r = Slots::no_row;
  }
  return uniform_slots(tokens, choices, std::move(row));
}

}  // namespace opwright::ops
