// Expressions and tensor patterns back to text.
#include "decl/expression.h"
#include "decl/expression_parser.h"

namespace opwright {
namespace {

Binding binding_of(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::conditional:
      return Binding::conditional;
    case ExprKind::unary:
      return expr.text == "not" ? Binding::negation : Binding::sign;
    case ExprKind::binary:
      return opwright::binding_of(expr.text);
    default:
      return Binding::postfix;
  }
}

std::string enclosed(const Expr& expr, bool needs_parentheses) {
  return needs_parentheses ? "(" + to_string(expr) + ")" : to_string(expr);
}

std::string joined(const std::vector<ExprPtr>& items) {
  std::string text;
  for (const ExprPtr& item : items) text += (text.empty() ? "" : ", ") + to_string(*item);
  return text;
}

std::string binary_text(const Expr& expr) {
  const Binding own = binding_of(expr);
  const Binding left = binding_of(*expr.operands[0]);
  // Operators group to the left; comparisons do not group at all.
  const bool left_needs = left < own || (own == Binding::comparison && left == own);
  return enclosed(*expr.operands[0], left_needs) + " " + expr.text + " " +
         enclosed(*expr.operands[1], binding_of(*expr.operands[1]) <= own);
}

std::string to_string(const TensorPattern::Dim& dim) {
  return opwright::to_string(*dim.size) + (dim.optional ? "?" : "");
}

}  // namespace

std::string to_string(const Expr& expr) {
  const auto operand = [&](std::size_t i) -> const Expr& { return *expr.operands[i]; };
  switch (expr.kind) {
    case ExprKind::integer:
      return std::to_string(expr.value);
    case ExprKind::boolean:
      return expr.value != 0 ? "true" : "false";
    case ExprKind::name:
      return expr.text;
    case ExprKind::unary:
      return expr.text + (expr.text == "not" ? " " : "") +
             enclosed(operand(0), binding_of(operand(0)) < binding_of(expr));
    case ExprKind::binary:
      return binary_text(expr);
    case ExprKind::conditional:
      return "if " + to_string(operand(0)) + " then " + to_string(operand(1)) + " else " + to_string(operand(2));
    case ExprKind::call:
      return expr.text + "(" + joined(expr.operands) + ")";
    case ExprKind::index:
      return enclosed(operand(0), binding_of(operand(0)) < Binding::postfix) + "[" + to_string(operand(1)) + "]";
    case ExprKind::list:
      return "[" + joined(expr.operands) + "]";
    case ExprKind::spread:
      return "*" + to_string(operand(0));
  }
  return {};
}

std::string to_string(const TensorPattern& pattern) {
  std::string text = pattern.like.empty() ? pattern.dtype + "[" : "like " + pattern.like;
  if (pattern.like.empty()) {
    std::string_view separator;
    for (const TensorPattern::Dim& dim : pattern.dims) {
      text += separator;
      separator = ", ";
      text += to_string(dim);
    }
    text += "]";
  }
  if (pattern.when) text += " when " + to_string(*pattern.when);
  return text;
}

}  // namespace opwright
