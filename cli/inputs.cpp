#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace opwright::cli {
namespace {

namespace fs = std::filesystem;

/// Far above any declaration; a device that never ends must not fill the memory.
constexpr std::size_t size_limit = std::size_t{64} << 20;

std::string read_text(const fs::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  std::string text;
  std::array<char, std::size_t{1} << 16> block;
  while (file.read(block.data(), block.size()), file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > size_limit)
      throw InputError(fmt::format("{} is larger than {} MiB", path.string(), size_limit >> 20));
  }
  if (file.bad()) throw InputError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return text;
}

/// Only keys at the beginning of a line are looked at, so that nothing is parsed twice.
Form form_of(const SourceFile& file) {
  for (int number = 1; number <= file.line_count(); ++number) {
    const std::string_view line = file.line(number);
    if (line.starts_with("operator:")) return Form::native;
    if (line.starts_with("official:") || line.starts_with("custom:")) return Form::upstream_functions;
    if (line.starts_with("backward:")) return Form::upstream_derivatives;
  }
  return Form::native;
}

Input read_input(const fs::path& path, const fs::path& root) {
  Input input;
  input.file.source = std::make_shared<SourceFile>(path.string(), read_text(path));
  input.form = form_of(*input.file.source);
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
