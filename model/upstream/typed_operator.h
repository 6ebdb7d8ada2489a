// An entry of op_plugin_functions.yaml whose `gen_opapi` is typed: what upstream's generator pastes, understood.
#pragma once

#include <string>
#include <vector>

#include "decl/upstream/file.h"
#include "model/upstream/typed.h"

namespace opwright::upstream {

/// An expression and what it means. Without `typed` it is opaque, and `opaque` says why, in one sentence.
struct TypedExpression {
  const Expression* source = nullptr;  // null where the YAML says nothing
  TypedPtr typed;
  std::string opaque;

  bool given() const { return source != nullptr; }
  bool is_opaque() const { return given() && !typed; }
};

/// One of new_params, in their order.
struct TypedParameter {
  std::string name;
  TypedExpression value;
};

/// A result: a new tensor, or an argument that is written to (`out`, `self` of an in-place operator).
struct TypedResult {
  std::string name;
  SourceRange where;
  TypedExpression size;   // of type sizes
  TypedExpression dtype;  // of type dtype
  bool is_argument = false;
};

/// One argument of the aclnn function.
struct ExecArgument {
  enum class From { argument, parameter, result } from = From::argument;
  std::string name;
  Type type;
};

struct TypedOperator {
  const Operator* source = nullptr;
  const Operator* rules = nullptr;  // whose `gen_opapi` it is: another's where it is inherited
  std::vector<TypedParameter> parameters;
  std::vector<TypedResult> results;
  std::string function;  // "aclnnAdd"; empty where none is named
  std::vector<ExecArgument> exec;

  bool sizes_and_dtypes_typed() const;
  bool fully_typed() const;
};

/// Calls `visit(expression)` for every expression that is given: new_params first, as the generated code has them.
template <class Visit>
void each_expression(const TypedOperator& op, Visit visit) {
  const auto visit_if_given = [&](const TypedExpression& expression) {
    if (expression.given()) visit(expression);
  };
  for (const TypedParameter& parameter : op.parameters) visit_if_given(parameter.value);
  for (const TypedResult& result : op.results) {
    visit_if_given(result.size);
    visit_if_given(result.dtype);
  }
}

/// Of an operator with a `gen_opapi`; `file` is where it may inherit from. Never fails: what has no type is opaque.
TypedOperator type_operator(const Operator& op, const FunctionsFile& file);

}  // namespace opwright::upstream
