// The names that an expression mentions.
#pragma once

#include "decl/expression.h"

namespace opwright::model {

/// Calls visit(name) for each name in the expression, from left to right. Names of functions are not among them.
template <class Visit>
void for_each_name(const Expr& expr, const Visit& visit) {
  if (expr.kind == ExprKind::name) visit(expr);
  for (const ExprPtr& operand : expr.operands) for_each_name(*operand, visit);
}

}  // namespace opwright::model
