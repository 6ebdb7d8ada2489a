#include <fmt/format.h>

#include <algorithm>

#include "model/draft.h"
#include "model/keys.h"

namespace opwright::model {
namespace {

bool is_rule_name(std::string_view name) {
  return name.size() > 1 && name.front() == 'C' && name[1] != '0' &&
         std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

void read_rules(Draft& draft) {
  const Node* rules = draft.mapping("rules");
  if (rules == nullptr) return;
  constexpr Key keys[] = {{"require", NodeKind::scalar, true}, {"fix", NodeKind::scalar, false}};
  int position = 0;
  for (const auto& [key, value] : rules->members) {
    ++position;
    Rule rule;
    rule.name = key.text;
    rule.where = key.where;
    if (!is_rule_name(key.text)) {
      draft.error(key.where, fmt::format("`{}` is not the number of a rule", key.text)).help =
          fmt::format("rules are numbered: `C{}`", position);
    }
    if (value.is_scalar() && !value.is_null()) {
      draft.error(value.where, fmt::format("rule {} must be a mapping of names to values", key.text)).help =
          fmt::format("write `{}: {{require: '{}'}}`", key.text, value.text);
      continue;
    }
    if (!expect_kind(value, NodeKind::mapping, fmt::format("rule {}", key.text), draft.diagnostics)) continue;
    check_keys(value, fmt::format("rule {}", key.text), key.where, keys, draft.diagnostics);
    if (const Node* fix = find(value, "fix", NodeKind::scalar)) rule.fix = fix->text;
    const Node* require = find(value, "require", NodeKind::scalar);
    if (require == nullptr || !draft.dims_read) continue;
    if (auto condition = draft.expression(Place::formula, *require, Kind::boolean)) {
      rule.require = std::move(*condition);
      draft.op.rules.push_back(std::move(rule));
    }
  }
}

}  // namespace opwright::model
