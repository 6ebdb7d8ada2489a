#include "emit/code_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace opwright::emit {

void CodeWriter::line(std::string_view text, std::string_view comment) {
  lines_.push_back({text.empty() ? "" : indentation() + std::string(text), std::string(comment)});
}

void CodeWriter::open(std::string_view text, int indent) {
  line(text);
  this->indent(indent);
}

void CodeWriter::indent(int indent) {
  opened_.push_back(indent);
  indent_ += indent;
}

void CodeWriter::close(std::string_view text) {
  indent_ -= opened_.back();
  opened_.pop_back();
  line(text);
}

void CodeWriter::between(std::string_view text) {
  const int indent = opened_.back();
  close(text);
  this->indent(indent);
}

namespace {

bool is_literal(std::string_view item) { return item.size() > 2 && item.front() == '"' && item.back() == '"'; }

/// Pieces of a string literal that fit into `width` columns each, cut at spaces.
std::vector<std::string> cut_literal(std::string_view item, std::size_t width) {
  std::vector<std::string> pieces;
  std::string_view rest = item.substr(1, item.size() - 2);
  while (rest.size() + 2 > width) {
    const std::size_t space = rest.rfind(' ', width - 3);
    if (space == std::string_view::npos) break;
    pieces.push_back('"' + std::string(rest.substr(0, space + 1)) + '"');
    rest.remove_prefix(space + 1);
  }
  pieces.push_back('"' + std::string(rest) + '"');
  return pieces;
}

/// An expression in lines, cut behind operators.
std::vector<std::string> cut_expression(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t cut = 0;
    for (const std::string_view sign : {" && ", " || ", " : "}) {
      const std::size_t at = text.rfind(sign, width - sign.size());
      if (at != std::string_view::npos) cut = std::max(cut, at + sign.size());
    }
    if (cut == 0) break;
    lines.emplace_back(text.substr(0, cut - 1));
    text.remove_prefix(cut);
  }
  lines.emplace_back(text);
  return lines;
}

/// What does not fit into a line of `width` columns as several: literals as adjacent ones, lambdas as blocks.
std::vector<std::string> cut(const std::string& item, std::size_t width) {
  constexpr std::string_view lambda = "[&] { ";
  if (item.size() <= width) return {item};
  if (is_literal(item)) return cut_literal(item, width);
  if (!item.starts_with(lambda)) return {item};
  std::vector<std::string> lines = {"[&] {"};
  const std::string_view body = std::string_view(item).substr(lambda.size(), item.size() - lambda.size() - 2);
  for (const std::string& line : cut_expression(body, width - 6)) {
    lines.push_back((lines.size() == 1 ? "  " : "      ") + line);
  }
  lines.push_back("}");
  return lines;
}

/// Items in lines that begin at `start`, the first one behind `head`.
std::vector<std::string> fill(const std::string& head, std::size_t start, const std::vector<std::string>& items,
                              std::string_view suffix) {
  std::vector<std::string> lines = {head};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string end = i + 1 == items.size() ? std::string(suffix) : ",";
    const bool first_in_line = lines.back().size() <= start;
    if (!first_in_line && lines.back().size() + 1 + items[i].size() + end.size() <= CodeWriter::columns) {
      lines.back() += " " + items[i] + end;
      continue;
    }
    if (!first_in_line) lines.emplace_back(start, ' ');
    const std::vector<std::string> pieces = cut(items[i], CodeWriter::columns - start - end.size());
    lines.back() += pieces.front();
    for (std::size_t piece = 1; piece < pieces.size(); ++piece)
      lines.push_back(std::string(start, ' ') + pieces[piece]);
    lines.back() += end;
  }
  return lines;
}

bool fits(const std::vector<std::string>& lines) {
  return std::all_of(lines.begin(), lines.end(), [](const auto& line) { return line.size() <= CodeWriter::columns; });
}

}  // namespace

void CodeWriter::list(std::string_view prefix, const std::vector<std::string>& items, std::string_view suffix,
                      std::string_view comment) {
  const std::string head = indentation() + std::string(prefix);
  if (items.empty()) return line(std::string(prefix) + std::string(suffix), comment);
  std::vector<std::string> lines = fill(head, head.size(), items, suffix);
  // Behind the parenthesis; below it where that saves lines.
  const std::size_t start = static_cast<std::size_t>(indent_) + 4;
  std::vector<std::string> below = fill(std::string(start, ' '), start, items, suffix);
  below.insert(below.begin(), head);
  if (!fits(lines) || below.size() < lines.size()) lines = below;
  for (const std::string& text : lines) lines_.push_back({text, ""});
  lines_.back().comment = comment;
}

void CodeWriter::comment(std::string_view mark, std::string_view text) {
  const std::string start = indentation() + std::string(mark);
  std::string current = start;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (current.size() + 1 + word.size() > columns && current != start) {
      lines_.push_back({current, ""});
      current = start;
    }
    current += " " + std::string(word);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  lines_.push_back({current, ""});
}

std::string CodeWriter::text() const {
  std::string text;
  std::size_t column = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const bool begins_block = i == 0 || lines_[i - 1].comment.empty();
    if (begins_block) {
      column = 0;
      for (std::size_t j = i; j < lines_.size() && !lines_[j].comment.empty(); ++j) {
        column = std::max(column, lines_[j].text.size() + 2);
      }
    }
    text += lines_[i].text;
    if (!lines_[i].comment.empty())
      text += std::string(column - lines_[i].text.size(), ' ') + "// " + lines_[i].comment;
    text += '\n';
  }
  return text;
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::string literal(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string banner(std::string_view mark, std::string_view source) {
  return fmt::format("{} Written by `opwright generate` from {}; change that instead.", mark, source);
}

}  // namespace opwright::emit
