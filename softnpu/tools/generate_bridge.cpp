// generate_bridge FILE.yaml... --out FOLDER: writes the bridge to ATen as C++.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "emit/bridge.h"

namespace {

opwright::SourceFilePtr read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "generate_bridge: cannot read " << path << "\n";
    std::exit(2);
  }
  return std::make_shared<opwright::SourceFile>(path, std::string(std::istreambuf_iterator<char>(file), {}));
}

/// Compilers need not run again for what is the same.
void write_if_changed(const std::filesystem::path& path, const std::string& text) {
  std::ifstream old(path);
  if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text) return;
  std::ofstream(path) << text;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto out = std::ranges::find(arguments, "--out");
  if (out == arguments.end() || out + 2 != arguments.end() || out == arguments.begin()) {
    std::cerr << "usage: generate_bridge FILE.yaml... --out FOLDER\n";
    return 2;
  }
  std::vector<opwright::SourceFilePtr> files;
  std::ranges::transform(arguments.begin(), out, std::back_inserter(files), read_file);

  opwright::Diagnostics diagnostics;
  const auto functions = opwright::model::load_bridge(files, diagnostics);
  for (const auto& diagnostic : diagnostics.all()) std::cerr << opwright::to_text(diagnostic);
  if (diagnostics.has_errors()) return 1;

  const std::filesystem::path folder = *(out + 1);
  std::filesystem::create_directories(folder);
  for (const auto& artefact : opwright::emit::bridge(functions))
    write_if_changed(folder / artefact.path, artefact.text);
  return 0;
}
