#include "emit/inference.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/code_writer.h"
#include "model/names_in.h"

namespace opwright::emit {
namespace {

using model::Argument;
using model::NamedDim;
using model::Operator;
using model::Typed;

/// Calls visit(expression) for every expression that inference evaluates.
template <class Visit>
void for_each_expression(const Operator& op, const Visit& visit) {
  const auto rule = [&](const model::TensorRule& tensor) {
    for (const model::Dim& dim : tensor.dims) visit(*dim.size.expr);
  };
  for (const Argument& argument : op.arguments) {
    if (argument.tensor) rule(*argument.tensor);
    if (argument.when_absent) visit(*argument.when_absent->expr);
    for (const auto& [dim, value] : argument.dims_when_absent) visit(*value.expr);
  }
  for (const NamedDim& dim : op.dims) {
    if (dim.formula) visit(*dim.formula->expr);
  }
  for (const model::Rule& condition : op.rules) visit(*condition.require.expr);
  for (const model::Result& result : op.results) {
    if (result.like.empty()) rule(result.tensor);
    if (result.when) visit(*result.when->expr);
  }
}

bool is_dtype_of(const model::TensorRule& rule, const std::string& name) {
  return rule.dtype.from == model::DtypeRule::From::argument && rule.dtype.name == name;
}

bool is_named(const Operator& op, const std::string& name) {
  bool named = false;
  for_each_expression(op, [&](const Expr& expr) {
    model::for_each_name(expr, [&](const Expr& found) { named = named || found.text == name; });
  });
  for (const Argument& argument : op.arguments)
    named = named || (argument.tensor && is_dtype_of(*argument.tensor, name));
  for (const model::Result& result : op.results) named = named || is_dtype_of(result.tensor, name);
  return named;
}

}  // namespace

std::vector<const Argument*> inference_arguments(const Operator& op) {
  std::vector<const Argument*> taken;
  for (const Argument& argument : op.arguments) {
    if (argument.tensor || is_resolved(argument) || is_named(op, argument.name())) taken.push_back(&argument);
  }
  return taken;
}

bool is_resolved(const Argument& argument) { return argument.when_absent.has_value(); }

std::vector<const NamedDim*> given_dims(const Operator& op) {
  std::vector<const NamedDim*> given;
  if (!op.npu) return given;
  for (const NamedDim& dim : op.dims) {
    const auto passes = [&](const Typed& argument) {
      return argument.expr->kind == ExprKind::name && argument.expr->text == dim.name;
    };
    const auto& arguments = op.npu->arguments;
    if (dim.formula && std::any_of(arguments.begin(), arguments.end(), passes)) given.push_back(&dim);
  }
  return given;
}

std::vector<const NamedDim*> known_dims(const Operator& op, bool packs) {
  std::vector<const NamedDim*> known;
  for (const NamedDim& dim : op.dims) {
    if (dim.always_known && dim.pack == packs) known.push_back(&dim);
  }
  return known;
}

bool inference_names(const Operator& op, const std::string& name) { return is_named(op, name); }

std::string pattern_text(const model::TensorRule& rule) {
  std::vector<std::string> dims;
  for (const model::Dim& dim : rule.dims) {
    const std::string size = to_string(*dim.size.expr);
    dims.push_back(dim.what == model::Dim::What::pack ? "*" + size : dim.optional ? size + "?" : size);
  }
  const bool fixed = rule.dtype.from == model::DtypeRule::From::fixed;
  return fmt::format("{}[{}]", fixed ? std::string(name(rule.dtype.fixed)) : rule.dtype.name, join(dims));
}

}  // namespace opwright::emit
