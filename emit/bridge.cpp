#include "emit/bridge.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "emit/code_writer.h"

namespace opwright::emit {
namespace {

using model::BridgeArgument;
using model::BridgeFunction;
using model::BridgeKind;

/// How a kind is passed in C, and the function of softnpu/opapi/aten.h that turns it into what ATen takes.
struct Passing {
  std::string_view type;
  std::string_view conversion;  // empty: passed on as it is
};

Passing passing(BridgeKind kind) {
  switch (kind) {
    case BridgeKind::tensor:
      return {"const aclTensor*", "tensor"};
    case BridgeKind::optional_tensor:
      return {"const aclTensor*", "optional_tensor"};
    case BridgeKind::resized_tensor:
      return {"aclTensor*", "resized_tensor"};
    case BridgeKind::tensor_list:
      return {"const aclTensorList*", "tensors"};
    case BridgeKind::optional_tensor_list:
      return {"const aclTensorList*", "optional_tensors"};
    case BridgeKind::scalar:
      return {"const aclScalar*", "scalar"};
    case BridgeKind::optional_scalar:
      return {"const aclScalar*", "optional_scalar"};
    case BridgeKind::scalar_list:
      return {"const aclScalarList*", "scalars"};
    case BridgeKind::integers:
      return {"const aclIntArray*", "integers"};
    case BridgeKind::booleans:
      return {"const aclBoolArray*", "booleans"};
    case BridgeKind::integer:
      return {"std::int64_t", ""};
    case BridgeKind::floating:
      return {"double", ""};
    case BridgeKind::floating32:
      return {"float", ""};
    case BridgeKind::boolean:
      return {"bool", ""};
    case BridgeKind::dtype:
      return {"int", "scalar_type"};
    case BridgeKind::int8:
      return {"std::int8_t", ""};
    case BridgeKind::string:
      return {"const char*", "text"};
  }
  return {};
}

std::string to_cpp(const Expr& expr);

std::string arguments_to_cpp(const Expr& call, std::size_t first) {
  std::vector<std::string> arguments;
  for (std::size_t i = first; i < call.operands.size(); ++i) arguments.push_back(to_cpp(*call.operands[i]));
  return "(" + join(arguments, ", ") + ")";
}

/// `add_(self, other)` is a method of ATen; other calls are functions, of ATen or of softnpu/opapi/aten_functions.h,
/// which the compiler tells apart by their arguments.
bool is_method(std::string_view name) { return name.ends_with('_') && !name.starts_with('_'); }

std::string call_to_cpp(const Expr& call) {
  if (call.text == "dtype") return to_cpp(*call.operands.front()) + ".scalar_type()";
  if (!is_method(call.text)) return call.text + arguments_to_cpp(call, 0);
  return to_cpp(*call.operands.front()) + "." + call.text + arguments_to_cpp(call, 1);
}

std::string to_cpp(const Expr& expr) { return expr.kind == ExprKind::call ? call_to_cpp(expr) : to_string(expr); }

std::vector<std::string> parameters(const BridgeFunction& function) {
  std::vector<std::string> parameters;
  for (const BridgeArgument& argument : function.arguments) {
    const bool is_named = argument.used || argument.written;
    parameters.push_back(std::string(passing(argument.kind).type) + (is_named ? " " + argument.name : ""));
  }
  parameters.insert(parameters.end(), {"std::uint64_t* workspace_size", "aclOpExecutor** executor"});
  return parameters;
}

std::vector<std::string> captures(const BridgeFunction& function) {
  std::vector<std::string> captures;
  for (const BridgeArgument& argument : function.arguments) {
    if (!argument.used && !argument.written) continue;
    const std::string_view conversion = passing(argument.kind).conversion;
    captures.push_back(conversion.empty() ? argument.name
                                          : fmt::format("{0} = aten::{1}({0})", argument.name, conversion));
  }
  return captures;
}

std::string statement(const BridgeFunction& function) {
  const std::string call = to_cpp(*function.call);
  if (!function.stores_results) return call;
  std::vector<std::string> arguments = {call};
  for (const BridgeArgument& argument : function.arguments)
    if (argument.written) arguments.push_back(argument.name);
  return "store(" + join(arguments) + ")";
}

void write_entry_point(CodeWriter& out, const BridgeFunction& function) {
  const std::string name = "aclnn" + function.name;
  out.line();
  out.line(fmt::format("// {}:{}", function.where.file->path(), function.where.begin.line));
  out.list(fmt::format("OPWRIGHT_EXPORT int {}GetWorkspaceSize(", name), parameters(function), ") {");
  out.indent();
  out.open(fmt::format("return prepare(\"{}\", workspace_size, executor, [&](Call&) {{", name));
  out.list("return compute([", captures(function), "] {");
  out.indent();
  out.line(statement(function) + ";");
  out.close("});");
  out.close("});");
  out.close("}");
  out.line(fmt::format("OPWRIGHT_EXPORT int {}(void*, std::uint64_t, aclOpExecutor* executor, aclrtStream stream) {{",
                       name));
  out.line("  return launch(executor, stream);");
  out.line("}");
}

/// The functions that a call uses. Slim headers: including all of ATen takes several times as long to compile.
void collect_functions(const Expr& expr, std::set<std::string>& names) {
  if (expr.kind == ExprKind::call && expr.text != "dtype") names.insert(expr.text);
  for (const ExprPtr& operand : expr.operands) collect_functions(*operand, names);
}

void write_includes(CodeWriter& out, const std::vector<BridgeFunction>& functions) {
  std::set<std::string> names;
  for (const BridgeFunction& function : functions) collect_functions(*function.call, names);
  out.line("#include \"softnpu/opapi/aten_functions.h\"");
  out.line();
  for (std::string name : names) {
    if (is_method(name)) continue;
    if (name.ends_with('_')) name.pop_back();  // `_foreach_zero_` stands in `_foreach_zero.h`
    out.line(fmt::format("#if __has_include(<ATen/ops/{}.h>)", name));
    out.line(fmt::format("#include <ATen/ops/{}.h>", name));
    out.line("#endif");
  }
}

Artefact source_of(const std::string& path, const std::vector<BridgeFunction>& functions) {
  CodeWriter out;
  out.line(banner("//", path));
  write_includes(out, functions);
  out.line();
  out.line("using namespace opwright::softnpu;");
  out.line("using namespace opwright::softnpu::aten;");
  for (const BridgeFunction& function : functions) write_entry_point(out, function);
  return {fmt::format("aten_bridge_{}.cpp", std::filesystem::path(path).stem().string()), out.text()};
}

}  // namespace

std::vector<Artefact> bridge(const std::vector<BridgeFunction>& functions) {
  std::map<std::string, std::vector<BridgeFunction>> by_file;
  for (const BridgeFunction& function : functions) by_file[function.where.file->path()].push_back(function);
  std::vector<Artefact> artefacts;
  for (const auto& [path, of_file] : by_file) artefacts.push_back(source_of(path, of_file));
  return artefacts;
}

}  // namespace opwright::emit
