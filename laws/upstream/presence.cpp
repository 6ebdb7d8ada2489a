#include "laws/upstream/presence.h"

#include <algorithm>
#include <iterator>

namespace opwright::upstream {
namespace {

Names both(const Names& left, const Names& right) {
  Names names;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::inserter(names, names.end()));
  return names;
}

Names either(Names left, const Names& right) {
  left.insert(right.begin(), right.end());
  return left;
}

}  // namespace

std::string asked_presence(const Snippet& condition) {
  if (condition.kind == SnippetKind::name) return condition.text;
  if (condition.kind != SnippetKind::call) return {};
  const Snippet& asked = *condition.operands[0];
  const bool asks = (asked.kind == SnippetKind::member && (asked.text == "has_value" || asked.text == "defined")) ||
                    (asked.kind == SnippetKind::arrow && asked.text == "defined");
  return asks && asked.operands[0]->kind == SnippetKind::name ? asked.operands[0]->text : std::string();
}

Names present_when(const Snippet& condition, bool outcome) {
  if (condition.kind == SnippetKind::unary && condition.text == "!") {
    return present_when(*condition.operands[0], !outcome);
  }
  if (condition.kind == SnippetKind::binary && (condition.text == "&&" || condition.text == "||")) {
    const Names left = present_when(*condition.operands[0], outcome);
    const Names right = present_when(*condition.operands[1], outcome);
    return (condition.text == "&&") == outcome ? either(left, right) : both(left, right);
  }
  const std::string name = asked_presence(condition);
  return outcome && !name.empty() ? Names{name} : Names{};
}

std::optional<bool> outcome(const Snippet& condition, const Names& present) {
  if (condition.kind == SnippetKind::unary && condition.text == "!") {
    const std::optional<bool> operand = outcome(*condition.operands[0], present);
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  if (condition.kind == SnippetKind::binary && (condition.text == "&&" || condition.text == "||")) {
    const bool decisive = condition.text == "||";  // the outcome of one side that decides the whole
    const std::optional<bool> left = outcome(*condition.operands[0], present);
    const std::optional<bool> right = outcome(*condition.operands[1], present);
    if (left == decisive || right == decisive) return decisive;
    return left && right ? std::optional(!decisive) : std::nullopt;
  }
  const std::string name = asked_presence(condition);
  return !name.empty() && present.contains(name) ? std::optional(true) : std::nullopt;
}

}  // namespace opwright::upstream
