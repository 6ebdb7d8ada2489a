// A source file in memory, and places in it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace opwright {

/// A place in a source file. Lines and columns count from 1; columns count code points, as editors show them.
struct Position {
  int line = 0;
  int column = 0;
  friend bool operator==(const Position&, const Position&) = default;
  friend auto operator<=>(const Position&, const Position&) = default;
};

/// The text of one file. Immutable; shared by every range that points into it. A byte order mark in front is dropped.
/// Lines end in "\n", "\r\n" or "\r".
class SourceFile {
 public:
  SourceFile(std::string path, std::string text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  /// The text of a line without its line break; empty when there is no such line.
  std::string_view line(int number) const;
  /// The place of the code point that a byte of the text belongs to (or of the end), and back. Places outside are moved
  /// to the nearest one inside.
  Position position(std::size_t byte) const;
  std::size_t byte(Position position) const;
  int line_count() const { return static_cast<int>(line_starts_.size()); }

 private:
  std::string path_;
  std::string text_;
  std::vector<std::size_t> line_starts_;  // byte offsets
};

using SourceFilePtr = std::shared_ptr<const SourceFile>;

/// Half-open: `end` is the position just behind the last code point.
struct SourceRange {
  SourceFilePtr file;
  Position begin;
  Position end;
};

}  // namespace opwright
