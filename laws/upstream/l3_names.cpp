#include <algorithm>

#include "decl/characters.h"
#include "laws/upstream/each_expression.h"
#include "laws/upstream/laws.h"

namespace opwright::upstream {
namespace {

/// Names that C++ has everywhere: literals, constants (`kFloat`) and macros.
bool may_be_global(const std::string& name) {
  if (name == "true" || name == "false" || name == "nullptr") return true;
  if (name.find("::") != std::string::npos) return true;
  if (name.size() > 1 && name[0] == 'k' && name[1] >= 'A' && name[1] <= 'Z') return true;
  return name.size() > 1 && std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

class NameCheck {
 public:
  NameCheck(const Operator& op, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    for (const SchemaArgument& argument : op.schema.arguments) known_.push_back(argument.name);
  }

  void add(const std::string& name) { known_.push_back(name); }

  void check(const Snippet& snippet) {
    std::size_t first = 0;
    if (snippet.kind == SnippetKind::call && snippet.operands[0]->kind == SnippetKind::name) first = 1;  // a function
    if (snippet.kind == SnippetKind::name) check_name(snippet);
    for (std::size_t i = first; i < snippet.operands.size(); ++i) check(*snippet.operands[i]);
  }

 private:
  void check_name(const Snippet& name) {
    if (may_be_global(name.text) || std::find(known_.begin(), known_.end(), name.text) != known_.end()) return;
    Diagnostic& error =
        diagnostics_.error(name.where, "`" + name.text + "` is neither an argument nor one of new_params");
    error.law = "L3";
    if (const auto meant = nearest_name(name.text, known_)) error.help = "did you mean `" + *meant + "`?";
  }

  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
};

/// Results of an `out=` operator are its written arguments, by name.
void check_result_names(const Operator& op, Diagnostics& diagnostics) {
  if (op.is_functional()) return;
  std::vector<std::string> written;
  for (const SchemaArgument& argument : op.schema.arguments) {
    if (argument.type.alias.find('!') != std::string::npos) written.push_back(argument.name);
  }
  for (const ResultRule& result : op.generated->results) {
    if (std::find(written.begin(), written.end(), result.name) != written.end()) continue;
    Diagnostic& error =
        diagnostics.error(result.where, "`" + result.name + "` is not an argument that " + op.name() + " writes");
    error.law = "L3";
    const auto meant = nearest_name(result.name, written);
    if (meant || !written.empty()) error.help = "did you mean `" + (meant ? *meant : written.front()) + "`?";
  }
}

void check_operator_exists(const std::optional<Word>& name, const FunctionsFile& functions, Diagnostics& diagnostics) {
  if (!name || functions.find(name->text)) return;
  diagnostics.error(name->where, "there is no operator `" + name->text + "`").law = "L3";
}

}  // namespace

void check_names(const Operator& op, const FunctionsFile& functions, Diagnostics& diagnostics) {
  check_operator_exists(op.delegate, functions, diagnostics);
  if (!op.generated) return;
  check_operator_exists(op.generated->inherits, functions, diagnostics);
  check_result_names(op, diagnostics);
  NameCheck names(op, diagnostics);
  for (const NewParameter& parameter : op.generated->new_parameters) {
    if (parameter.value.snippet) names.check(*parameter.value.snippet);
    names.add(parameter.name);
  }
  for (const ResultRule& result : op.generated->results) {
    if (result.size && result.size->snippet) names.check(*result.size->snippet);
    if (result.dtype && result.dtype->snippet) names.check(*result.dtype->snippet);
  }
}

}  // namespace opwright::upstream
