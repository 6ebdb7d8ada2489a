// FAMILY/register.cpp and operators.cpp: what torch's dispatcher is given. Tables only; runtime/torch/registry.h
// decides what is registered when.
#include <fmt/format.h>

#include "emit/code_writer.h"
#include "emit/emitters.h"

namespace opwright::emit {
namespace {

using model::Operator;

std::string kernel(const std::string& key, const Operator& op) {
  return fmt::format("[] {{ return torch::CppFunction(TORCH_FN({}::{})); }}", key, op.name);
}

void write_operator(CodeWriter& out, const Operator& op) {
  out.open("{", 4);
  out.line(fmt::format(".name = {},  // {}:{}", literal(op.name), op.path, op.where.begin.line));
  out.list(".summary = ", {literal(op.summary)}, ",");
  out.list(".schema = ", {literal(to_string(op.schema))}, ",");
  out.line(fmt::format(".cpu = {},", kernel("cpu", op)));
  out.line(fmt::format(".meta = {},", kernel("meta", op)));
  out.line(fmt::format(".npu = {},", op.npu ? kernel("npu", op) : "nullptr"));
  // Without a gradient of its own: a second derivative, which is a clear error.
  out.line(fmt::format(".autograd = {},",
                       op.gradient ? kernel("autograd", op) : "torch::autograd::autogradNotImplementedFallback"));
  out.close("},");
}

}  // namespace

Artefact registrations(const Family& family) {
  CodeWriter out;
  out.line(banner("//", fmt::format("the declarations of {}/", family.name)));
  out.line("#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>");
  out.line("#include <torch/library.h>");
  out.line();
  out.line("#include <span>");
  out.line();
  out.line(fmt::format("#include \"{}/wrappers.h\"", family.name));
  out.line("#include \"runtime/torch/registry.h\"");
  out.line();
  out.line("namespace opwright {");
  out.line();
  out.open(fmt::format("std::span<const Registration> {}_operators() {{", family.name));
  out.open("static const Registration operators[] = {", 4);
  for (const Declaration& declaration : family.declarations) {
    for (const Operator* op : declaration.operators) write_operator(out, *op);
  }
  out.close("};");
  out.line("return operators;");
  out.close("}");
  out.line();
  out.line("}  // namespace opwright");
  return {fmt::format("{}/register.cpp", family.name), out.text()};
}

Artefact operator_list(const std::vector<Family>& families) {
  CodeWriter out;
  out.line(banner("//", "all declarations"));
  out.line("#include <span>");
  out.line();
  out.line("#include \"runtime/torch/registry.h\"");
  out.line();
  out.line("namespace opwright {");
  out.line();
  for (const Family& family : families) {
    out.line(fmt::format("std::span<const Registration> {}_operators();", family.name));
  }
  out.line();
  out.open("std::vector<Registration> all_operators() {");
  out.line("std::vector<Registration> all;");
  for (const Family& family : families) {
    out.line(fmt::format("for (const Registration& op : {}_operators()) all.push_back(op);", family.name));
  }
  out.line("return all;");
  out.close("}");
  out.line();
  out.line("}  // namespace opwright");
  return {"operators.cpp", out.text()};
}

}  // namespace opwright::emit
