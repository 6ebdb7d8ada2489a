// For tests: the declarations of the repository, and declarations that stand in a test.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "decl/testing.h"
#include "model/load.h"

namespace opwright::testing {

inline std::string read_file(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline model::DeclarationFile declaration(const std::string& path, std::string text) {
  return {source(std::move(text), path), path};
}

/// The files ops/*/*.yaml, without the bridge to ATen. Tests run in the root of the repository.
inline std::vector<model::DeclarationFile> repository_declarations() {
  std::vector<model::DeclarationFile> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("ops")) {
    const auto& path = entry.path();
    if (path.extension() != ".yaml" || path.parent_path().filename() == "aten") continue;
    files.push_back({source(read_file(path), path.string()), std::filesystem::relative(path, "ops").string()});
  }
  std::sort(files.begin(), files.end(),
            [](const auto& left, const auto& right) { return left.root_relative < right.root_relative; });
  return files;
}

}  // namespace opwright::testing
