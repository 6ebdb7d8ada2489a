#include <fmt/format.h>

#include <algorithm>

#include "model/keys.h"
#include "model/load.h"

namespace opwright::model {
namespace {

/// A scalar as YAML reads it back: plain where nothing in it means something to YAML, otherwise in single quotes.
std::string scalar(std::string_view text) {
  const bool breaks_lines = text.find_first_of("\n\r\t") != std::string_view::npos;
  if (breaks_lines) {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '\n')
        quoted += "\\n";
      else if (c == '\r')
        quoted += "\\r";
      else if (c == '\t')
        quoted += "\\t";
      else if (c == '"' || c == '\\')
        (quoted += '\\') += c;
      else
        quoted += c;
    }
    return quoted + '"';
  }
  const bool plain = !text.empty() && text.front() != ' ' && text.back() != ' ' && text.back() != ':' &&
                     std::string_view("[]{}*&!|>%@`'\"#,?:-~").find(text.front()) == std::string_view::npos &&
                     text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos &&
                     text != "null";
  if (plain || (text.size() > 1 && text.front() == '-' && text[1] != ' ' &&
                text.find_first_not_of("0123456789", 1) == std::string_view::npos))
    return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

/// Inside `{…}` and `[…]`, commas and brackets mean something too.
std::string flow_scalar(std::string_view text) {
  if (text.find_first_of(",[]{}") != std::string_view::npos && !text.starts_with('\'')) {
    const std::string plain = scalar(text);
    if (plain == text) return "'" + plain + "'";
    return plain;
  }
  return scalar(text);
}

std::string list(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ", ")); }

std::string to_text(const DtypeRule& rule) {
  return rule.from == DtypeRule::From::fixed ? std::string(name(rule.fixed)) : rule.name;
}

std::string to_text(const TensorRule& tensor) {
  std::vector<std::string> dims;
  for (const Dim& dim : tensor.dims)
    dims.push_back((dim.what == Dim::What::pack ? "*" : "") + to_string(*dim.size.expr) + (dim.optional ? "?" : ""));
  return to_text(tensor.dtype) + list(dims);
}

class Writer {
 public:
  void line(std::string_view key, std::string_view value) { text_ += fmt::format("{}: {}\n", key, value); }
  void indented(std::string_view key, std::string_view value) { text_ += fmt::format("  {}: {}\n", key, value); }
  void open(std::string_view key) { text_ += fmt::format("{}:\n", key); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void write_absent(const Operator& op, Writer& writer) {
  if (std::none_of(op.arguments.begin(), op.arguments.end(),
                   [](const Argument& argument) { return argument.schema.type.optional; }))
    return;
  writer.open("absent");
  for (const Argument& argument : op.arguments) {
    if (!argument.schema.type.optional) continue;
    if (argument.ignored) {
      writer.indented(argument.name(), "ignored");
    } else if (argument.when_absent) {
      writer.indented(argument.name(), scalar(to_string(*argument.when_absent->expr)));
    } else {
      std::vector<std::string> dims;
      for (const auto& [name, value] : argument.dims_when_absent)
        dims.push_back(name + ": " + flow_scalar(to_string(*value.expr)));
      writer.indented(argument.name(), fmt::format("{{{}}}", fmt::join(dims, ", ")));
    }
  }
}

void write_gradient(const Operator& op, Writer& writer) {
  if (op.gradient) {
    const Gradient& gradient = *op.gradient;
    writer.open("gradient");
    if (!gradient.of.empty()) writer.indented("of", list(gradient.of));
    if (!gradient.not_differentiable.empty()) writer.indented("not_differentiable", list(gradient.not_differentiable));
    switch (gradient.form) {
      case Gradient::Form::by: {
        std::vector<std::string> arguments;
        for (const ExprPtr& argument : gradient.arguments) arguments.push_back(to_string(*argument));
        writer.indented("by", scalar(fmt::format("{}({})", gradient.op, fmt::join(arguments, ", "))));
        break;
      }
      case Gradient::Form::through:
        writer.indented("through", gradient.op);
        break;
      case Gradient::Form::none:
        writer.indented("none", scalar(gradient.reason));
        break;
    }
  }
  if (op.gradient_of.empty()) return;
  writer.open("gradient_of");
  for (const auto& [result, argument] : op.gradient_of) writer.indented(result, argument);
}

void write_kernels(const Operator& op, Writer& writer) {
  writer.open("kernels");
  writer.indented("cpu", op.cpu_kernel);
  std::vector<std::string> only_sizes;
  for (const Argument& argument : op.arguments) {
    if (argument.only_sizes) only_sizes.push_back(argument.name());
  }
  if (!only_sizes.empty()) writer.indented("only_sizes_of", list(only_sizes));
  if (!op.npu) return;
  std::vector<std::string> arguments;
  for (const Typed& argument : op.npu->arguments) arguments.push_back(to_string(*argument.expr));
  writer.indented("npu", scalar(fmt::format("{}({})", op.npu->function, fmt::join(arguments, ", "))));
}

void write_sample(const Operator& op, Writer& writer) {
  std::vector<std::string> dims;
  for (const auto& [name, sizes] : op.sample.dims) {
    const NamedDim* dim = op.dim(name);
    dims.push_back(fmt::format(
        "{}: {}", name,
        dim != nullptr && dim->pack ? fmt::format("[{}]", fmt::join(sizes, ", ")) : std::to_string(sizes.front())));
  }
  writer.open("sample");
  writer.indented("dims", fmt::format("{{{}}}", fmt::join(dims, ", ")));
  for (const SampleValue& value : op.sample.values) {
    const Argument* argument = op.argument(value.name);
    writer.indented(value.name,
                    argument != nullptr && argument->schema.type.list ? value.recipe : scalar(value.recipe));
  }
}

}  // namespace

std::string to_yaml(const Operator& op) {
  Writer writer;
  writer.line("operator", op.name);
  writer.line("summary", scalar(op.summary));
  Schema schema = op.schema;
  schema.name.clear();
  writer.line("schema", scalar(to_string(schema)));
  if (!op.types.empty()) writer.open("types");
  for (const TypeSet& type : op.types) {
    std::vector<std::string> members;
    for (const Dtype member : type.members) members.emplace_back(name(member));
    writer.indented(type.name, list(members));
  }
  writer.open("arguments");
  for (const Argument& argument : op.arguments) {
    if (argument.tensor) writer.indented(argument.name(), scalar(to_text(*argument.tensor)));
  }
  if (std::any_of(op.dims.begin(), op.dims.end(), [](const NamedDim& dim) { return dim.formula.has_value(); }))
    writer.open("dims");
  for (const NamedDim& dim : op.dims) {
    if (dim.formula) writer.indented(dim.name, scalar(to_string(*dim.formula->expr)));
  }
  writer.open("results");
  for (const Result& result : op.results) {
    std::string text = result.like.empty() ? to_text(result.tensor) : "like " + result.like;
    if (result.when && result.like.empty()) text += " when " + to_string(*result.when->expr);
    writer.indented(result.name, scalar(text));
  }
  write_absent(op, writer);
  if (!op.rules.empty()) writer.open("rules");
  for (const Rule& rule : op.rules) {
    std::string text = fmt::format("{{require: {}", flow_scalar(to_string(*rule.require.expr)));
    if (!rule.fix.empty()) text += fmt::format(", fix: {}", flow_scalar(rule.fix));
    writer.indented(rule.name, text + "}");
  }
  write_gradient(op, writer);
  write_kernels(op, writer);
  write_sample(op, writer);
  if (!op.notes.empty()) writer.line("notes", scalar(op.notes));
  return writer.take();
}

}  // namespace opwright::model
