// FAMILY/STEM.h: what a kernel gets. Torch-free.
#include <fmt/format.h>

#include <algorithm>

#include "emit/code_writer.h"
#include "emit/cpp_types.h"
#include "emit/emitters.h"
#include "emit/inference.h"

namespace opwright::emit {
namespace {

using model::Operator;

std::string presence(bool optional) { return optional ? "; may be absent" : ""; }

void write_struct(CodeWriter& out, const Operator& op) {
  out.line(fmt::format("/// {}, declared at {}:{}", op.name, op.path, op.where.begin.line));
  out.comment("///", op.summary);
  out.open(fmt::format("struct {} {{", op.name));
  for (const model::Argument& argument : op.arguments) {
    if (argument.tensor) {
      out.line(fmt::format("View {};", argument.name()),
               pattern_text(*argument.tensor) + presence(argument.optional_tensor));
    } else if (!argument.ignored) {
      out.line(fmt::format("{} {};", field_type(argument), argument.name()));
    }
  }
  std::vector<std::string> sizes;
  for (const model::NamedDim* dim : known_dims(op, /*packs=*/false)) sizes.push_back(dim->name);
  if (!sizes.empty()) out.list("std::int64_t ", sizes, ";");
  for (const model::NamedDim* dim : known_dims(op, /*packs=*/true)) {
    out.line(fmt::format("std::span<const std::int64_t> {};", dim->name));
  }
  for (const model::Result& result : op.results) {
    out.line(fmt::format("MutableView {};", result.name),
             pattern_text(result.tensor) + presence(result.when.has_value()));
  }
  out.close("};");
  out.line(fmt::format("void {}(const {}& call);", op.cpu_kernel, op.name));
}

}  // namespace

Artefact call_struct(const Declaration& declaration) {
  CodeWriter out;
  out.line(banner("//", declaration.path));
  out.line("#pragma once");
  out.line();
  for (const char* header : {"<cstdint>", "<optional>", "<span>", "<string_view>"}) {
    out.line(fmt::format("#include {}", header));
  }
  out.line();
  out.line("#include \"runtime/views.h\"");
  out.line();
  out.line("namespace opwright::ops {");
  for (const Operator* op : declaration.operators) {
    out.line();
    write_struct(out, *op);
  }
  out.line();
  out.line("}  // namespace opwright::ops");
  return {fmt::format("{}/{}.h", declaration.family, declaration.stem), out.text()};
}

}  // namespace opwright::emit
