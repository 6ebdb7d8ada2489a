#include "model/recipes.h"

#include <algorithm>
#include <charconv>

namespace opwright::model {
namespace {

constexpr std::string_view integers_below = "integers below ";

bool is_integer(Dtype dtype) { return dtype <= Dtype::int64; }

}  // namespace

const std::vector<std::string>& recipes() {
  static const std::vector<std::string> all = {"normal",      "uniform",          "booleans",
                                               "permutation", "integers below 4", "two true a row"};
  return all;
}

bool is_recipe(std::string_view text) {
  if (text.starts_with(integers_below)) {
    const auto limit = parse_integer(text.substr(integers_below.size()));
    return limit && *limit > 0;
  }
  return std::find(recipes().begin(), recipes().end(), text) != recipes().end();
}

bool fits(std::string_view recipe, Dtype dtype) {
  if (recipe == "normal" || recipe == "uniform") return is_floating_point(dtype);
  if (recipe == "booleans") return dtype == Dtype::bool_;
  if (recipe == "two true a row") return dtype == Dtype::bool_ || is_integer(dtype);
  return is_integer(dtype);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

}  // namespace opwright::model
