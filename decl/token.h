// The words and signs of an expression, each with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/document.h"

namespace opwright {

enum class TokenKind { integer, word, sign, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // of the scalar's text; empty at the end
  std::int64_t value = 0;
  std::size_t offset = 0;

  /// A sign, or a word of the language such as `if`.
  bool is(std::string_view expected) const { return kind != TokenKind::integer && text == expected; }
};

/// The tokens of a scalar's text, with one `end` behind them. On a character that no expression has, reports it and
/// returns nothing. The tokens point into the node.
std::vector<Token> tokenize(const Node& node, Diagnostics& diagnostics);

/// Whether a word belongs to the language and cannot be a name: if, then, else, and, or, not, true, false.
bool is_reserved(std::string_view word);

}  // namespace opwright
