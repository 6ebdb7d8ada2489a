// FAMILY/STEM.infer.h: the one place of every check, message, size and dtype. A template over the integer type, so that
// CPU, Meta, NPU and the software NPU cannot disagree. Torch-free.
//
// Order: required tensors, optional tensors (or what stands for them), absent scalars, formulas of dims, dimensions
// that are given by expressions, rules, results. Each step uses values of the steps before it only.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "emit/code_writer.h"
#include "emit/cpp_expression.h"
#include "emit/cpp_types.h"
#include "emit/emitters.h"
#include "emit/inference.h"
#include "model/names_in.h"

namespace opwright::emit {
namespace {

using model::Argument;
using model::Dim;
using model::DtypeRule;
using model::NamedDim;
using model::Operator;
using model::Result;
using model::TensorRule;

class InferenceWriter {
 public:
  InferenceWriter(CodeWriter& out, const Operator& op)
      : out_(out),
        op_(op),
        printer_(op, {.integer = "Int",
                      .name = [this](const std::string& name) { return op_.dim(name) ? "*" + name : name; },
                      .pack = [](const std::string& name) { return name; },
                      .tensor = [](const std::string& name) { return name; },
                      .dtype = [](const std::string& name) { return name + ".dtype"; }}) {}

  /// The type of the answer: dims and results.
  void write_answer() {
    out_.line();
    out_.line("template <class Int>");
    out_.open(fmt::format("struct {} {{", op_.name));
    std::vector<std::string> sizes;
    for (const NamedDim* dim : known_dims(op_, /*packs=*/false)) sizes.push_back(dim->name);
    if (!sizes.empty()) out_.list("Int ", sizes, ";");
    for (const NamedDim* dim : known_dims(op_, /*packs=*/true)) out_.line(fmt::format("Sizes<Int> {};", dim->name));
    for (const Argument& argument : op_.arguments) {
      if (is_resolved(argument)) out_.line(fmt::format("{} {};", resolved_type(argument), argument.name()));
    }
    for (const Result& result : op_.results) out_.line(fmt::format("ResultInfo<Int> {};", result.name));
    out_.close("};");
  }

  void write_function() {
    write_signature();
    write_names();
    write_arguments();
    write_absent_scalars();
    write_formulas();
    write_given_dimensions();
    write_rules();
    write_return();
    out_.close("}");
  }

 private:
  static std::string line_of(const SourceRange& where) { return fmt::format("line {}", where.begin.line); }

  static std::string resolved_type(const Argument& argument) {
    Argument required = argument;
    required.schema.type.optional = false;
    const std::string type = inference_type(required);
    return type == "const Int&" ? "Int" : type;
  }

  void write_signature() {
    out_.line();
    out_.comment("///", fmt::format("{}, declared at {}:{}", op_.name, op_.path, op_.where.begin.line));
    out_.line("template <class Int>");
    std::vector<std::string> parameters;
    for (const Argument* argument : inference_arguments(op_)) {
      const std::string prefix = is_resolved(*argument) ? "given_" : "";
      parameters.push_back(inference_type(*argument) + " " + prefix + argument->name());
    }
    for (const NamedDim* dim : given_dims(op_)) {
      parameters.push_back(fmt::format("const std::optional<Int>& given_{} = std::nullopt", dim->name));
    }
    out_.list(fmt::format("inference::{0}<Int> {0}(", op_.name), parameters, ") {");
    out_.indent();
    out_.line(fmt::format("const Checks<Int> check({});", literal(op_.name)));
  }

  /// Type sets that arguments have, and dims.
  void write_names() {
    std::vector<std::string> types;
    for (const model::TypeSet& type : op_.types) {
      if (!is_of_an_argument(type)) continue;
      std::vector<std::string> members;
      for (const Dtype member : type.members) members.push_back(spelled(member));
      out_.list(fmt::format("static constexpr Dtype {}_dtypes[] = {{", type.name), members, "};", line_of(type.where));
      types.push_back(fmt::format("{0}{{\"{0}\", {0}_dtypes}}", type.name));
    }
    if (!types.empty()) out_.list("Type ", types, ";");
    std::vector<std::string> sizes;
    std::vector<std::string> packs;
    for (const NamedDim& dim : op_.dims) (dim.pack ? packs : sizes).push_back(fmt::format("{0}{{\"{0}\"}}", dim.name));
    if (!sizes.empty()) out_.list("Dim<Int> ", sizes, ";");
    if (!packs.empty()) out_.list("Pack<Int> ", packs, ";");
    out_.line();
  }

  bool is_of_an_argument(const model::TypeSet& type) const {
    return std::any_of(op_.arguments.begin(), op_.arguments.end(), [&](const Argument& argument) {
      return argument.tensor && argument.tensor->dtype.from == DtypeRule::From::type_set &&
             argument.tensor->dtype.name == type.name;
    });
  }

  /// Whether the dimension gives a dim its value, or is compared with it at once.
  bool is_bare(const Dim& dim) const {
    if (dim.size.expr->kind != ExprKind::name) return false;
    const NamedDim* named = op_.dim(dim.size.expr->text);
    return named && !named->formula;
  }

  std::string pattern_item(const Dim& dim) const {
    const std::string text = to_string(*dim.size.expr);
    const bool pack = dim.what == Dim::What::pack;
    if (!is_bare(dim)) return fmt::format("{}{{{}}}", pack ? "LaterPack" : "Later", literal(text));
    return dim.optional ? fmt::format("Trailing{{{}}}", text) : text;
  }

  static std::string dtype_text(const DtypeRule& rule) {
    switch (rule.from) {
      case DtypeRule::From::type_set:
        return rule.name;
      case DtypeRule::From::argument:
        return fmt::format("DtypeArgument{{\"{0}\", {0}}}", rule.name);
      case DtypeRule::From::fixed:
        break;
    }
    return spelled(rule.fixed);
  }

  void write_argument(const Argument& argument) {
    std::vector<std::string> parts = {literal(argument.name()), argument.name(), dtype_text(argument.tensor->dtype)};
    for (const Dim& dim : argument.tensor->dims) parts.push_back(pattern_item(dim));
    out_.list("check.argument(", parts, ");", line_of(argument.tensor->where));
  }

  void write_arguments() {
    for (const Argument& argument : op_.arguments) {
      if (argument.tensor && !argument.optional_tensor) write_argument(argument);
    }
    for (const Argument& argument : op_.arguments) {
      if (!argument.optional_tensor) continue;
      out_.open(fmt::format("if ({}.present) {{", argument.name()));
      write_argument(argument);
      if (!argument.dims_when_absent.empty()) {
        out_.between("} else {  // " + line_of(argument.absent_where));
        for (const auto& [dim, value] : argument.dims_when_absent) write_define(dim, *value.expr);
      }
      out_.close("}");
    }
  }

  void write_define(const std::string& dim, const Expr& formula) {
    out_.list("check.define(",
              {dim, literal(to_string(formula)), fmt::format("[&] {{ return {}; }}", printer_.value(formula))}, ");");
  }

  void write_absent_scalars() {
    for (const Argument& argument : op_.arguments) {
      if (!is_resolved(argument)) continue;
      out_.line(fmt::format("const {0} {1} = given_{1} ? *given_{1} : {2};", resolved_type(argument), argument.name(),
                            printer_.value(*argument.when_absent->expr)),
                line_of(argument.absent_where));
    }
  }

  void write_formulas() {
    const auto given = given_dims(op_);
    for (const NamedDim& dim : op_.dims) {
      if (!dim.formula) continue;
      if (std::find(given.begin(), given.end(), &dim) == given.end()) {
        write_define(dim.name, *dim.formula->expr);
        continue;
      }
      out_.open(fmt::format("if (given_{}) {{", dim.name));
      out_.line(fmt::format("{0}.value = given_{0};", dim.name));
      out_.between("} else {");
      write_define(dim.name, *dim.formula->expr);
      out_.close("}");
    }
  }

  void write_given_dimensions() {
    for (const Argument& argument : op_.arguments) {
      if (!argument.tensor) continue;
      const auto& dims = argument.tensor->dims;
      std::vector<std::string> prefixes;
      std::vector<std::vector<std::string>> checks;
      const auto pack = std::find_if(dims.begin(), dims.end(), [](const Dim& d) { return d.what == Dim::What::pack; });
      for (auto dim = dims.begin(); dim != dims.end(); ++dim) {
        if (is_bare(*dim)) continue;
        const Expr& size = *dim->size.expr;
        const bool is_pack = dim->what == Dim::What::pack;
        const auto from_front = dim - dims.begin();
        const auto from_end = dim - dims.end();
        std::vector<std::string> parts = {literal(argument.name()), argument.name()};
        if (is_pack) {
          parts.push_back(std::to_string(from_front));
          parts.push_back(std::to_string(-from_end - 1));
        } else {
          parts.push_back(std::to_string(dim > pack ? from_end : from_front));
        }
        parts.push_back(literal(to_string(size)));
        parts.push_back(fmt::format("[&] {{ return {}; }}", printer_.value(size)));
        const NamedDim* named = size.kind == ExprKind::name ? op_.dim(size.text) : nullptr;
        if (named && named->formula) parts.push_back(literal(to_string(*named->formula->expr)));
        prefixes.push_back(is_pack ? "check.pack(" : "check.size(");
        checks.push_back(std::move(parts));
      }
      if (checks.empty()) continue;
      if (argument.optional_tensor) out_.open(fmt::format("if ({}.present) {{", argument.name()));
      for (std::size_t i = 0; i < checks.size(); ++i) out_.list(prefixes[i], checks[i], ");");
      if (argument.optional_tensor) out_.close("}");
    }
  }

  /// What the message of a rule shows: dims, arguments, and what is asked of tensors, in the order of the rule.
  void collect_values(const Expr& expr, std::vector<std::string>& shown, std::set<std::string>& seen) const {
    const auto show = [&](const std::string& text, const std::string& value) {
      if (seen.insert(text).second) shown.push_back(fmt::format("{{{}, {}}}", literal(text), value));
    };
    if (expr.kind == ExprKind::name) {
      const NamedDim* dim = op_.dim(expr.text);
      const Argument* argument = op_.argument(expr.text);
      if (dim && dim->always_known && !dim->pack) show(expr.text, printer_.value(expr));
      if (argument && !argument->schema.type.list && (is_resolved(*argument) || !argument->schema.type.optional)) {
        show(expr.text, printer_.value(expr));
      }
      return;
    }
    if (expr.kind == ExprKind::call && (expr.text == "present" || expr.text == "rank" || expr.text == "dtype" ||
                                        expr.text == "numel" || expr.text == "size" || expr.text == "len")) {
      const Argument* argument = op_.argument(expr.operands[0]->text);
      const bool always_there = argument && argument->tensor && !argument->optional_tensor;
      if (expr.text == "present" || expr.text == "len" || always_there) show(to_string(expr), printer_.value(expr));
      return;
    }
    if (expr.kind == ExprKind::index) return;  // out of range while `len(list)` is what is wrong
    for (const ExprPtr& operand : expr.operands) collect_values(*operand, shown, seen);
  }

  void write_rules() {
    for (const model::Rule& rule : op_.rules) {
      const Expr& condition = *rule.require.expr;
      std::vector<std::string> values;
      std::set<std::string> seen;
      collect_values(condition, values, seen);
      out_.line();
      out_.line(fmt::format("// {}:{}", op_.path, rule.where.begin.line));
      out_.list("check.rule(",
                {literal(rule.name), literal(to_string(condition)),
                 fmt::format("[&] {{ return {}; }}", printer_.check(condition)), fmt::format("{{{}}}", join(values)),
                 literal(rule.fix)},
                ");");
    }
  }

  std::string result_dtype(const DtypeRule& rule) const {
    if (rule.from == DtypeRule::From::argument) return rule.name;
    if (rule.from == DtypeRule::From::fixed) return spelled(rule.fixed);
    const model::TypeSet& type = *op_.type_set(rule.name);
    return is_of_an_argument(type) ? "*" + rule.name : spelled(type.members.front());  // then it has no other
  }

  std::string result_text(const Result& result) const {
    if (!result.like.empty()) return fmt::format("like({})", result.like);
    std::vector<std::string> sizes;
    bool computes = false;
    for (const Dim& dim : result.tensor.dims) {
      sizes.push_back(printer_.value(*dim.size.expr));
      computes = computes || dim.size.expr->kind != ExprKind::name;
    }
    const std::string type = result_dtype(result.tensor.dtype);
    const std::string shape = computes ? fmt::format("[&] {{ return shape<Int>({}); }}", join(sizes))
                                       : fmt::format("shape<Int>({})", join(sizes));
    const std::string present = fmt::format("check.result({}, {}, {})", literal(result.name), type, shape);
    if (!result.when) return present;
    return fmt::format("{} ? {} : ResultInfo<Int>{{}}", printer_.test(*result.when->expr), present);
  }

  void write_return() {
    out_.line();
    out_.open("return {", 4);
    for (const NamedDim* dim : known_dims(op_, /*packs=*/false)) out_.line(fmt::format(".{0} = *{0},", dim->name));
    for (const NamedDim* dim : known_dims(op_, /*packs=*/true)) {
      out_.line(fmt::format(".{0} = Sizes<Int>(*{0}),", dim->name));
    }
    for (const Argument& argument : op_.arguments) {
      if (is_resolved(argument)) out_.line(fmt::format(".{0} = {0},", argument.name()));
    }
    for (const Result& result : op_.results) {
      out_.line(fmt::format(".{} = {},", result.name, result_text(result)), line_of(result.where));
    }
    out_.close("};");
  }

  CodeWriter& out_;
  const Operator& op_;
  ExpressionPrinter printer_;
};

}  // namespace

Artefact infer(const Declaration& declaration) {
  CodeWriter out;
  out.line(banner("//", declaration.path));
  out.line("#pragma once");
  out.line();
  out.line("#include \"runtime/checks.h\"");
  out.line();
  out.comment("//", "What inference answers.");
  out.line("namespace opwright::inference {");
  for (const Operator* op : declaration.operators) InferenceWriter(out, *op).write_answer();
  out.line();
  out.line("}  // namespace opwright::inference");
  out.line();
  out.line("namespace opwright::infer {");
  for (const Operator* op : declaration.operators) InferenceWriter(out, *op).write_function();
  out.line();
  out.line("}  // namespace opwright::infer");
  return {fmt::format("{}/{}.infer.h", declaration.family, declaration.stem), out.text()};
}

}  // namespace opwright::emit
