#include "cli/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "laws/laws.h"

namespace opwright::cli {
namespace {

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count == 0 ? "no" : std::to_string(count), thing, count == 1 ? "" : "s");
}

/// Each file of functions with the derivatives that stand beside it.
void check_upstream(const std::vector<Input>& inputs, Checked& checked) {
  const auto folder = [](const Input& input) { return std::filesystem::path(input.file.source->path()).parent_path(); };
  for (const Input& functions : inputs) {
    if (functions.form != Form::upstream_functions) continue;
    const auto derivatives = std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) {
      return input.form == Form::upstream_derivatives && folder(input) == folder(functions);
    });
    lint_upstream(functions.file.source, derivatives == inputs.end() ? nullptr : derivatives->file.source,
                  checked.diagnostics, checked.upstream);
  }
}

}  // namespace

Checked check(const std::vector<Input>& inputs) {
  Checked checked;
  checked.files = inputs.size();
  std::vector<model::DeclarationFile> declarations;
  for (const Input& input : inputs) {
    if (input.form == Form::native) declarations.push_back(input.file);
  }
  checked.library = model::load(declarations, checked.diagnostics);
  laws::check(checked.library, checked.diagnostics);
  check_upstream(inputs, checked);
  checked.diagnostics.sort();
  return checked;
}

std::string summary(const Checked& checked) {
  const auto errors = static_cast<std::size_t>(checked.diagnostics.error_count());
  const auto warnings = static_cast<std::size_t>(checked.diagnostics.warning_count());
  std::string text = counted(errors, "error");
  if (warnings > 0) text += fmt::format(" and {}", counted(warnings, "warning"));
  text += fmt::format(" in {}", counted(checked.files, "file"));
  if (const std::size_t operators = checked.library.operators.size(); operators > 0 && errors == 0)
    text += fmt::format(" with {}", counted(operators, "operator"));
  const UpstreamSummary& upstream = checked.upstream;
  if (upstream.operators == 0) return text;
  return text + fmt::format(
                    "\nupstream: {} operators, {} generated, {} derivatives; {} expressions, {} of them opaque; "
                    "gradients: {} proved, "
                    "{} refuted, {} undecided",
                    upstream.operators, upstream.generated, upstream.derivatives, upstream.expressions,
                    upstream.opaque_expressions, upstream.gradients_proved, upstream.gradients_refuted,
                    upstream.gradients_undecided);
}

}  // namespace opwright::cli
