#include <algorithm>

#include "laws/upstream/laws.h"

namespace opwright::upstream {
namespace {

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

class DerivativeCheck {
 public:
  DerivativeCheck(const Derivative& derivative, const FunctionsFile& functions, Diagnostics& diagnostics)
      : derivative_(derivative), functions_(functions), diagnostics_(diagnostics) {}

  void check() {
    check_differentiability();
    for (const Formula& formula : derivative_.formulas) {
      for (const Word& input : formula.inputs) check_input(input);
      if (formula.value.snippet) check_formula(*formula.value.snippet);
    }
  }

 private:
  void check_differentiability() {
    const std::size_t results = derivative_.forward.returns.size();
    const std::size_t entries = derivative_.output_differentiability.size();
    if (entries == 0 || entries == results) return;
    report(derivative_.forward.where, derivative_.forward.name + " has " + counted(results, "result") +
                                          ", but output_differentiability counts " + std::to_string(entries));
  }

  /// `result` and the names of results stand for forward-mode formulas.
  void check_input(const Word& input) {
    if (derivative_.forward.find(input.text) || input.text.starts_with("result")) return;
    const std::vector<SchemaReturn>& returns = derivative_.forward.returns;
    const bool is_result = std::any_of(returns.begin(), returns.end(),
                                       [&](const SchemaReturn& result) { return result.name == input.text; });
    if (is_result) return;
    std::vector<std::string> names;
    for (const SchemaArgument& argument : derivative_.forward.arguments) names.push_back(argument.name);
    Diagnostic& error = report(input.where, "`" + input.text + "` is not an argument of " + derivative_.forward.name);
    if (const auto meant = nearest_name(input.text, names)) error.help = "did you mean `" + *meant + "`?";
  }

  void check_formula(const Snippet& snippet) {
    check_number(snippet);
    check_arity(snippet);
    for (const SnippetPtr& operand : snippet.operands) check_formula(*operand);
  }

  /// `result3` and `grads[3]` of an operator with three results.
  void check_number(const Snippet& snippet) {
    const std::optional<std::size_t> number = result_number(snippet);
    const std::size_t results = derivative_.forward.returns.size();
    if (!number || *number < results) return;
    report(snippet.where, "`" + to_string(snippet) + "` does not exist: " + derivative_.forward.name + " has " +
                              counted(results, "result"));
  }

  /// Only custom operators are known not to have overloads that are not in the file.
  void check_arity(const Snippet& snippet) {
    const Operator* called = functions_.find_called(called_function(snippet));
    if (!called || called->section != "custom") return;
    const auto overloads = std::count_if(
        functions_.operators.begin(), functions_.operators.end(),
        [&](const Operator& op) { return op.schema.name == called->schema.name && op.section == "custom"; });
    if (overloads != 1) return;
    const std::vector<SchemaArgument>& arguments = called->schema.arguments;
    const auto required = static_cast<std::size_t>(std::count_if(
        arguments.begin(), arguments.end(), [](const SchemaArgument& argument) { return !argument.default_value; }));
    const std::size_t given = snippet.operands.size() - 1;
    if (required <= given && given <= arguments.size()) return;
    report(snippet.where,
           called->schema.name + " has " + counted(arguments.size(), "argument") + ", not " + std::to_string(given))
        .add_note(called->where, "it is declared here");
  }

  Diagnostic& report(const SourceRange& where, const std::string& message) {
    Diagnostic& error = diagnostics_.error(where, message);
    error.law = "L6";
    return error;
  }

  const Derivative& derivative_;
  const FunctionsFile& functions_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_derivative(const Derivative& derivative, const FunctionsFile& functions, Diagnostics& diagnostics) {
  DerivativeCheck(derivative, functions, diagnostics).check();
}

}  // namespace opwright::upstream
