#include "decl/token.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "decl/characters.h"
#include "decl/utf8.h"

namespace opwright {
namespace {

/// Longer signs stand in front of those that they begin with.
constexpr std::array<std::string_view, 18> kSigns = {"==", "!=", "<=", ">=", "+", "-", "*", "/", "%",
                                                     "<",  ">",  "(",  ")",  "[", "]", ",", "?", "."};

/// What people write from other languages, and what it is here.
struct Foreign {
  std::string_view text;
  std::string_view instead;
};
constexpr std::array<Foreign, 4> kForeign = {{{"&&", "and"}, {"||", "or"}, {"!", "not"}, {"=", "=="}}};

std::size_t span(std::string_view text, bool (*belongs)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
}

}  // namespace

bool is_reserved(std::string_view word) {
  constexpr std::array<std::string_view, 8> words = {"if", "then", "else", "and", "or", "not", "true", "false"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<Token> tokenize(const Node& node, Diagnostics& diagnostics) {
  const std::string_view text = node.text;
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto begins_rest = [&](std::string_view sign) { return rest.starts_with(sign); };
    Token token{TokenKind::sign, {}, 0, at};
    if (is_blank(rest.front())) {
      ++at;
      continue;
    }
    if (is_digit(rest.front())) {
      token.kind = TokenKind::integer;
      token.text = rest.substr(0, span(rest, is_digit));
      const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.value);
      if (error != std::errc()) {
        diagnostics.error(node.part(at, token.text.size()),
                          "`" + std::string(token.text) + "` does not fit in 64 bits");
        return {};
      }
    } else if (is_letter(rest.front())) {
      token.kind = TokenKind::word;
      token.text = rest.substr(0, span(rest, is_word));
    } else if (const auto sign = std::find_if(kSigns.begin(), kSigns.end(), begins_rest); sign != kSigns.end()) {
      token.text = rest.substr(0, sign->size());
    } else {
      const auto foreign = std::find_if(kForeign.begin(), kForeign.end(),
                                        [&](const Foreign& candidate) { return begins_rest(candidate.text); });
      if (foreign != kForeign.end()) {
        diagnostics
            .error(node.part(at, foreign->text.size()), "`" + std::string(foreign->text) + "` is not an operator here")
            .help = "write `" + std::string(foreign->instead) + "`";
        return {};
      }
      std::size_t end = at;
      utf8::next(text, end);
      diagnostics.error(node.part(at, end - at),
                        "`" + std::string(text.substr(at, end - at)) + "` has no meaning in an expression");
      return {};
    }
    at += token.text.size();
    tokens.push_back(token);
  }
  tokens.push_back({TokenKind::end, {}, 0, text.size()});
  return tokens;
}

}  // namespace opwright
