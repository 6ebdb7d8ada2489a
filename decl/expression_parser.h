// Expressions out of tokens, for the parsers of whole scalars and of tensor patterns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "decl/expression.h"
#include "decl/token.h"

namespace opwright {

/// How tightly an operator binds, loosest first.
enum class Binding { conditional, either, both, negation, comparison, sum, product, sign, postfix };

/// The binding of an operator with two operands; `conditional` for anything else.
Binding binding_of(std::string_view binary_operator);

/// A Pratt parser over one scalar. After an error, which is reported once, every further step fails.
class ExpressionParser {
 public:
  ExpressionParser(const Node& node, Diagnostics& diagnostics)
      : node_(node), diagnostics_(diagnostics), tokens_(tokenize(node, diagnostics)) {}

  /// Whether the text had tokens only.
  bool ok() const { return !tokens_.empty(); }

  ExprPtr parse() { return parse(Binding::conditional); }
  /// `*B` or `*halve(Z, dim)` in the dims of a tensor; otherwise an expression.
  ExprPtr parse_dim();

  const Token& peek() const { return tokens_[at_]; }
  const Token& take() { return tokens_[peek().kind == TokenKind::end ? at_ : at_++]; }
  bool accept(std::string_view expected);
  /// Reports "expected WHAT, found …" at the next token.
  bool expect(std::string_view expected, const std::string& what);
  ExprPtr fail(const std::string& message);
  std::string found() const;
  SourceRange range_of(const Token& token) const { return node_.part(token.offset, token.text.size()); }
  /// From a token that was taken to the last one that was.
  SourceRange range_since(std::size_t offset) const;

 private:
  ExprPtr parse(Binding loosest);
  ExprPtr parse_first(Binding loosest);
  ExprPtr parse_conditional();
  ExprPtr parse_prefix(Binding operand_binding);
  ExprPtr parse_postfix(ExprPtr operand, std::size_t begin);
  bool parse_items(std::string_view closing, std::vector<ExprPtr>& items);
  ExprPtr make(Expr expr, std::size_t begin);

  const Node& node_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace opwright
