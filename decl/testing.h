// What the tests of decl/ share: texts in, printed messages out.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/document.h"
#include "decl/source.h"

namespace opwright::testing {

inline SourceFilePtr source(std::string text, std::string path = "test.yaml") {
  return std::make_shared<const SourceFile>(std::move(path), std::move(text));
}

/// The only node of a YAML text.
inline Node node_of(std::string text) {
  Diagnostics diagnostics;
  std::vector<Node> documents = parse_yaml(source(std::move(text)), diagnostics);
  return documents.empty() ? Node{} : std::move(documents.front());
}

inline std::string printed(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) text += to_text(diagnostic);
  return text;
}

}  // namespace opwright::testing
