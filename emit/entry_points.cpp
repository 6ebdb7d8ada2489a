// FAMILY/entry_points.cpp: the aclnn functions of the software NPU that our kernels compute. Torch-free.
//
// Several operators may be bound to one function. The owner, whose inference the entry point uses, is one of which
// everything can be recovered from what the function is passed, and among those the one that asks for the fewest
// tensors:
//   - an argument that is passed is itself; `x or [1]` is x;
//   - an argument that is not passed, but stands bare as a dimension or the dtype of a result, is read off that result;
//   - a dim with a formula that is passed replaces the formula, and what only the formula reads is absent.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emit/code_writer.h"
#include "emit/cpp_types.h"
#include "emit/emitters.h"
#include "emit/inference.h"
#include "model/names_in.h"

namespace opwright::emit {
namespace {

using model::Argument;
using model::NamedDim;
using model::Operator;
using model::Result;

/// The name that an argument of the binding stands for: `x`, or the x of `x or [1]`.
std::string passed_name(const Expr& expr) {
  if (expr.kind == ExprKind::binary && expr.text == "or" && expr.operands[0]->kind == ExprKind::name) {
    return expr.operands[0]->text;
  }
  return expr.kind == ExprKind::name ? expr.text : "";
}

bool is_passed(const Operator& op, const std::string& name) {
  const auto& arguments = op.npu->arguments;
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const model::Typed& argument) { return passed_name(*argument.expr) == name; });
}

/// Where an argument that is not passed can be read off a result: `x.size(0)`, `x.dtype`.
std::optional<std::string> read_off_result(const Operator& op, const Argument& argument) {
  for (const Result& result : op.results) {
    if (!is_passed(op, result.name) || result.when) continue;
    const auto& dtype = result.tensor.dtype;
    if (dtype.from == model::DtypeRule::From::argument && dtype.name == argument.name()) {
      return fmt::format("given_{}.dtype", result.name);
    }
    const auto& dims = result.tensor.dims;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].what == model::Dim::What::pack) break;
      if (dims[i].size.expr->kind == ExprKind::name && dims[i].size.expr->text == argument.name()) {
        return fmt::format("size_of(given_{0}, \"{1}: {0}\", {2})", result.name, op.name, i);
      }
    }
  }
  return std::nullopt;
}

/// Whether nothing but formulas of dims that are given reads the argument.
bool only_formulas_read(const Operator& op, const Argument& argument) {
  Operator without_formulas = op;
  const auto given = given_dims(op);
  for (NamedDim& dim : without_formulas.dims) {
    const auto is_same = [&](const NamedDim* other) { return other->name == dim.name; };
    if (std::any_of(given.begin(), given.end(), is_same)) dim.formula.reset();
  }
  return argument.schema.type.optional && !inference_names(without_formulas, argument.name());
}

bool is_recoverable(const Operator& op, const Argument& argument) {
  const bool is_needed = !argument.ignored || argument.tensor;
  return !is_needed || is_passed(op, argument.name()) || read_off_result(op, argument) ||
         only_formulas_read(op, argument);
}

bool everything_is_recoverable(const Operator& op) {
  return std::all_of(op.arguments.begin(), op.arguments.end(),
                     [&](const Argument& argument) { return is_recoverable(op, argument); });
}

std::size_t required_tensors(const Operator& op) {
  return static_cast<std::size_t>(std::count_if(op.arguments.begin(), op.arguments.end(), [](const Argument& argument) {
    return argument.tensor && !argument.optional_tensor;
  }));
}

/// For each function its owner, in the order of the declarations.
std::vector<const Operator*> owners(const Family& family) {
  std::vector<const Operator*> owners;
  for (const Declaration& declaration : family.declarations) {
    for (const Operator* op : declaration.operators) {
      if (!op->npu || !everything_is_recoverable(*op)) continue;
      const auto rival = std::find_if(owners.begin(), owners.end(),
                                      [&](const Operator* other) { return other->npu->function == op->npu->function; });
      if (rival == owners.end()) {
        owners.push_back(op);
      } else if (required_tensors(*op) < required_tensors(**rival)) {
        *rival = op;
      }
    }
  }
  return owners;
}

class EntryPointWriter {
 public:
  EntryPointWriter(CodeWriter& out, const Operator& op) : out_(out), op_(op) {}

  void write() {
    const std::string& function = op_.npu->function;
    out_.line();
    out_.comment("//", fmt::format("{}:{}, for {}", op_.path, op_.npu->where.begin.line, op_.name));
    std::vector<std::string> parameters = parameters_of_binding();
    parameters.push_back("std::uint64_t* workspace_size");
    parameters.push_back("aclOpExecutor** executor");
    out_.list(fmt::format("OPWRIGHT_EXPORT int {}GetWorkspaceSize(", function), parameters, ") {");
    out_.indent();
    out_.open(fmt::format("return prepare(\"{}\", workspace_size, executor, [&](Call& call) -> Compute {{", function));
    out_.line(fmt::format("ops::{} arguments{{}};", op_.name));
    write_tensors();
    write_read_off();
    write_scalars();
    write_inference();
    write_dims();
    write_results();
    write_compute();
    out_.close("});");
    out_.close("}");
    out_.line();
    out_.list(
        fmt::format("OPWRIGHT_EXPORT int {}(", function),
        {"void* /*workspace*/", "std::uint64_t /*workspace_size*/", "aclOpExecutor* executor", "aclrtStream stream"},
        ") {");
    out_.line("  return launch(executor, stream);");
    out_.line("}");
  }

 private:
  std::vector<std::string> parameters_of_binding() const {
    std::vector<std::string> parameters;
    for (const model::Typed& passed : op_.npu->arguments) {
      const std::string name = passed_name(*passed.expr);
      if (op_.result(name)) {
        parameters.push_back("const aclTensor* " + name);
      } else if (const Argument* argument = op_.argument(name)) {
        const std::string type = entry_point_type(argument->schema.type);
        const bool read = argument->tensor || !argument->ignored || inference_names(op_, name);
        parameters.push_back(read ? type + " " + name : fmt::format("{} /*{}*/", type, name));
      } else if (const NamedDim* dim = op_.dim(name)) {
        parameters.push_back((dim->formula ? "std::int64_t " : "std::int64_t given_") + name);
      } else {
        parameters.push_back(fmt::format("{} /*{}*/", kind_type(passed.kind), to_string(*passed.expr)));
      }
    }
    return parameters;
  }

  static std::string kind_type(model::Kind kind) {
    switch (kind) {
      case model::Kind::boolean:
        return "bool";
      case model::Kind::floating:
        return "double";
      case model::Kind::integers:
        return "const aclIntArray*";
      case model::Kind::string:
        return "const char*";
      case model::Kind::dtype:
        return "int";
      default:
        return "std::int64_t";
    }
  }

  void write_tensors() {
    for (const Argument& argument : op_.arguments) {
      if (!argument.tensor) continue;
      out_.list(fmt::format("arguments.{} = call.argument(", argument.name()),
                {argument.name(), literal(op_.name), literal(argument.name())}, ");");
    }
  }

  /// Results that arguments are read off.
  void write_read_off() {
    std::set<std::string> written;
    for (const Argument& argument : op_.arguments) {
      if (argument.tensor || is_passed(op_, argument.name())) continue;
      const auto source = read_off_result(op_, argument);
      if (!source) continue;
      for (const Result& result : op_.results) {
        if (source->find("given_" + result.name) == std::string::npos || !written.insert(result.name).second) continue;
        out_.list(fmt::format("const View given_{} = call.argument(", result.name),
                  {result.name, literal(op_.name), literal(result.name)}, ");");
      }
    }
  }

  /// An argument that is no tensor, as a C++ value.
  std::string scalar(const Argument& argument) const {
    const std::string& name = argument.name();
    if (!is_passed(op_, name)) {
      return read_off_result(op_, argument).value_or("std::nullopt");
    }
    const SchemaType& type = argument.schema.type;
    if (type.list && type.optional) return fmt::format("call.ints({})", name);
    if (type.list) return fmt::format("call.ints({}).value_or(std::span<const std::int64_t>())", name);
    if (type.is("str")) return fmt::format("call.text({})", name);
    if (type.is("ScalarType")) return fmt::format("dtype_of({}, \"{}: {}\")", name, op_.name, name);
    return name;
  }

  void write_scalars() {
    for (const Argument& argument : op_.arguments) {
      if (argument.tensor || argument.ignored || is_resolved(argument)) continue;
      out_.line(fmt::format("arguments.{} = {};", argument.name(), scalar(argument)));
    }
  }

  void write_inference() {
    std::vector<std::string> passed;
    for (const Argument* argument : inference_arguments(op_)) {
      if (argument->tensor) {
        passed.push_back(fmt::format("describe(arguments.{})", argument->name()));
      } else {
        passed.push_back(is_resolved(*argument) || argument->ignored ? scalar(*argument)
                                                                     : "arguments." + argument->name());
      }
    }
    for (const NamedDim* dim : given_dims(op_)) passed.push_back(dim->name);
    out_.list(fmt::format("const auto inferred = infer::{}<std::int64_t>(", op_.name), passed, ");");
  }

  void write_dims() {
    for (const Argument& argument : op_.arguments) {
      if (is_resolved(argument)) out_.line(fmt::format("arguments.{0} = inferred.{0};", argument.name()));
    }
    for (const NamedDim* dim : known_dims(op_, /*packs=*/false)) {
      out_.line(fmt::format("arguments.{0} = inferred.{0};", dim->name));
    }
  }

  void write_results() {
    for (const Result& result : op_.results) {
      const std::string answer = "inferred." + result.name;
      if (result.when) {
        out_.open(fmt::format("if ({}.present) {{", answer));
      }
      out_.list(fmt::format("arguments.{} = call.result(", result.name),
                {result.name, literal(op_.name), literal(result.name), answer + ".dtype", answer + ".sizes"}, ");");
      if (result.when) out_.close("}");
    }
  }

  void write_compute() {
    const auto packs = known_dims(op_, /*packs=*/true);
    if (packs.empty()) {
      out_.line(fmt::format("return [arguments] {{ ops::{}(arguments); }};", op_.cpu_kernel));
      return;
    }
    out_.open("return [arguments, inferred]() mutable {");
    for (const NamedDim* dim : packs) out_.line(fmt::format("arguments.{0} = inferred.{0};", dim->name));
    out_.line(fmt::format("ops::{}(arguments);", op_.cpu_kernel));
    out_.close("};");
  }

  CodeWriter& out_;
  const Operator& op_;
};

}  // namespace

Artefact entry_points(const Family& family) {
  CodeWriter out;
  out.line(banner("//", fmt::format("the declarations of {}/", family.name)));
  for (const Declaration& declaration : family.declarations) {
    out.line(fmt::format("#include \"{}/{}.h\"", family.name, declaration.stem));
    out.line(fmt::format("#include \"{}/{}.infer.h\"", family.name, declaration.stem));
  }
  out.line("#include \"runtime/describe.h\"");
  out.line("#include \"softnpu/opapi/entry.h\"");
  out.line();
  out.line("using namespace opwright;");
  out.line("using namespace opwright::softnpu;");
  for (const Operator* op : owners(family)) EntryPointWriter(out, *op).write();
  return {fmt::format("{}/entry_points.cpp", family.name), out.text()};
}

}  // namespace opwright::emit
