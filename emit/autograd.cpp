// FAMILY/autograd.cpp: for each operator with a gradient, a node of the graph and the function that makes it.
#include <fmt/format.h>

#include <algorithm>

#include "emit/code_writer.h"
#include "emit/cpp_expression.h"
#include "emit/cpp_types.h"
#include "emit/emitters.h"
#include "emit/inference.h"
#include "emit/torch_calls.h"
#include "model/names_in.h"

namespace opwright::emit {
namespace {

using model::Argument;
using model::Gradient;
using model::Operator;
using model::Result;

bool may_be_floating_point(const Operator& op, const Result& result) {
  const model::DtypeRule& rule = result.tensor.dtype;
  if (rule.from == model::DtypeRule::From::argument) return true;
  if (rule.from == model::DtypeRule::From::fixed) return is_floating_point(rule.fixed);
  const auto& members = op.type_set(rule.name)->members;
  return std::any_of(members.begin(), members.end(), is_floating_point);
}

/// The results that take part in autograd, in order: result i of them brings gradient i.
std::vector<const Result*> differentiable_results(const Operator& op) {
  const auto& excluded = op.gradient->not_differentiable;
  std::vector<const Result*> results;
  for (const Result& result : op.results) {
    const bool is_excluded = std::find(excluded.begin(), excluded.end(), result.name) != excluded.end();
    if (!is_excluded && may_be_floating_point(op, result)) results.push_back(&result);
  }
  return results;
}

std::string returned(const Operator& op) {
  std::vector<std::string> names;
  for (const Result& result : op.results) names.push_back(result.name);
  return names.size() == 1 ? names[0] : fmt::format("std::tuple({})", join(names));
}

bool is_call(const Expr& expr, std::string_view function) {
  return expr.kind == ExprKind::call && expr.text == function;
}

class AutogradWriter {
 public:
  AutogradWriter(CodeWriter& out, const Operator& op, const model::Library& library)
      : out_(out), op_(op), library_(library), printer_(op, place()) {}

  void node() {
    const Operator& gradient = gradient_op();
    out_.line();
    out_.comment("//", fmt::format("{}:{}: by {}", op_.path, op_.gradient->where.begin.line, gradient.name));
    out_.open(fmt::format("struct {0} final : Node<{0}> {{", node_name()));
    out_.line(fmt::format("static constexpr const char* op = {};", literal(op_.name)));
    std::vector<std::string> tensors;
    for (std::size_t i = 0; i < gradient.arguments.size(); ++i) {
      const Argument& parameter = gradient.arguments[i];
      const Expr& passed = *op_.gradient->arguments[i];
      if (is_call(passed, "grad")) {
        if (parameter.optional_tensor) continue;
        out_.line(fmt::format("Like {};", passed.operands[0]->text));
      } else {
        const std::string type = member_type(parameter.schema.type);
        out_.line(fmt::format("{} {}{};", type, parameter.name(), is_plain(type) ? "{}" : ""));
        if (parameter.tensor) tensors.push_back(parameter.name());
      }
    }
    out_.line();
    out_.open("auto saved() {");
    out_.list("return std::tie(", tensors, ");");
    out_.close("}");
    write_backward(gradient);
    out_.close("};");
  }

  void function() {
    write_signature();
    switch (op_.gradient->form) {
      case Gradient::Form::by:
        return write_by();
      case Gradient::Form::through:
        return write_through();
      case Gradient::Form::none:
        return write_none();
    }
  }

 private:
  ExpressionPrinter::Place place() const {
    return {.integer = "c10::SymInt",
            .name =
                [this](const std::string& name) {
                  const Argument* argument = op_.argument(name);
                  return op_.dim(name) || (argument && is_resolved(*argument)) ? "inferred." + name : name;
                },
            .pack = [](const std::string& name) { return "inferred." + name; },
            .tensor = [](const std::string& name) { return fmt::format("describe<c10::SymInt>({})", name); },
            .dtype = [](const std::string& name) { return name + ".scalar_type()"; }};
  }

  const Operator& gradient_op() const { return *library_.find(op_.gradient->op); }
  std::string node_name() const { return op_.name + "_backward"; }
  static bool is_plain(const std::string& type) {
    return type == "bool" || type == "double" || type == "std::int64_t" || type == "at::ScalarType";
  }

  void write_handle(const std::string& variable, const Operator& op) {
    out_.list(fmt::format("static const auto {} = handle<decltype(cpu::{})>(", variable, op.name),
              {literal("npu::" + op.name)}, ");");
  }

  void write_backward(const Operator& gradient) {
    out_.line();
    out_.open("variable_list backward(const variable_list& grads) {");
    write_handle("gradient", gradient);
    const auto results = differentiable_results(op_);
    std::vector<std::string> passed;
    for (std::size_t i = 0; i < gradient.arguments.size(); ++i) {
      const Argument& parameter = gradient.arguments[i];
      const Expr& expr = *op_.gradient->arguments[i];
      std::string value = parameter.name();
      if (is_call(expr, "grad")) {
        const std::string& result = expr.operands[0]->text;
        const auto found =
            std::find_if(results.begin(), results.end(), [&](const Result* r) { return r->name == result; });
        const std::string grad = fmt::format("grads[{}]", found - results.begin());
        value = parameter.optional_tensor ? fmt::format("optional_tensor({})", grad)
                                          : fmt::format("{}.grad_or_zeros({})", result, grad);
      } else if (parameter.tensor) {
        value += ".unpack(this)";
        if (parameter.optional_tensor) value = fmt::format("optional_tensor({})", value);
      } else if (parameter.schema.type.list && parameter.schema.type.optional) {
        value = fmt::format("optional_list({})", value);
      }
      passed.push_back(std::move(value));
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < op_.gradient->of.size(); ++i) names.push_back("grad_" + op_.gradient->of[i]);
    if (gradient.results.size() == 1) {
      out_.list("return {gradient.call(", passed, ")};");
    } else {
      out_.list(fmt::format("const auto [{}] = gradient.call(", join(names)), passed, ");");
      out_.line(fmt::format("return {{{}}};", join(names)));
    }
    out_.close("}");
  }

  void write_signature() {
    out_.line();
    out_.line(fmt::format("// {}:{}", op_.path, op_.where.begin.line));
    std::vector<std::string> parameters = torch_parameters(op_);
    parameters.insert(parameters.begin(), "c10::DispatchKeySet keys");
    out_.list(fmt::format("{} {}(", torch_result_type(op_), op_.name), parameters, ") {");
    out_.indent();
  }

  /// Calls the operator below autograd, as `forward()`.
  void write_forward() {
    write_handle("op", op_);
    out_.open("const auto forward = [&] {");
    out_.line("const at::AutoDispatchBelowADInplaceOrView guard;");
    std::vector<std::string> arguments = argument_names(op_);
    arguments.insert(arguments.begin(), "keys & c10::after_autograd_keyset");
    out_.list("return op.redispatch(", arguments, ");");
    out_.close("};");
  }

  void write_shortcut(const std::vector<std::string>& differentiable) {
    std::vector<std::string> arguments = differentiable;
    arguments.insert(arguments.begin(), literal(op_.name));
    out_.list("refuse_tangents(", arguments, ");");
    out_.list("if (!records(", differentiable, ")) return forward();");
  }

  /// What keeps an argument of the gradient operator: with values, or only its look.
  std::string saved(const Expr& expr) const {
    if (expr.kind == ExprKind::conditional) {
      return fmt::format("{} ? {} : {}", condition(*expr.operands[0]), saved(*expr.operands[1]),
                         saved(*expr.operands[2]));
    }
    const bool look = is_call(expr, "like");
    const std::string& name = look ? expr.operands[0]->text : expr.text;
    const Argument* argument = op_.argument(name);
    const bool optional = argument && argument->optional_tensor;
    return fmt::format("Saved::{}({})",
                       look       ? "look"
                       : argument ? "argument"
                                  : "result",
                       optional ? fmt::format("tensor_or_undefined({})", name) : name);
  }

  std::string condition(const Expr& expr) const {
    if (is_call(expr, "needs_grad") || is_call(expr, "present")) {
      return fmt::format("{}({})", expr.text, expr.operands[0]->text);
    }
    if (expr.kind == ExprKind::binary && (expr.text == "and" || expr.text == "or")) {
      return fmt::format("({} {} {})", condition(*expr.operands[0]), expr.text == "and" ? "&&" : "||",
                         condition(*expr.operands[1]));
    }
    if (expr.kind == ExprKind::unary && expr.text == "not") return "!" + condition(*expr.operands[0]);
    return printer_.test(expr);
  }

  bool names_result(const Expr& expr) const {
    bool names = false;
    model::for_each_name(expr, [&](const Expr& name) { names = names || op_.result(name.text); });
    return names;
  }
  bool needs_inference(const Expr& expr) const {
    bool needs = false;
    model::for_each_name(expr, [&](const Expr& name) {
      const Argument* argument = op_.argument(name.text);
      needs = needs || op_.dim(name.text) || (argument && is_resolved(*argument));
    });
    return needs;
  }

  /// Keeps one argument of the gradient operator in the node.
  void write_keep(const Argument& parameter, const Expr& expr) {
    const std::string member = "node->" + parameter.name();
    const SchemaType& type = parameter.schema.type;
    if (parameter.tensor) {
      out_.line(fmt::format("{} = {};", member, saved(expr)));
    } else if (type.list) {
      out_.line(fmt::format("{} = kept({});", member, expr.text));
    } else {
      out_.line(fmt::format("{} = {};", member, printer_.value(expr)));
    }
  }

  void write_inference(const std::string& variable) {
    std::vector<std::string> arguments;
    for (const Argument* argument : inference_arguments(op_)) {
      arguments.push_back(as_inference_argument(op_, *argument, "c10::SymInt"));
    }
    out_.list(fmt::format("{}infer::{}<c10::SymInt>(", variable, op_.name), arguments, ");");
  }

  void write_by() {
    const Operator& gradient = gradient_op();
    write_forward();
    write_shortcut(op_.gradient->of);
    out_.line();
    out_.list(fmt::format("const auto node = make_node<{}>(", node_name()), op_.gradient->of, ");");
    const auto& passed = op_.gradient->arguments;
    if (std::any_of(passed.begin(), passed.end(), [&](const ExprPtr& expr) { return needs_inference(*expr); })) {
      write_inference("const auto inferred = ");
    }
    for (std::size_t i = 0; i < passed.size(); ++i) {
      if (!names_result(*passed[i])) write_keep(gradient.arguments[i], *passed[i]);
    }
    write_results("forward()");
    for (std::size_t i = 0; i < passed.size(); ++i) {
      if (is_call(*passed[i], "grad")) {
        const std::string& result = passed[i]->operands[0]->text;
        if (!gradient.arguments[i].optional_tensor) out_.line(fmt::format("node->{0} = Like({0});", result));
      } else if (names_result(*passed[i])) {
        write_keep(gradient.arguments[i], *passed[i]);
      }
    }
    write_history("node");
  }

  void write_results(const std::string& call) {
    std::vector<std::string> names;
    for (const Result& result : op_.results) names.push_back(result.name);
    const bool one = names.size() == 1;
    out_.line(one ? fmt::format("const at::Tensor {} = {};", names[0], call)
                  : fmt::format("const auto [{}] = {};", join(names), call));
  }

  void write_history(const std::string& node) {
    std::vector<std::string> arguments = {node};
    for (const Result* result : differentiable_results(op_)) arguments.push_back(result->name);
    out_.list("set_history(", arguments, ");");
    out_.line(fmt::format("return {};", returned(op_)));
    out_.close("}");
  }

  void write_through() {
    const Operator& other = gradient_op();
    write_forward();
    write_shortcut(other.gradient->of);
    out_.line();
    // So that an error names the operator that was called, not the one that records.
    write_inference("");
    write_handle("recording", other);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < op_.results.size(); ++i) names.push_back(fmt::format("std::get<{}>(results)", i));
    out_.list("const auto results = recording.call(", argument_names(op_), ");");
    out_.line(fmt::format("return {};", names.size() == 1 ? names[0] : fmt::format("std::tuple({})", join(names))));
    out_.close("}");
  }

  void write_none() {
    std::vector<std::string> tensors;
    for (const Argument& argument : op_.arguments) {
      if (argument.tensor) tensors.push_back(argument.name());
    }
    write_forward();
    write_shortcut(tensors);
    out_.line();
    out_.list("const auto node = make_node<NoGradient>(", tensors, ");");
    out_.list("node->explain(", {literal(op_.name), literal(op_.gradient->reason)}, ");");
    write_results("forward()");
    write_history("node");
  }

  CodeWriter& out_;
  const Operator& op_;
  const model::Library& library_;
  ExpressionPrinter printer_;
};

}  // namespace

Artefact autograd(const Family& family, const model::Library& library) {
  CodeWriter out;
  out.line(banner("//", fmt::format("the declarations of {}/", family.name)));
  out.line("#include <ATen/core/LegacyTypeDispatch.h>");
  out.line();
  out.line(fmt::format("#include \"{}/wrappers.h\"", family.name));
  for (const Declaration& declaration : family.declarations) {
    out.line(fmt::format("#include \"{}/{}.infer.h\"", family.name, declaration.stem));
  }
  for (const char* header : {"runtime/torch/arguments.h", "runtime/torch/autograd.h", "runtime/torch/tensors.h"}) {
    out.line(fmt::format("#include \"{}\"", header));
  }
  out.line();
  out.line("namespace opwright::autograd {");
  out.line("namespace {");
  const auto each = [&](const auto& write) {
    for (const Declaration& declaration : family.declarations) {
      for (const Operator* op : declaration.operators) {
        if (op->gradient) write(AutogradWriter(out, *op, library), *op);
      }
    }
  };
  each([](AutogradWriter writer, const Operator& op) {
    if (op.gradient->form == Gradient::Form::by) writer.node();
  });
  out.line();
  out.line("}  // namespace");
  each([](AutogradWriter writer, const Operator&) { writer.function(); });
  out.line();
  out.line("}  // namespace opwright::autograd");
  return {fmt::format("{}/autograd.cpp", family.name), out.text()};
}

}  // namespace opwright::emit
