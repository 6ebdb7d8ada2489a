#include "cli/output_folder.h"

#include <fstream>
#include <set>
#include <sstream>

#include "cli/write_file.h"

namespace opwright::cli {
namespace {

namespace fs = std::filesystem;

/// Lists the files of the last run, one path a line.
constexpr std::string_view manifest_name = ".opwright-files";

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool write_if_different(const fs::path& path, const std::string& text) {
  if (fs::is_regular_file(path) && read(path) == text) return false;
  write_file(path, text);
  return true;
}

std::vector<std::string> earlier_files(const fs::path& folder) {
  std::vector<std::string> files;
  std::istringstream manifest(read(folder / manifest_name));
  for (std::string line; std::getline(manifest, line);) {
    // A manifest that someone edited must not lead out of the folder.
    const fs::path path(line);
    const bool leads_out = path.is_absolute() || *path.lexically_normal().begin() == "..";
    if (!line.empty() && !leads_out) files.push_back(line);
  }
  return files;
}

}  // namespace

Written write_folder(const fs::path& folder, const std::vector<emit::Artefact>& artefacts) {
  Written written;
  std::set<std::string> current;
  std::string manifest;
  for (const emit::Artefact& artefact : artefacts) {
    ++(write_if_different(folder / artefact.path, artefact.text) ? written.changed : written.unchanged);
    if (current.insert(artefact.path).second) manifest += artefact.path + "\n";
  }
  for (const std::string& file : earlier_files(folder)) {
    if (!current.contains(file) && fs::remove(folder / file)) ++written.removed;
  }
  write_if_different(folder / manifest_name, manifest);
  return written;
}

}  // namespace opwright::cli
