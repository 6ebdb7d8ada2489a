#include <algorithm>

#include "laws/upstream/laws.h"

namespace opwright::upstream {
namespace {

Diagnostic& report(const Word& word, const std::string& message, Diagnostics& diagnostics) {
  Diagnostic& error = diagnostics.error(word.where, message);
  error.law = "L5";
  return error;
}

/// What may go to the aclnn function.
std::vector<std::string> known_names(const Operator& op) {
  std::vector<std::string> names;
  for (const SchemaArgument& argument : op.schema.arguments) names.push_back(argument.name);
  for (const NewParameter& parameter : op.generated->new_parameters) names.push_back(parameter.name);
  for (const ResultRule& result : op.generated->results) names.push_back(result.name);
  return names;
}

/// A result that is not passed is never computed; one that is passed twice is written twice.
void check_result(const ResultRule& result, const Exec& exec, Diagnostics& diagnostics) {
  const auto passes = std::count_if(exec.arguments->begin(), exec.arguments->end(),
                                    [&](const Word& argument) { return argument.text == result.name; });
  if (passes == 1) return;
  Diagnostic& error = report(exec.function,
                             "the result `" + result.name + "` is passed to " + exec.function.text +
                                 (passes == 0 ? " nowhere: it would stay without a value" : " more than once"),
                             diagnostics);
  error.add_note(result.where, "the result is declared here");
}

}  // namespace

void check_exec(const Operator& op, Diagnostics& diagnostics) {
  if (!op.generated || op.generated->inherits) return;
  if (!op.generated->exec) {
    diagnostics.error(op.generated->where, op.name() + " calls no aclnn function: `exec:` is missing").law = "L5";
    return;
  }
  const Exec& exec = *op.generated->exec;
  if (!exec.function.text.starts_with("aclnn")) {
    report(exec.function, "`" + exec.function.text + "` is not the name of an aclnn function", diagnostics);
  }
  if (!exec.arguments) return;
  const std::vector<std::string> known = known_names(op);
  for (const Word& argument : *exec.arguments) {
    if (std::find(known.begin(), known.end(), argument.text) != known.end()) continue;
    Diagnostic& error = report(
        argument, "`" + argument.text + "` is neither an argument, nor one of new_params, nor a result", diagnostics);
    if (const auto meant = nearest_name(argument.text, known)) error.help = "did you mean `" + *meant + "`?";
  }
  if (!op.is_functional()) return;
  for (const ResultRule& result : op.generated->results) check_result(result, exec, diagnostics);
}

}  // namespace opwright::upstream
