// The folder that `opwright generate` writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emit/emit.h"

namespace opwright::cli {

struct Written {
  int changed = 0;
  int unchanged = 0;
  int removed = 0;
};

/// Brings a folder to hold the artefacts: files that would not change are left alone, so that nothing is compiled again
/// for them, and files that an earlier run wrote and this one does not are removed. Other files are never touched.
/// Throws std::runtime_error on errors of the file system.
Written write_folder(const std::filesystem::path& folder, const std::vector<emit::Artefact>& artefacts);

}  // namespace opwright::cli
