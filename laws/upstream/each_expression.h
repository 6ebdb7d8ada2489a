// Walks over the expressions of an operator.
#pragma once

#include "decl/upstream/file.h"

namespace opwright::upstream {

/// Calls `visit(snippet)` for every expression that was understood: new_params first, as the generated code has them.
template <typename Visit>
void each_expression(const Operator& op, Visit visit) {
  if (!op.generated) return;
  const auto visit_if_understood = [&](const Expression& expression) {
    if (expression.snippet) visit(*expression.snippet);
  };
  for (const NewParameter& parameter : op.generated->new_parameters) visit_if_understood(parameter.value);
  for (const ResultRule& result : op.generated->results) {
    if (result.size) visit_if_understood(*result.size);
    if (result.dtype) visit_if_understood(*result.dtype);
  }
}

}  // namespace opwright::upstream
