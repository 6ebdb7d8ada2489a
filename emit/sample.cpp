#include "emit/sample.h"

#include <fmt/format.h>

#include <algorithm>

namespace opwright::emit {
namespace {

using model::Known;
using model::Operator;
using model::Polynomial;

void learn(Known& known, const Operator& op, const std::string& dim, const std::vector<std::int64_t>& sizes) {
  if (!op.dim(dim)->pack) {
    known[dim] = Polynomial(sizes.front());
    return;
  }
  known[fmt::format("rank(*{})", dim)] = Polynomial(static_cast<std::int64_t>(sizes.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) known[fmt::format("{}[{}]", dim, i)] = Polynomial(sizes[i]);
}

/// The numbers of `[4, 5]`.
std::vector<std::int64_t> numbers(const std::string& list) {
  std::vector<std::int64_t> items;
  std::size_t at = 0;
  while ((at = list.find_first_of("-0123456789", at)) != std::string::npos) {
    items.push_back(std::stoll(list.substr(at)));
    at = std::min(list.find(',', at), list.size());
  }
  return items;
}

/// Arguments that are numbers or lists of them.
Known known_arguments(const Operator& op) {
  Known known;
  for (const model::SampleValue& value : op.sample.values) {
    const std::string& text = value.recipe;
    if (text.starts_with("[")) {
      const auto items = numbers(text);
      known[fmt::format("len({})", value.name)] = Polynomial(static_cast<std::int64_t>(items.size()));
      for (std::size_t i = 0; i < items.size(); ++i) known[fmt::format("{}[{}]", value.name, i)] = Polynomial(items[i]);
    } else if (!text.empty() && text.find_first_not_of("-0123456789") == std::string::npos) {
      known[value.name] = Polynomial(std::stoll(text));
    }
  }
  return known;
}

}  // namespace

Sizes chosen_sizes(const Operator& op) {
  Sizes chosen;
  Known known = known_arguments(op);
  const model::Case ordinary = model::cases_of(op).front();
  for (const auto& [dim, sizes] : op.sample.dims) {
    if (model::with_rules(op, ordinary, known).contains(dim)) continue;
    learn(known, op, dim, sizes);
    chosen[dim] = sizes;
  }
  return chosen;
}

std::optional<model::Values> sample_values(const Operator& op, const model::Case& which, const Sizes& chosen) {
  Known known = known_arguments(op);
  for (const auto& [dim, sizes] : chosen) learn(known, op, dim, sizes);
  const model::Values values = model::values_in(op, which, model::with_rules(op, which, known));
  if (model::broken_rule(op, values) != nullptr) return std::nullopt;
  return values;
}

}  // namespace opwright::emit
