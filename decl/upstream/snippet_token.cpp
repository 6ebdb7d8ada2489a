#include "decl/upstream/snippet_token.h"

#include <algorithm>
#include <array>
#include <string>

#include "decl/characters.h"
#include "decl/utf8.h"

namespace opwright::upstream {
namespace {

/// Longer signs stand in front of those that they begin with.
constexpr std::array<std::string_view, 27> kSigns = {"::", "->", "&&", "||", "==", "!=", "<=", ">=", "<",
                                                     ">",  "+",  "-",  "*",  "/",  "%",  "!",  "?",  ":",
                                                     "(",  ")",  "[",  "]",  "{",  "}",  ",",  ".",  "&"};

/// `12`, `8L`, `1.`, `1e-06`: a sign belongs to it behind an `e` only.
std::size_t number_length(std::string_view text) {
  std::size_t length = 0;
  for (; length < text.size(); ++length) {
    const char c = text[length];
    const bool exponent_sign = (c == '-' || c == '+') && length > 0 && (text[length - 1] | 0x20) == 'e';
    if (!is_word(c) && c != '.' && !exponent_sign) break;
  }
  return length;
}

/// The string's length with its quotes; 0 when it is not closed.
std::size_t string_length(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return 0;
}

std::size_t word_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
}

/// The length of the token that `text` begins with, and its kind; 0 when there is none.
std::size_t read_token(std::string_view text, SnippetTokenKind& kind) {
  kind = SnippetTokenKind::number;
  if (is_digit(text.front())) return number_length(text);
  kind = SnippetTokenKind::word;
  if (is_letter(text.front())) return word_length(text);
  kind = SnippetTokenKind::string;
  if (text.front() == '"') return string_length(text);
  kind = SnippetTokenKind::sign;
  const auto sign = std::find_if(kSigns.begin(), kSigns.end(),
                                 [&](std::string_view candidate) { return text.starts_with(candidate); });
  return sign == kSigns.end() ? 0 : sign->size();
}

}  // namespace

std::vector<SnippetToken> tokenize_snippet(const Node& node, Diagnostics& diagnostics) {
  const std::string_view text = node.text;
  std::vector<SnippetToken> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    SnippetToken token;
    const std::size_t length = read_token(text.substr(at), token.kind);
    if (length == 0) {
      std::size_t end = at;
      utf8::next(text, end);
      diagnostics.error(node.part(at, end - at), text[at] == '"' ? "the string has no closing quote"
                                                                 : "`" + std::string(text.substr(at, end - at)) +
                                                                       "` has no meaning in an expression");
      return {};
    }
    token.text = text.substr(at, length);
    token.offset = at;
    tokens.push_back(token);
    at += length;
  }
  tokens.push_back({SnippetTokenKind::end, {}, text.size()});
  return tokens;
}

}  // namespace opwright::upstream
