// Snippets back to text.
#include <string_view>

#include "decl/upstream/snippet.h"
#include "decl/upstream/snippet_precedence.h"

namespace opwright::upstream {
namespace {

std::string enclosed(const Snippet& snippet, bool needs_parentheses) {
  return needs_parentheses ? "(" + to_string(snippet) + ")" : to_string(snippet);
}

std::string at_least(const Snippet& snippet, Precedence precedence) {
  return enclosed(snippet, precedence_of(snippet) < precedence);
}

/// What `.` or `->` stands behind: a number in parentheses, because `1.` and `1e-` are numbers, too.
std::string before_member(const Snippet& snippet) {
  return enclosed(snippet, precedence_of(snippet) < Precedence::postfix || snippet.kind == SnippetKind::number);
}

std::string joined(const std::vector<SnippetPtr>& items, std::size_t first = 0) {
  std::string text;
  for (std::size_t i = first; i < items.size(); ++i) {
    if (i > first) text += ", ";
    text += at_least(*items[i], Precedence::conditional);
  }
  return text;
}

}  // namespace

Precedence precedence_of(std::string_view binary_operator) {
  struct Entry {
    std::string_view sign;
    Precedence precedence;
  };
  static constexpr Entry kTable[] = {
      {"||", Precedence::either}, {"&&", Precedence::both},  {"==", Precedence::equality}, {"!=", Precedence::equality},
      {"<", Precedence::order},   {"<=", Precedence::order}, {">", Precedence::order},     {">=", Precedence::order},
      {"+", Precedence::sum},     {"-", Precedence::sum},    {"*", Precedence::product},   {"/", Precedence::product},
      {"%", Precedence::product},
  };
  for (const Entry& entry : kTable) {
    if (entry.sign == binary_operator) return entry.precedence;
  }
  return Precedence::sequence;
}

Precedence precedence_of(const Snippet& snippet) {
  switch (snippet.kind) {
    case SnippetKind::sequence:
      return Precedence::postfix;  // printed in its own parentheses
    case SnippetKind::conditional:
      return Precedence::conditional;
    case SnippetKind::binary:
      return precedence_of(snippet.text);
    case SnippetKind::unary:
    case SnippetKind::cast:
      return Precedence::prefix;
    default:
      return Precedence::postfix;
  }
}

std::string to_string(const Snippet& snippet) {
  const auto operand = [&](std::size_t i) -> const Snippet& { return *snippet.operands[i]; };
  switch (snippet.kind) {
    case SnippetKind::name:
    case SnippetKind::number:
    case SnippetKind::string:
      return snippet.text;
    case SnippetKind::unary:
      return snippet.text + at_least(operand(0), Precedence::prefix);
    case SnippetKind::cast:
      return "(" + snippet.text + ")" + at_least(operand(0), Precedence::prefix);
    case SnippetKind::binary: {
      const Precedence own = precedence_of(snippet);
      return at_least(operand(0), own) + " " + snippet.text + " " +
             enclosed(operand(1), precedence_of(operand(1)) <= own);
    }
    case SnippetKind::conditional:
      return at_least(operand(0), Precedence::either) + " ? " + to_string(operand(1)) + " : " + to_string(operand(2));
    case SnippetKind::call:
      return at_least(operand(0), Precedence::postfix) + "(" + joined(snippet.operands, 1) + ")";
    case SnippetKind::member:
      return before_member(operand(0)) + "." + snippet.text;
    case SnippetKind::arrow:
      return before_member(operand(0)) + "->" + snippet.text;
    case SnippetKind::index:
      return at_least(operand(0), Precedence::postfix) + "[" + to_string(operand(1)) + "]";
    case SnippetKind::list:
      return "{" + joined(snippet.operands) + "}";
    case SnippetKind::construct:
      return snippet.text + "{" + joined(snippet.operands) + "}";
    case SnippetKind::sequence:
      return "(" + joined(snippet.operands) + ")";
  }
  return {};
}

}  // namespace opwright::upstream
