// Text with indentation and line breaks as clang-format would set them (Google style, 120 columns).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opwright::emit {

class CodeWriter {
 public:
  static constexpr std::size_t columns = 120;

  /// One line, indented; an empty one is left blank. Comments behind lines that follow each other are aligned.
  void line(std::string_view text = "", std::string_view comment = "");
  /// A line, behind which everything is indented until `close`.
  void open(std::string_view text, int indent = 2);
  /// The same where the line, which may have been broken, is written already.
  void indent(int indent = 2);
  void close(std::string_view text);
  /// Closes and opens again: `} else {`.
  void between(std::string_view text);
  /// `prefix` items `suffix`, the items separated by commas and broken into lines below each other where they do not
  /// fit.
  void list(std::string_view prefix, const std::vector<std::string>& items, std::string_view suffix,
            std::string_view comment = "");
  /// A comment that is broken at spaces; `mark` is "///" or "//".
  void comment(std::string_view mark, std::string_view text);

  std::string text() const;

 private:
  std::string indentation() const { return std::string(static_cast<std::size_t>(indent_), ' '); }

  struct Line {
    std::string text;
    std::string comment;
  };

  std::vector<Line> lines_;
  int indent_ = 0;
  std::vector<int> opened_;
};

/// Items with a separator between them.
std::string join(const std::vector<std::string>& items, std::string_view separator = ", ");

/// A C++ string literal, quotes included.
std::string literal(std::string_view text);

/// Ends the first line of every generated file.
std::string banner(std::string_view mark, std::string_view source);

}  // namespace opwright::emit
