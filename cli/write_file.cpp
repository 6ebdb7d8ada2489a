#include "cli/write_file.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

namespace opwright::cli {
namespace {

namespace fs = std::filesystem;

bool write_directly(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

}  // namespace

void write_file(const fs::path& path, std::string_view text) {
  const auto fail = [&] { throw std::runtime_error(fmt::format("cannot write {}", path.string())); };
  if (fs::exists(path) && !fs::is_regular_file(path)) {
    if (!write_directly(path, text)) fail();
    return;
  }
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  // A link stays one: the file that it leads to is replaced.
  const fs::path target = fs::exists(path) ? fs::canonical(path) : path;
  fs::path unfinished = target;
  unfinished += ".tmp";
  if (!write_directly(unfinished, text)) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    fail();
  }
  fs::rename(unfinished, target);
}

}  // namespace opwright::cli
