// docs/OPERATOR.md: what a user of the operator needs to know, with an example that runs.
#include <fmt/format.h>

#include <algorithm>

#include "emit/code_writer.h"
#include "emit/emitters.h"
#include "emit/inference.h"
#include "emit/sample.h"

namespace opwright::emit {
namespace {

using model::Argument;
using model::Operator;

std::string sizes_of(const Argument& argument, const model::Values& values) {
  std::vector<std::string> sizes;
  const auto found = values.find(argument.name());
  if (const auto* tensor = found == values.end() ? nullptr : std::get_if<model::TensorValue>(&found->second)) {
    for (const model::Extent& extent : tensor->shape) sizes.push_back(to_string(extent.size));
  }
  return join(sizes);
}

Dtype sample_dtype(const Operator& op, const Argument& argument) {
  const model::DtypeRule& rule = argument.tensor->dtype;
  if (rule.from == model::DtypeRule::From::type_set) return op.type_set(rule.name)->members.front();
  return rule.from == model::DtypeRule::From::fixed ? rule.fixed : Dtype::float32;
}

/// Python that makes a tensor as the sample's recipe says.
std::string tensor_text(const Operator& op, const Argument& argument, const std::string& recipe,
                        const std::string& sizes) {
  const Dtype dtype = sample_dtype(op, argument);
  const std::string typed = fmt::format(", dtype=torch.{}", name(dtype));
  const std::string floating = dtype == Dtype::float32 ? "" : typed;
  if (recipe == "normal") return fmt::format("torch.randn({}{})", sizes, floating);
  if (recipe == "uniform") return fmt::format("torch.rand({}{})", sizes, floating);
  if (recipe == "booleans") return fmt::format("torch.rand({}) < 0.5", sizes);
  if (recipe == "permutation") return fmt::format("torch.randperm({}{})", sizes, typed);
  const std::string cast = dtype == Dtype::bool_ ? "" : fmt::format(".to(torch.{})", name(dtype));
  if (recipe == "two true a row") return fmt::format("(torch.rand({}).argsort(-1) < 2){}", sizes, cast);
  const std::string below = recipe.substr(recipe.rfind(' ') + 1);  // "integers below 4"
  return fmt::format("torch.randint({}, ({},){})", below, sizes, typed);
}

std::string scalar_text(const std::string& recipe) {
  if (recipe.starts_with("dtype(")) return recipe.substr(6, recipe.size() - 7) + ".dtype";
  if (recipe == "true") return "True";
  if (recipe == "false") return "False";
  return recipe;
}

void write_example(CodeWriter& out, const Operator& op) {
  const model::Values values =
      sample_values(op, model::cases_of(op).front(), chosen_sizes(op)).value_or(model::Values());
  out.line("```python");
  out.line("import torch");
  out.line("import opwright");
  out.line();
  std::vector<std::string> passed;
  bool by_name = false;
  for (const Argument& argument : op.arguments) {
    const auto& samples = op.sample.values;
    const auto sample = std::find_if(samples.begin(), samples.end(),
                                     [&](const model::SampleValue& value) { return value.name == argument.name(); });
    if (sample == samples.end()) {
      by_name = true;
      continue;
    }
    std::string value = argument.name();
    if (argument.tensor) {
      out.line(fmt::format("{} = {}", value, tensor_text(op, argument, sample->recipe, sizes_of(argument, values))));
    } else {
      value = scalar_text(sample->recipe);
    }
    by_name = by_name || argument.schema.keyword_only || !argument.tensor;
    passed.push_back(by_name ? fmt::format("{}={}", argument.name(), value) : value);
  }
  std::vector<std::string> results;
  for (const model::Result& result : op.results) results.push_back(result.name);
  out.list(fmt::format("{} = opwright.{}(", join(results), op.name), passed, ")");
  out.line("```");
}

/// Text in a table's cell.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.replace(at, 1, "\\|");
  return text;
}

std::string type_list(const std::vector<Dtype>& members) {
  std::vector<std::string> names;
  for (const Dtype member : members) names.emplace_back(name(member));
  return join(names);
}

std::string absence(const Argument& argument) {
  if (!argument.schema.type.optional) return "";
  if (argument.when_absent) return fmt::format("`{}`", to_string(*argument.when_absent->expr));
  std::vector<std::string> dims;
  for (const auto& [dim, value] : argument.dims_when_absent) {
    dims.push_back(fmt::format("`{} = {}`", dim, to_string(*value.expr)));
  }
  return dims.empty() ? "may be absent" : "may be absent: " + join(dims);
}

void write_arguments(CodeWriter& out, const Operator& op) {
  out.line("## Arguments");
  out.line();
  out.line("| name | type | shape | default | when absent |");
  out.line("|---|---|---|---|---|");
  for (const Argument& argument : op.arguments) {
    const auto& schema = argument.schema;
    out.line(fmt::format("| `{}` | {} | {} | {} | {} |", argument.name(), cell(to_string(schema.type)),
                         argument.tensor ? fmt::format("`{}`", pattern_text(*argument.tensor)) : "",
                         schema.default_value ? fmt::format("`{}`", *schema.default_value) : "", absence(argument)));
  }
  out.line();
  for (const model::TypeSet& type : op.types) out.line(fmt::format("- `{}` is {}", type.name, type_list(type.members)));
  for (const model::NamedDim& dim : op.dims) {
    if (dim.formula) out.line(fmt::format("- `{} = {}`", dim.name, to_string(*dim.formula->expr)));
  }
}

void write_results(CodeWriter& out, const Operator& op) {
  out.line();
  out.line("## Results");
  out.line();
  out.line("| name | shape | present |");
  out.line("|---|---|---|");
  for (const model::Result& result : op.results) {
    const std::string shape = result.like.empty() ? pattern_text(result.tensor) : "like " + result.like;
    out.line(fmt::format("| `{}` | `{}` | {} |", result.name, shape,
                         result.when ? fmt::format("when `{}`", to_string(*result.when->expr)) : "always"));
  }
}

void write_rules(CodeWriter& out, const Operator& op) {
  if (op.rules.empty()) return;
  out.line();
  out.line("## Rules");
  out.line();
  for (const model::Rule& rule : op.rules) {
    out.line(fmt::format("- {}: `{}`{}", rule.name, to_string(*rule.require.expr),
                         rule.fix.empty() ? "" : ". To satisfy it: " + rule.fix));
  }
}

void write_gradient(CodeWriter& out, const Operator& op) {
  out.line();
  out.line("## Gradient");
  out.line();
  if (!op.gradient) {
    out.line("This operator computes a gradient; it has none of its own, and a second derivative is an error.");
    return;
  }
  std::vector<std::string> arguments;
  for (const ExprPtr& argument : op.gradient->arguments) arguments.push_back(to_string(*argument));
  switch (op.gradient->form) {
    case model::Gradient::Form::by:
      out.line(
          fmt::format("Of `{}`, by `{}({})`.", join(op.gradient->of, "` and `"), op.gradient->op, join(arguments)));
      break;
    case model::Gradient::Form::through:
      out.line(fmt::format("Through `{}`, which also returns what the gradient needs.", op.gradient->op));
      break;
    case model::Gradient::Form::none:
      out.line(fmt::format("None: {}.", op.gradient->reason));
      break;
  }
}

void write_kernels(CodeWriter& out, const Operator& op) {
  out.line();
  out.line("## Kernels");
  out.line();
  out.line(fmt::format("- CPU: `{}` of `{}/{}.cpp`", op.cpu_kernel, op.family, op.stem));
  if (!op.npu) return;
  std::vector<std::string> arguments;
  for (const model::Typed& argument : op.npu->arguments) arguments.push_back(to_string(*argument.expr));
  out.line(fmt::format("- NPU: `{}({})`", op.npu->function, join(arguments)));
}

}  // namespace

Artefact documentation(const Operator& op) {
  CodeWriter out;
  out.line("# " + op.name);
  out.line();
  out.line(op.summary);
  out.line();
  out.line(fmt::format("Declared at `{}`, line {}.", op.path, op.where.begin.line));
  out.line();
  out.line("```");
  out.line(to_string(op.schema));
  out.line("```");
  out.line();
  write_example(out, op);
  out.line();
  write_arguments(out, op);
  write_results(out, op);
  write_rules(out, op);
  write_gradient(out, op);
  write_kernels(out, op);
  if (!op.notes.empty()) {
    out.line();
    out.line("## Notes");
    out.line();
    std::string notes = op.notes;
    while (notes.ends_with('\n')) notes.pop_back();
    out.line(notes);
  }
  return {fmt::format("docs/{}.md", op.name), out.text()};
}

}  // namespace opwright::emit
