// How `sample:` describes values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/dtype.h"

namespace opwright::model {

/// Whether the text is a recipe for a tensor.
bool is_recipe(std::string_view text);

/// Whether it makes values of this dtype.
bool fits(std::string_view recipe, Dtype dtype);

/// All recipes, as messages list them.
const std::vector<std::string>& recipes();

/// A whole decimal number, `-` in front allowed.
std::optional<std::int64_t> parse_integer(std::string_view text);

bool is_number(std::string_view text);

}  // namespace opwright::model
