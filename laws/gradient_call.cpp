#include "laws/gradient_call.h"

#include <fmt/format.h>

#include "model/kinds.h"
#include "model/typing.h"

namespace opwright::laws {

using model::Operator;

std::vector<Misfit> misfits(const Operator& op, const Operator& gradient_op) {
  std::vector<Misfit> found;
  Diagnostics ignored;  // the formula was typed when it was read
  for (std::size_t i = 0; i < op.gradient->arguments.size(); ++i) {
    const ExprPtr& expr = op.gradient->arguments[i];
    const SchemaArgument& parameter = gradient_op.schema.arguments[i];
    const auto typed = model::type_expression(op, model::Place::gradient, expr, std::nullopt, ignored);
    const auto wanted = model::kind_of(parameter.type);
    if (!typed || !wanted) continue;
    if (typed->kind != *wanted) {
      found.push_back({i, fmt::format("`{}` is {}, but {} takes {} there: {} {}", to_string(*expr),
                                      model::with_article(typed->kind), gradient_op.name, model::with_article(*wanted),
                                      to_string(parameter.type), parameter.name)});
      continue;
    }
    const model::Argument* passed = expr->kind == ExprKind::name ? op.argument(expr->text) : nullptr;
    if (passed != nullptr && !passed->tensor && passed->ignored && !parameter.type.optional) {
      found.push_back({i, fmt::format("`{}` may be absent, but {} needs a value there: {} {}", to_string(*expr),
                                      gradient_op.name, to_string(parameter.type), parameter.name)});
    }
  }
  return found;
}

const Operator* gradient_operator(const model::Library& library, const Operator& op) {
  if (!op.gradient || op.gradient->form != model::Gradient::Form::by) return nullptr;
  const Operator* gradient_op = library.find(op.gradient->op);
  return gradient_op != nullptr && misfits(op, *gradient_op).empty() ? gradient_op : nullptr;
}

bool has_required_tensors(const Operator& gradient_op, const std::vector<model::Value>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* tensor = std::get_if<model::TensorValue>(&arguments[i]);
    if (tensor != nullptr && !tensor->present && !gradient_op.arguments[i].optional_tensor) return false;
  }
  return true;
}

std::vector<model::Value> gradient_arguments(const Operator& op, const model::Case& which, const model::Known& known) {
  model::Values values = model::values_in(op, which, known);
  for (const model::Result& result : op.results) {
    const auto tensor = model::result_in(op, which, result, values, known);
    if (const auto* undefined = std::get_if<model::Undefined>(&tensor)) {
      values[result.name] = *undefined;
    } else {
      values[result.name] = std::get<model::TensorValue>(tensor);
    }
  }
  std::vector<model::Value> arguments;
  for (const ExprPtr& argument : op.gradient->arguments) arguments.push_back(model::evaluate(*argument, values));
  return arguments;
}

}  // namespace opwright::laws
