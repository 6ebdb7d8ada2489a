// Files are written whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace opwright::cli {

/// Writes a file by way of a second name beside it, so that nobody ever sees half of it; folders that are missing are
/// made. What is there and is no regular file, such as /dev/stdout, is written to directly. Throws std::runtime_error
/// on errors of the file system.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace opwright::cli
