// What the tests of decl/ share: texts in, printed messages out.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
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

inline std::string printed(const Diagnostics& diagnostics) { return to_text(diagnostics); }

/// One of op-plugin's own files, where they lie beside the source tree, in whose root tests run; null elsewhere.
inline SourceFilePtr upstream_file(const std::string& name) {
  std::ifstream stream(std::filesystem::path("..") / "shared" / "upstream" / name);
  if (!stream) return nullptr;
  std::stringstream text;
  text << stream.rdbuf();
  return source(text.str(), name);
}

}  // namespace opwright::testing
