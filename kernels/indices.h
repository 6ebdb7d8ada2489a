// Reading index arguments, whose values no check of sizes and dtypes can vouch for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/views.h"

namespace opwright {

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
