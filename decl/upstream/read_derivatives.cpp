#include "decl/upstream/entry_reader.h"
#include "decl/upstream/file.h"

namespace opwright::upstream {
namespace {

void read_entry(const Node& entry, DerivativesFile& file, Diagnostics& diagnostics) {
  const Node* name = entry.find("name");
  if (!name) {
    diagnostics.error(entry.where, "expected a derivative with `name:`");
    return;
  }
  std::optional<Schema> forward = parse_schema(*name, true, diagnostics);
  if (!forward) return;
  Derivative derivative;
  derivative.forward = std::move(*forward);
  for (const Member& member : entry.members) {
    const std::string& key = member.key.text;
    if (key == "name") continue;
    if (key == "version") {
      check_versions(member.value, file.versions, diagnostics);
    } else if (key == "output_differentiability") {
      for (const Node& item : member.value.items) derivative.output_differentiability.push_back(item.text);
    } else if (member.value.text != "non_differentiable" && !member.value.text.starts_with("auto_")) {
      derivative.formulas.push_back({read_words(member.key), read_expression(member.value, diagnostics)});
    }
  }
  file.derivatives.push_back(std::move(derivative));
}

}  // namespace

DerivativesFile read_derivatives(const SourceFilePtr& file, Diagnostics& diagnostics) {
  DerivativesFile derivatives;
  const std::vector<Node> documents = parse_yaml(file, diagnostics);
  if (documents.empty()) return derivatives;
  derivatives.versions = read_version_names(documents.front());
  for (const Member& section : documents.front().members) {
    if (section.key.text == "all_version") continue;
    for (const Node& entry : section.value.items) read_entry(entry, derivatives, diagnostics);
  }
  return derivatives;
}

}  // namespace opwright::upstream
