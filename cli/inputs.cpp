#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace opwright::cli {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw InputError(fmt::format("cannot read {}", path.string()));
  return text.str();
}

/// Only keys at the beginning of a line are looked at, so that nothing is parsed twice.
Form form_of(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with("operator:")) return Form::native;
    if (line.starts_with("official:") || line.starts_with("custom:")) return Form::upstream_functions;
    if (line.starts_with("backward:")) return Form::upstream_derivatives;
    begin = end + 1;
  }
  return Form::native;
}

Input read_input(const fs::path& path, const fs::path& root) {
  Input input;
  std::string text = read_text(path);
  input.form = form_of(text);
  input.file.source = std::make_shared<SourceFile>(path.string(), std::move(text));
  input.file.root_relative = path.lexically_relative(root).generic_string();
  return input;
}

bool is_declaration(const fs::path& path) {
  const bool yaml = path.extension() == ".yaml" || path.extension() == ".yml";
  return yaml && std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == "aten"; });
}

std::vector<Input> read_folder(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && is_declaration(entry.path().lexically_relative(folder)))
      paths.push_back(entry.path());
  }
  if (paths.empty()) throw InputError(fmt::format("there are no declarations (*.yaml) below {}", folder.string()));
  std::sort(paths.begin(), paths.end());
  std::vector<Input> inputs;
  for (const fs::path& path : paths) inputs.push_back(read_input(path, folder));
  return inputs;
}

}  // namespace

std::vector<Input> read_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  try {
    for (const std::string& named : paths) {
      // "ops" rather than "ops/": messages name files by the path as given.
      const fs::path path = named.size() > 1 && named.ends_with('/') ? fs::path(named).parent_path() : fs::path(named);
      if (fs::is_directory(path)) {
        for (Input& input : read_folder(path)) inputs.push_back(std::move(input));
      } else if (fs::exists(path)) {
        inputs.push_back(read_input(path, path.parent_path().parent_path()));
      } else {
        throw InputError(fmt::format("there is no {}", named));
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw InputError(error.what());
  }
  return inputs;
}

}  // namespace opwright::cli
