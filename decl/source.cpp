#include "decl/source.h"

#include <algorithm>
#include <utility>

#include "decl/utf8.h"

namespace opwright {

SourceFile::SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool ends_line = text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n'));
    if (ends_line) line_starts_.push_back(i + 1);
  }
}

std::string_view SourceFile::line(int number) const {
  if (number < 1 || number > line_count()) return {};
  const std::size_t begin = line_starts_[static_cast<std::size_t>(number) - 1];
  const std::size_t end = number == line_count() ? text_.size() : line_starts_[static_cast<std::size_t>(number)];
  std::string_view line = text().substr(begin, end - begin);
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Position SourceFile::position(std::size_t byte) const {
  byte = std::min(byte, text_.size());
  const auto next_line = std::upper_bound(line_starts_.begin(), line_starts_.end(), byte);
  const std::size_t start = *(next_line - 1);
  while (byte > start && byte < text_.size() && (static_cast<unsigned char>(text_[byte]) & 0xC0u) == 0x80u) --byte;
  return {static_cast<int>(next_line - line_starts_.begin()),
          static_cast<int>(utf8::length(text().substr(start, byte - start))) + 1};
}

std::size_t SourceFile::byte(Position position) const {
  const int number = std::clamp(position.line, 1, line_count());
  const std::string_view text = line(number);
  std::size_t offset = 0;
  for (int column = 1; column < position.column && offset < text.size(); ++column) utf8::next(text, offset);
  return line_starts_[static_cast<std::size_t>(number) - 1] + offset;
}

}  // namespace opwright
