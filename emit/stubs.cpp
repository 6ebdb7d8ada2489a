// ops.pyi: the operators as editors and type checkers see them.
#include <fmt/format.h>

#include "emit/code_writer.h"
#include "emit/emitters.h"
#include "emit/inference.h"

namespace opwright::emit {
namespace {

using model::Operator;

std::string python_type(const SchemaType& type) {
  std::string text = type.is("Tensor") || type.base == "Tensor"    ? "Tensor"
                     : type.base == "int" || type.base == "SymInt" ? "int"
                     : type.base == "ScalarType"                   ? "dtype"
                                                                   : type.base;  // bool, float, str
  if (type.list) text = "Sequence[" + text + "]";
  return type.optional ? text + " | None" : text;
}

std::string result_type(const Operator& op) {
  std::vector<std::string> types;
  for (const model::Result& result : op.results) types.push_back(result.when ? "Tensor | None" : "Tensor");
  return types.size() == 1 ? types[0] : "tuple[" + join(types) + "]";
}

void write_function(CodeWriter& out, const Operator& op) {
  out.open(fmt::format("def {}(", op.name), 4);
  bool keyword_only = false;
  for (const model::Argument& argument : op.arguments) {
    if (argument.schema.keyword_only && !keyword_only) out.line("*,");
    keyword_only = argument.schema.keyword_only;
    const auto& value = argument.schema.default_value;
    out.line(fmt::format("{}: {}{},", argument.name(), python_type(argument.schema.type), value ? " = " + *value : ""));
  }
  out.close(fmt::format(") -> {}:", result_type(op)));
  out.indent(4);
  out.line("\"\"\"" + op.summary);
  out.line();
  for (const model::Argument& argument : op.arguments) {
    if (argument.tensor) {
      out.line(fmt::format("{}: {}{}", argument.name(), pattern_text(*argument.tensor),
                           argument.optional_tensor ? ", may be absent" : ""));
    }
  }
  for (const model::Result& result : op.results) {
    out.line(fmt::format("returns {}: {}{}", result.name, pattern_text(result.tensor),
                         result.when ? " when " + to_string(*result.when->expr) : ""));
  }
  out.line("\"\"\"");
  out.close("");
}

}  // namespace

Artefact stubs(const model::Library& library) {
  CodeWriter out;
  out.line(banner("#", "all declarations"));
  out.line("from collections.abc import Sequence");
  out.line();
  out.line("from torch import Tensor, dtype");
  out.line();
  for (const Operator& op : library.operators) write_function(out, op);
  return {"ops.pyi", out.text()};
}

}  // namespace opwright::emit
