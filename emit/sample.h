// The numbers of a declaration's `sample:`, and what follows from them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/cases.h"
#include "model/operator.h"

namespace opwright::emit {

/// Sizes by the name of a dim; of a pack, all of them.
using Sizes = std::map<std::string, std::vector<std::int64_t>, std::less<>>;

/// The dims of the sample that are chosen freely. Those that the rules give follow from them: `S == T * K`.
Sizes chosen_sizes(const model::Operator& op);

/// The values of all names when sizes are chosen and optional tensors present as given; nothing where a rule is broken.
std::optional<model::Values> sample_values(const model::Operator& op, const model::Case& which, const Sizes& chosen);

}  // namespace opwright::emit
