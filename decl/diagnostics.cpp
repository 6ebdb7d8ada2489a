#include "decl/diagnostics.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "decl/utf8.h"

namespace opwright {
namespace {

constexpr int kShownCells = 110;   // of a source line
constexpr int kCellsInFront = 40;  // kept in front of the caret when a line is cut
constexpr std::string_view kCut = "...";

/// One code point as a terminal shows it.
struct Glyph {
  std::string text;
  int cells = 1;
};

/// A tab becomes one blank, so that the caret stands below its character whatever the terminal's tab stops are;
/// what does not print becomes U+FFFD.
std::vector<Glyph> glyphs_of(std::string_view line) {
  std::vector<Glyph> glyphs;
  for (std::size_t offset = 0; offset < line.size();) {
    const std::size_t begin = offset;
    const char32_t code_point = utf8::next(line, offset);
    if (code_point == '\t') {
      glyphs.push_back({" ", 1});
    } else if (code_point < 0x20 || code_point == 0x7F || code_point == 0xFFFD) {
      glyphs.push_back({"\xEF\xBF\xBD", 1});
    } else {
      glyphs.push_back({std::string(line.substr(begin, offset - begin)), utf8::cells(code_point)});
    }
  }
  return glyphs;
}

/// The glyphs [first, last) of a line that are shown: all of a short line, a window around the caret of a long one.
std::pair<std::size_t, std::size_t> window(const std::vector<Glyph>& glyphs, std::size_t caret) {
  int total = 0;
  for (const Glyph& glyph : glyphs) total += glyph.cells;
  if (total <= kShownCells) return {0, glyphs.size()};
  std::size_t first = std::min(caret, glyphs.size());
  for (int cells = 0; first > 0 && cells + glyphs[first - 1].cells <= kCellsInFront; --first) {
    cells += glyphs[first - 1].cells;
  }
  std::size_t last = first;
  int cells = 0;
  for (; last < glyphs.size() && cells + glyphs[last].cells <= kShownCells; ++last) cells += glyphs[last].cells;
  // Near the end of the line there is room left: show more in front of the caret.
  for (; first > 0 && cells + glyphs[first - 1].cells <= kShownCells; --first) cells += glyphs[first - 1].cells;
  return {first, last};
}

/// The source line with a caret below it. A range of several lines is underlined to the end of its first.
std::string excerpt(const SourceRange& where) {
  const std::vector<Glyph> glyphs = glyphs_of(where.file->line(where.begin.line));
  const auto caret = static_cast<std::size_t>(std::max(where.begin.column - 1, 0));
  std::size_t caret_end =
      where.end.line == where.begin.line ? static_cast<std::size_t>(std::max(where.end.column - 1, 0)) : glyphs.size();
  const auto [first, last] = window(glyphs, caret);
  caret_end = std::clamp(caret_end, caret + 1, std::max(caret + 1, last));

  std::string shown;
  std::string marks;
  if (first > 0) {
    shown += kCut;
    marks.append(kCut.size(), ' ');
  }
  for (std::size_t i = first; i < std::max(last, caret_end); ++i) {
    const Glyph glyph = i < glyphs.size() ? glyphs[i] : Glyph{"", 1};
    shown += glyph.text;
    const char mark = i < caret ? ' ' : i == caret ? '^' : '~';
    if (i < caret_end) marks.append(1, mark).append(static_cast<std::size_t>(glyph.cells - 1), i < caret ? ' ' : '~');
  }
  if (last < glyphs.size()) shown += kCut;

  const std::string number = std::to_string(where.begin.line);
  return "  " + number + " | " + shown + "\n  " + std::string(number.size(), ' ') + " | " + marks + "\n";
}

}  // namespace

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "";
}

void Diagnostic::add_note(SourceRange place, std::string text) {
  notes.push_back({Severity::note, std::move(text), std::move(place), {}, {}, {}, {}});
}

Diagnostic& Diagnostics::error(SourceRange where, std::string message) {
  ++errors_;
  return all_.emplace_back(Diagnostic{Severity::error, std::move(message), std::move(where), {}, {}, {}, {}});
}

Diagnostic& Diagnostics::warning(SourceRange where, std::string message) {
  ++warnings_;
  return all_.emplace_back(Diagnostic{Severity::warning, std::move(message), std::move(where), {}, {}, {}, {}});
}

void Diagnostics::sort() {
  const auto key = [](const Diagnostic& diagnostic) {
    const SourceRange& where = diagnostic.where;
    return std::tuple(where.file ? std::string_view(where.file->path()) : std::string_view(), where.begin);
  };
  std::stable_sort(all_.begin(), all_.end(),
                   [&](const Diagnostic& left, const Diagnostic& right) { return key(left) < key(right); });
}

std::string to_text(const Diagnostic& diagnostic) {
  const SourceRange& where = diagnostic.where;
  const bool has_place = where.file && where.begin.line > 0;
  std::string text;
  if (where.file) text += where.file->path() + ":";
  if (has_place) text += std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column) + ":";
  if (!text.empty()) text += " ";
  text += std::string(to_text(diagnostic.severity)) + ": " + diagnostic.message;
  if (!diagnostic.law.empty()) text += " [" + diagnostic.law + "]";
  text += "\n";
  if (has_place) text += excerpt(where);
  if (!diagnostic.help.empty()) text += "  = help: " + diagnostic.help + "\n";
  for (const Diagnostic& note : diagnostic.notes) text += to_text(note);
  return text;
}

std::string to_text(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) text += to_text(diagnostic);
  return text;
}

}  // namespace opwright
