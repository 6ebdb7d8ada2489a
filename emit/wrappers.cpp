// FAMILY/wrappers.{h,cpp}: the functions between torch's dispatcher and kernels, one each for CPU, Meta and NPU.
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
using model::NamedDim;
using model::Operator;
using model::Result;

template <class Visit>
void for_each_operator(const Family& family, const Visit& visit) {
  for (const Declaration& declaration : family.declarations) {
    for (const Operator* op : declaration.operators) visit(*op);
  }
}

std::string results_expression(const std::vector<std::string>& results) {
  return results.size() == 1 ? results[0] : fmt::format("std::tuple({})", join(results));
}

class WrapperWriter {
 public:
  WrapperWriter(CodeWriter& out, const Operator& op) : out_(out), op_(op) {}

  void cpu() {
    open([&](const Argument& argument) { return !argument.ignored || inference_reads(argument); });
    write_device_checks();
    write_inference("std::int64_t");
    for (const Result& result : op_.results) {
      out_.line(fmt::format("const at::Tensor {0} = allocate(inferred.{0}, at::kCPU);", result.name));
    }
    write_kernel_call();
    close();
  }

  void meta() {
    open([&](const Argument& argument) { return inference_reads(argument); });
    write_inference("c10::SymInt");
    std::vector<std::string> results;
    for (const Result& result : op_.results)
      results.push_back(fmt::format("allocate(inferred.{}, at::kMeta)", result.name));
    if (results.size() == 1) {
      out_.line("return " + results[0] + ";");
    } else {
      out_.list("return std::tuple(", results, ");");
    }
    close(/*with_return=*/false);
  }

  void npu() {
    open([&](const Argument& argument) { return binding_reads(argument) || inference_reads(argument); });
    const std::string device = first_tensor() + ".device()";
    write_device_checks();
    write_inference("std::int64_t");
    out_.line(fmt::format("const c10::DeviceGuard guard({});", device));
    for (const Result& result : op_.results) {
      out_.line(fmt::format("const at::Tensor {0} = allocate(inferred.{0}, {1});", result.name, device));
    }
    out_.line(fmt::format("static const aclnn::Function function(\"{}\");", op_.npu->function));
    out_.list("function(", binding_arguments(), ");");
    close();
  }

 private:
  bool inference_reads(const Argument& argument) const {
    const auto taken = inference_arguments(op_);
    return std::find(taken.begin(), taken.end(), &argument) != taken.end();
  }
  bool binding_reads(const Argument& argument) const {
    bool reads = false;
    for (const model::Typed& passed : op_.npu->arguments) {
      model::for_each_name(*passed.expr, [&](const Expr& name) { reads = reads || name.text == argument.name(); });
    }
    return reads;
  }

  std::string first_tensor() const {
    for (const Argument& argument : op_.arguments) {
      if (argument.tensor && !argument.optional_tensor) return argument.name();
    }
    return "";
  }

  template <class Reads>
  void open(const Reads& reads) {
    std::vector<std::string> unused;
    for (const Argument& argument : op_.arguments) {
      if (!reads(argument)) unused.push_back(argument.name());
    }
    out_.line();
    out_.line(fmt::format("// {}:{}", op_.path, op_.where.begin.line));
    out_.list(fmt::format("{} {}(", torch_result_type(op_), op_.name), torch_parameters(op_, unused), ") {");
    out_.indent();
    out_.open("return with_torch_errors([&] {");
  }

  void close(bool with_return = true) {
    if (with_return) {
      std::vector<std::string> names;
      for (const Result& result : op_.results) names.push_back(result.name);
      out_.line(fmt::format("return {};", results_expression(names)));
    }
    out_.close("});");
    out_.close("}");
  }

  /// All tensors are on one device.
  void write_device_checks() {
    const std::string first = first_tensor();
    for (const Argument& argument : op_.arguments) {
      if (!argument.tensor || argument.name() == first) continue;
      out_.list("require_device(",
                {literal(op_.name), literal(argument.name()), argument.name(), literal(first), first + ".device()"},
                ");");
    }
  }

  void write_inference(const std::string& integer) {
    std::vector<std::string> arguments;
    for (const Argument* argument : inference_arguments(op_)) {
      arguments.push_back(as_inference_argument(op_, *argument, integer));
    }
    out_.list(fmt::format("const auto inferred = infer::{}<{}>(", op_.name, integer), arguments, ");");
  }

  void write_kernel_call() {
    out_.open(fmt::format("ops::{}(ops::{}{{", op_.cpu_kernel, op_.name), 4);
    for (const Argument& argument : op_.arguments) {
      if (argument.ignored && !argument.tensor) continue;
      out_.line(fmt::format(".{} = {},", argument.name(), field_value(argument)));
    }
    for (const bool packs : {false, true}) {
      for (const NamedDim* dim : known_dims(op_, packs)) out_.line(fmt::format(".{0} = inferred.{0},", dim->name));
    }
    for (const Result& result : op_.results) out_.line(fmt::format(".{0} = mutable_view({0}),", result.name));
    out_.close("});");
  }

  std::string field_value(const Argument& argument) const {
    if (argument.tensor) return fmt::format("view({})", argument.name());
    if (is_resolved(argument)) return "inferred." + argument.name();
    return as_inference_argument(op_, argument, "std::int64_t");
  }

  std::vector<std::string> binding_arguments() const {
    const ExpressionPrinter printer(
        op_, {.integer = "std::int64_t",
              .name =
                  [&](const std::string& name) {
                    const Argument* argument = op_.argument(name);
                    if (argument && argument->schema.type.is("SymInt")) return fmt::format("number({})", name);
                    return op_.dim(name) || (argument && is_resolved(*argument)) ? "inferred." + name : name;
                  },
              .pack = [](const std::string& name) { return "inferred." + name; },
              .tensor = [](const std::string& name) { return fmt::format("describe<std::int64_t>({})", name); },
              .dtype = [](const std::string& name) { return name + ".scalar_type()"; }});
    std::vector<std::string> arguments;
    for (const model::Typed& passed : op_.npu->arguments) {
      const Expr& expr = *passed.expr;
      if (passed.kind == model::Kind::tensor) {
        arguments.push_back(expr.text);
      } else if (expr.kind == ExprKind::binary && expr.text == "or" && passed.kind == model::Kind::integers) {
        arguments.push_back(
            fmt::format("aclnn::list_or({}, {})", expr.operands[0]->text, printer.value(*expr.operands[1])));
      } else {
        arguments.push_back(printer.value(expr));
      }
    }
    return arguments;
  }

  CodeWriter& out_;
  const Operator& op_;
};

}  // namespace

Artefact wrappers_header(const Family& family) {
  CodeWriter out;
  out.line(banner("//", fmt::format("the declarations of {}/", family.name)));
  out.line("#pragma once");
  out.line();
  out.line("#include <ATen/core/Tensor.h>");
  out.line("#include <c10/core/DispatchKeySet.h>");
  out.line("#include <c10/core/SymInt.h>");
  out.line();
  for (const char* header : {"<cstdint>", "<optional>", "<string_view>", "<tuple>"}) {
    out.line(fmt::format("#include {}", header));
  }
  const auto declare = [&](const Operator& op, bool with_keys) {
    std::vector<std::string> parameters = torch_parameters(op);
    if (with_keys) parameters.insert(parameters.begin(), "c10::DispatchKeySet keys");
    out.list(fmt::format("{} {}(", torch_result_type(op), op.name), parameters, ");");
  };
  for (const char* key : {"cpu", "meta", "npu", "autograd"}) {
    const std::string_view name = key;
    out.line();
    out.line(fmt::format("namespace opwright::{} {{", key));
    for_each_operator(family, [&](const Operator& op) {
      if (name == "npu" ? op.npu.has_value() : name != "autograd" || op.gradient.has_value())
        declare(op, name == "autograd");
    });
    out.line(fmt::format("}}  // namespace opwright::{}", key));
  }
  return {fmt::format("{}/wrappers.h", family.name), out.text()};
}

Artefact wrappers(const Family& family) {
  CodeWriter out;
  out.line(banner("//", fmt::format("the declarations of {}/", family.name)));
  out.line(fmt::format("#include \"{}/wrappers.h\"", family.name));
  out.line();
  out.line("#include <c10/core/DeviceGuard.h>");
  out.line();
  for (const Declaration& declaration : family.declarations) {
    out.line(fmt::format("#include \"{}/{}.h\"", family.name, declaration.stem));
    out.line(fmt::format("#include \"{}/{}.infer.h\"", family.name, declaration.stem));
  }
  for (const char* header :
       {"npu/aclnn.h", "runtime/torch/arguments.h", "runtime/torch/errors.h", "runtime/torch/tensors.h"}) {
    out.line(fmt::format("#include \"{}\"", header));
  }
  const auto section = [&](const char* key, const char* comment, const auto& write) {
    out.line();
    out.comment("//", comment);
    out.line(fmt::format("namespace opwright::{} {{", key));
    for_each_operator(family, write);
    out.line();
    out.line(fmt::format("}}  // namespace opwright::{}", key));
  };
  section("cpu", "Tensors with data on CPU: infer, allocate, compute.",
          [&](const Operator& op) { WrapperWriter(out, op).cpu(); });
  section("meta", "Tensors without data: infer.", [&](const Operator& op) { WrapperWriter(out, op).meta(); });
  section("npu", "Tensors on an NPU: infer, allocate, hand over to the operator library.", [&](const Operator& op) {
    if (op.npu) WrapperWriter(out, op).npu();
  });
  return {fmt::format("{}/wrappers.cpp", family.name), out.text()};
}

}  // namespace opwright::emit
