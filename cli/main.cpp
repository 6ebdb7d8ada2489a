// The command `opwright`: what needs neither Python nor torch.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/check.h"
#include "cli/coverage.h"
#include "cli/json.h"
#include "cli/output_folder.h"
#include "cli/sarif.h"
#include "cli/upstream_coverage.h"
#include "cli/write_file.h"
#include "laws/laws.h"

namespace opwright::cli {
namespace {

constexpr int success = 0;
constexpr int found_errors = 1;
constexpr int failed = 2;  // wrong usage, or files that cannot be read or written

enum class Format { text, json, sarif };

std::string report(const Checked& checked, Format format) {
  if (format == Format::json) return to_json(checked.diagnostics);
  if (format == Format::sarif) return to_sarif(checked.diagnostics);
  return to_text(checked.diagnostics) + summary(checked) + "\n";
}

/// The report goes to a file when one is named; then only the summary is printed.
int lint(const std::vector<std::string>& paths, Format format, const std::string& output) {
  const Checked checked = check(read_inputs(paths));
  if (output.empty()) {
    fmt::print("{}", report(checked, format));
  } else {
    write_file(output, report(checked, format));
    fmt::print("{}\n", summary(checked));
  }
  return checked.diagnostics.has_errors() ? found_errors : success;
}

int explain(const std::string& number) {
  const auto& laws = laws::all();
  const auto law =
      std::find_if(laws.begin(), laws.end(), [&](const laws::Law& candidate) { return candidate.number == number; });
  if (law == laws.end()) {
    std::string numbers;
    for (const laws::Law& known : laws) numbers += fmt::format("  {}  {}\n", known.number, known.title);
    fmt::print(stderr, "opwright: there is no law {}; the laws are\n{}", number, numbers);
    return failed;
  }
  fmt::print("{}", law->explanation);
  return success;
}

int generate(const std::string& declarations, const std::string& folder) {
  const Checked checked = check(read_inputs({declarations}));
  fmt::print(stderr, "{}", to_text(checked.diagnostics));
  if (checked.diagnostics.has_errors()) {
    fmt::print(stderr, "{}; nothing was written\n", summary(checked));
    return found_errors;
  }
  const auto artefacts = emit::all(checked.library);
  const Written written = write_folder(folder, artefacts);
  fmt::print("{} operators: {} files written, {} unchanged, {} removed\n", checked.library.operators.size(),
             written.changed, written.unchanged, written.removed);
  return success;
}

/// Of upstream's files, how much is typed; of ours, which operators have what.
int show_coverage(const std::string& declarations) {
  const std::vector<Input> inputs = read_inputs({declarations});
  const auto functions = std::find_if(inputs.begin(), inputs.end(),
                                      [](const Input& input) { return input.form == Form::upstream_functions; });
  if (functions != inputs.end()) {
    Diagnostics diagnostics;
    fmt::print("{}", coverage(upstream::read_functions(functions->file.source, diagnostics)));
    fmt::print(stderr, "{}", to_text(diagnostics));
    return diagnostics.has_errors() ? found_errors : success;
  }
  const Checked checked = check(inputs);
  fmt::print(stderr, "{}", to_text(checked.diagnostics));
  fmt::print("{}", coverage(checked.library));
  return checked.diagnostics.has_errors() ? found_errors : success;
}

int run(int argc, char** argv) {
  CLI::App app{"Declare an operator once; prove it, and generate what PyTorch, the NPU and readers need of it."};
  app.name("opwright");
  app.require_subcommand(1);

  std::vector<std::string> paths;
  std::string law;
  std::string output;
  bool json = false;
  bool sarif = false;
  CLI::App* lint_command = app.add_subcommand("lint", "Check declarations, ours or upstream's, against all laws.");
  auto* paths_option = lint_command->add_option("path", paths, "Files, or folders of them");
  auto* explain_option = lint_command->add_option("--explain", law, "Print what a law says, with an example: L1");
  auto* json_option = lint_command->add_flag("--json", json, "Print the findings as JSON")->excludes(explain_option);
  lint_command->add_flag("--sarif", sarif, "Print the findings as SARIF 2.1.0")
      ->excludes(explain_option)
      ->excludes(json_option);
  lint_command->add_option("--output", output, "Write the findings to this file instead of printing them")
      ->excludes(explain_option);
  paths_option->excludes(explain_option);

  std::string declarations;
  std::string folder;
  CLI::App* generate_command =
      app.add_subcommand("generate", "Write the code of all operators; nothing when one of them is wrong.");
  generate_command->add_option("declarations", declarations, "The folder of the declarations")->required();
  generate_command->add_option("--out", folder, "The folder to write")->required();

  CLI::App* coverage_command = app.add_subcommand(
      "coverage", "Show which operators have kernels and gradients; of upstream's file, what is typed.");
  coverage_command->add_option("declarations", declarations, "The folder of the declarations, or upstream's file")
      ->required();

  try {
    app.parse(argc, argv);
    if (*lint_command && paths.empty() && law.empty()) throw CLI::RequiredError("path or --explain");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? success : failed;
  }
  const Format format = json ? Format::json : sarif ? Format::sarif : Format::text;
  if (*lint_command) return law.empty() ? lint(paths, format, output) : explain(law);
  if (*generate_command) return generate(declarations, folder);
  return show_coverage(declarations);
}

}  // namespace
}  // namespace opwright::cli

int main(int argc, char** argv) {
  try {
    const int status = opwright::cli::run(argc, argv);
    if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write the output");
    return status;
  } catch (const std::exception& error) {
    // Not by fmt::print, which throws where nothing can be written.
    std::fprintf(stderr, "opwright: %s\n", error.what());
    return opwright::cli::failed;
  }
}
