#include "decl/expression.h"

#include "decl/expression_parser.h"

namespace opwright {
namespace {

ExprPtr parse_whole(ExpressionParser& parser) {
  ExprPtr expr = parser.parse();
  if (expr && parser.peek().kind != TokenKind::end) {
    return parser.fail("expected an operator or the end, found " + parser.found());
  }
  return expr;
}

bool parse_dims(ExpressionParser& parser, std::vector<TensorPattern::Dim>& dims) {
  if (parser.accept("]")) return true;
  do {
    TensorPattern::Dim dim;
    dim.size = parser.parse_dim();
    if (!dim.size) return false;
    dim.optional = parser.accept("?");
    dims.push_back(std::move(dim));
  } while (parser.accept(","));
  return parser.expect("]", "`,` or `]` after a dimension");
}

bool parse_like(ExpressionParser& parser, TensorPattern& pattern) {
  parser.take();
  if (parser.peek().kind != TokenKind::word || is_reserved(parser.peek().text)) {
    parser.fail("expected the argument's name after `like`, found " + parser.found());
    return false;
  }
  pattern.like = parser.take().text;
  return true;
}

bool parse_dtype_and_dims(ExpressionParser& parser, TensorPattern& pattern) {
  if (parser.peek().kind != TokenKind::word || is_reserved(parser.peek().text)) {
    parser.fail("expected a tensor such as `D[T, K]`, found " + parser.found());
    return false;
  }
  pattern.dtype_where = parser.range_of(parser.peek());
  pattern.dtype = parser.take().text;
  return parser.expect("[", "`[` and the dimensions after `" + pattern.dtype + "`") && parse_dims(parser, pattern.dims);
}

}  // namespace

ExprPtr parse_expression(const Node& node, Diagnostics& diagnostics) {
  if (!node.is_scalar()) {
    diagnostics.error(node.where, "expected an expression; a list of its own is written in quotes");
    return nullptr;
  }
  ExpressionParser parser(node, diagnostics);
  return parser.ok() ? parse_whole(parser) : nullptr;
}

std::optional<TensorPattern> parse_tensor_pattern(const Node& node, Diagnostics& diagnostics) {
  if (!node.is_scalar()) {
    diagnostics.error(node.where, "expected a tensor such as `D[T, K]`");
    return std::nullopt;
  }
  ExpressionParser parser(node, diagnostics);
  if (!parser.ok()) return std::nullopt;
  TensorPattern pattern;
  pattern.where = node.where;
  const bool good = parser.peek().is("like") ? parse_like(parser, pattern) : parse_dtype_and_dims(parser, pattern);
  if (!good) return std::nullopt;
  if (parser.accept("when")) {
    pattern.when = parse_whole(parser);
    if (!pattern.when) return std::nullopt;
  } else if (parser.peek().kind != TokenKind::end) {
    parser.fail("expected `when` and a condition, or the end, found " + parser.found());
    return std::nullopt;
  }
  return pattern;
}

}  // namespace opwright
