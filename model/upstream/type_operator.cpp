#include <algorithm>
#include <utility>

#include "model/upstream/typed_operator.h"
#include "model/upstream/typing.h"

namespace opwright::upstream {
namespace {

TypedExpression typed_expression(const Expression& expression, TypingResult (*type)(const Snippet&, const Scope&),
                                 const Scope& scope) {
  TypedExpression result;
  result.source = &expression;
  if (!expression.snippet) {
    result.opaque = "it is not understood";
    return result;
  }
  TypingResult typing = type(*expression.snippet, scope);
  result.typed = std::move(typing.typed);
  result.opaque = std::move(typing.untyped.why);
  return result;
}

class OperatorTyper {
 public:
  OperatorTyper(const Operator& op, const Operator& rules) {
    typed_.source = &op;
    typed_.rules = &rules;
    for (const SchemaArgument& argument : op.schema.arguments) {
      scope_.arguments.emplace(argument.name, type_of(argument.type));
    }
  }

  TypedOperator type() {
    type_parameters();
    type_results();
    type_exec();
    return std::move(typed_);
  }

 private:
  const Operator& op() const { return *typed_.source; }
  const Generated& generated() const { return *typed_.rules->generated; }

  void type_parameters() {
    for (const NewParameter& parameter : generated().new_parameters) {
      TypedExpression value = typed_expression(parameter.value, type_snippet, scope_);
      // Later expressions read an opaque one as something that no rule looks into.
      scope_.parameters[parameter.name] = value.typed ? value.typed->type : Type{};
      typed_.parameters.push_back({parameter.name, std::move(value)});
    }
  }

  /// An in-place operator returns `self` as it is, whatever its rules say.
  bool is_in_place() const {
    const SchemaArgument* self = op().schema.find("self");
    return op().schema.name.ends_with('_') && self && !self->type.alias.empty();
  }

  void type_results() {
    if (is_in_place()) {
      typed_.results.push_back({.name = "self", .where = op().where, .size = {}, .dtype = {}, .is_argument = true});
      return;
    }
    for (const ResultRule& rule : generated().results) {
      TypedResult result;
      result.name = rule.name;
      result.where = rule.where;
      result.is_argument = op().schema.find(rule.name) != nullptr;
      if (rule.size) result.size = typed_expression(*rule.size, type_size, scope_);
      if (rule.dtype) result.dtype = typed_expression(*rule.dtype, type_dtype, scope_);
      typed_.results.push_back(std::move(result));
    }
  }

  /// A function without a list gets every argument in the order of the schema, and the results that are none of them.
  void type_exec() {
    if (!generated().exec) return;
    const Exec& exec = *generated().exec;
    typed_.function = exec.function.text;
    if (exec.arguments) {
      for (const Word& word : *exec.arguments) add_exec_argument(word.text);
      return;
    }
    for (const SchemaArgument& argument : typed_.rules->schema.arguments) add_exec_argument(argument.name);
    for (const TypedResult& result : typed_.results) {
      if (!typed_.rules->schema.find(result.name)) add_exec_argument(result.name);
    }
  }

  void add_exec_argument(const std::string& name) {
    using From = ExecArgument::From;
    if (const auto parameter = scope_.parameters.find(name); parameter != scope_.parameters.end()) {
      typed_.exec.push_back({From::parameter, name, parameter->second});
    } else if (const auto argument = scope_.arguments.find(name); argument != scope_.arguments.end()) {
      typed_.exec.push_back({From::argument, name, argument->second});
    } else {
      typed_.exec.push_back({From::result, name, {Kind::tensor}});
    }
  }

  TypedOperator typed_;
  Scope scope_;
};

bool is_known(const TypedExpression& expression) { return !expression.is_opaque(); }

}  // namespace

bool TypedOperator::sizes_and_dtypes_typed() const {
  return std::all_of(results.begin(), results.end(),
                     [](const TypedResult& result) { return is_known(result.size) && is_known(result.dtype); });
}

bool TypedOperator::fully_typed() const {
  return sizes_and_dtypes_typed() &&
         std::all_of(parameters.begin(), parameters.end(),
                     [](const TypedParameter& parameter) { return is_known(parameter.value); });
}

TypedOperator type_operator(const Operator& op, const FunctionsFile& file) {
  const Operator* rules = &op;
  if (op.generated && op.generated->inherits) {
    const Operator* inherited = file.find(op.generated->inherits->text);
    if (inherited && inherited->generated) rules = inherited;
  }
  return OperatorTyper(op, *rules).type();
}

}  // namespace opwright::upstream
