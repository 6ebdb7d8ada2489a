#include "model/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/draft.h"
#include "model/keys.h"
#include "model/link_gradients.h"

namespace opwright::model {
namespace {

constexpr Key operator_keys[] = {{"operator", NodeKind::scalar, true},      {"summary", NodeKind::scalar, true},
                                 {"schema", NodeKind::scalar, true},        {"types", NodeKind::mapping, false},
                                 {"arguments", NodeKind::mapping, true},    {"dims", NodeKind::mapping, false},
                                 {"results", NodeKind::mapping, true},      {"absent", NodeKind::mapping, false},
                                 {"rules", NodeKind::mapping, false},       {"gradient", NodeKind::mapping, false},
                                 {"gradient_of", NodeKind::mapping, false}, {"kernels", NodeKind::mapping, true},
                                 {"sample", NodeKind::mapping, true},       {"notes", NodeKind::scalar, false}};

/// A type that neither an argument nor a result has says nothing.
void check_types_are_used(Draft& draft) {
  if (!draft.schema_read || !draft.dims_read) return;
  for (const TypeSet& type : draft.op.types) {
    const auto uses = [&](const TensorRule& tensor) {
      return tensor.dtype.from == DtypeRule::From::type_set && tensor.dtype.name == type.name;
    };
    const bool used =
        std::any_of(draft.op.arguments.begin(), draft.op.arguments.end(),
                    [&](const Argument& argument) { return argument.tensor && uses(*argument.tensor); }) ||
        std::any_of(draft.op.results.begin(), draft.op.results.end(),
                    [&](const Result& result) { return uses(result.tensor); });
    if (!used) draft.error(type.where, fmt::format("no tensor has the type `{}`", type.name)).help = "leave it out";
  }
}

Operator read_operator(const Node& document, Diagnostics& diagnostics) {
  Draft draft{.op = {}, .document = document, .diagnostics = diagnostics, .earlier_errors = diagnostics.error_count()};
  const Node* name = document.find("operator");
  check_keys(document, "an operator", name != nullptr ? name->where : document.where, operator_keys, diagnostics);
  read_head(draft);
  read_types(draft);
  read_arguments(draft);
  read_absent(draft);
  if (draft.dims_read) order_dims(draft);
  read_results(draft);
  read_rules(draft);
  check_types_are_used(draft);
  read_gradient(draft);
  read_kernels(draft);
  read_sample(draft);
  return std::move(draft.op);
}

void set_path(Operator& op, const std::string& root_relative) {
  op.path = root_relative;
  const auto slash = root_relative.find_last_of('/');
  op.family = slash == std::string::npos ? "" : root_relative.substr(0, slash);
  op.stem = slash == std::string::npos ? root_relative : root_relative.substr(slash + 1);
  if (const auto dot = op.stem.find_last_of('.'); dot != std::string::npos) op.stem.resize(dot);
}

class Loader {
 public:
  explicit Loader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void read(const DeclarationFile& file) {
    const int errors = diagnostics_.error_count();
    auto documents = parse_yaml(file.source, diagnostics_);
    if (!documents.empty() && is_cut_short(documents.back(), errors)) {
      // What its rest would have said is not known, so it is not judged; but it declares a name.
      if (const Node* name = documents.back().find("operator")) names_.push_back(name->text);
      documents.pop_back();
    }
    if (documents.empty() && diagnostics_.error_count() == errors)
      diagnostics_.error({file.source, {1, 1}, {1, 1}}, "the file declares no operator").help =
          "begin with `operator: NAME`";
    for (const Node& document : documents) {
      if (!expect_kind(document, NodeKind::mapping, "a declaration", diagnostics_)) continue;
      read(file, document);
    }
  }

  Library finish() {
    std::set<std::string> broken;
    check_gradient_targets(operators_, names_, diagnostics_, broken);
    std::erase_if(operators_, [&](const Operator& op) { return broken.contains(op.name); });
    std::stable_sort(operators_.begin(), operators_.end(),
                     [](const Operator& left, const Operator& right) { return left.path < right.path; });
    return {std::move(operators_)};
  }

 private:
  /// Whether the reading of YAML stopped in this last document, or right behind it.
  bool is_cut_short(const Node& document, int earlier_errors) const {
    if (diagnostics_.error_count() == earlier_errors) return false;
    return diagnostics_.all().back().where.begin >= document.where.end;
  }

  void read(const DeclarationFile& file, const Node& document) {
    const int errors = diagnostics_.error_count();
    Operator op = read_operator(document, diagnostics_);
    set_path(op, file.root_relative);
    if (!op.name.empty()) check_is_new(op);
    if (diagnostics_.error_count() == errors) operators_.push_back(std::move(op));
  }

  void check_is_new(const Operator& op) {
    names_.push_back(op.name);
    const auto [first, is_new] = places_.try_emplace(op.name, op.where);
    if (is_new) return;
    Diagnostic& error = diagnostics_.error(op.where, fmt::format("the operator `{}` is declared twice", op.name));
    error.notes.push_back({.severity = Severity::note,
                           .message = "the first declaration is here",
                           .where = first->second,
                           .law = "",
                           .help = "",
                           .notes = {}});
  }

  Diagnostics& diagnostics_;
  std::vector<Operator> operators_;
  std::vector<std::string> names_;
  std::map<std::string, SourceRange> places_;
};

}  // namespace

Library load(const std::vector<DeclarationFile>& files, Diagnostics& diagnostics) {
  Loader loader(diagnostics);
  for (const DeclarationFile& file : files) loader.read(file);
  return loader.finish();
}

}  // namespace opwright::model
