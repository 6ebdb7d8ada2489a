#include "decl/expression_parser.h"

#include <utility>

namespace opwright {
namespace {

constexpr int kDepthLimit = 64;

Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

/// Counts the levels that a step of the parser is below the whole expression.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth), before_(depth) { ++depth; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { depth_ = before_; }

 private:
  int& depth_;
  int before_;
};

}  // namespace

Binding binding_of(std::string_view binary_operator) {
  struct Entry {
    std::string_view sign;
    Binding binding;
  };
  static constexpr Entry kTable[] = {
      {"or", Binding::either},    {"and", Binding::both},      {"==", Binding::comparison}, {"!=", Binding::comparison},
      {"<", Binding::comparison}, {"<=", Binding::comparison}, {">", Binding::comparison},  {">=", Binding::comparison},
      {"+", Binding::sum},        {"-", Binding::sum},         {"*", Binding::product},     {"/", Binding::product},
      {"%", Binding::product},
  };
  for (const Entry& entry : kTable) {
    if (entry.sign == binary_operator) return entry.binding;
  }
  return Binding::conditional;
}

bool ExpressionParser::accept(std::string_view expected) {
  if (!peek().is(expected)) return false;
  take();
  return true;
}

bool ExpressionParser::expect(std::string_view expected, const std::string& what) {
  if (accept(expected)) return true;
  fail("expected " + what + ", found " + found());
  return false;
}

ExprPtr ExpressionParser::fail(const std::string& message) {
  diagnostics_.error(range_of(peek()), message);
  return nullptr;
}

std::string ExpressionParser::found() const {
  return peek().kind == TokenKind::end ? "the end" : "`" + std::string(peek().text) + "`";
}

SourceRange ExpressionParser::range_since(std::size_t offset) const {
  const Token& last = tokens_[at_ > 0 ? at_ - 1 : 0];
  return node_.part(offset, last.offset + last.text.size() - offset);
}

ExprPtr ExpressionParser::make(Expr expr, std::size_t begin) {
  expr.where = range_since(begin);
  return std::make_shared<const Expr>(std::move(expr));
}

ExprPtr ExpressionParser::parse_dim() {
  const std::size_t begin = peek().offset;
  if (!accept("*")) return parse();
  if (peek().kind != TokenKind::word || is_reserved(peek().text)) {
    return fail("expected the name of a pack after `*`, found " + found());
  }
  ExprPtr pack = parse(Binding::postfix);
  if (!pack) return nullptr;
  return make({ExprKind::spread, 0, {}, {std::move(pack)}, {}}, begin);
}

ExprPtr ExpressionParser::parse(Binding loosest) {
  const Level level(depth_);
  const std::size_t begin = peek().offset;
  ExprPtr left = parse_first(loosest);
  while (left) {
    const Binding binding = binding_of(peek().text);
    if (binding == Binding::conditional || binding < loosest) return left;
    if (++depth_ > kDepthLimit) return fail("an expression is limited to " + std::to_string(kDepthLimit) + " levels");
    const std::string sign(take().text);
    ExprPtr right = parse(tighter(binding));
    if (!right) return nullptr;
    left = make({ExprKind::binary, 0, sign, {std::move(left), std::move(right)}, {}}, begin);
    if (binding == Binding::comparison && binding_of(peek().text) == Binding::comparison) {
      return fail("comparisons cannot be chained; join two of them with `and`");
    }
  }
  return nullptr;
}

ExprPtr ExpressionParser::parse_first(Binding loosest) {
  if (depth_ > kDepthLimit) return fail("an expression is limited to " + std::to_string(kDepthLimit) + " levels");
  const Token& token = peek();
  const std::size_t begin = token.offset;
  if (token.is("if") || token.is("not")) {
    const Binding own = token.is("if") ? Binding::conditional : Binding::negation;
    if (own < loosest) return fail("put `" + std::string(token.text) + " …` in parentheses here");
    return token.is("if") ? parse_conditional() : parse_prefix(Binding::negation);
  }
  if (token.is("-")) return parse_prefix(Binding::sign);
  if (token.kind == TokenKind::integer) {
    take();
    return parse_postfix(make({ExprKind::integer, token.value, {}, {}, {}}, begin), begin);
  }
  if (token.is("true") || token.is("false")) {
    take();
    return parse_postfix(make({ExprKind::boolean, token.is("true") ? 1 : 0, {}, {}, {}}, begin), begin);
  }
  if (accept("(")) {
    ExprPtr inside = parse();
    if (!inside || !expect(")", "`)`")) return nullptr;
    return parse_postfix(std::move(inside), begin);
  }
  if (accept("[")) {
    Expr list{ExprKind::list, 0, {}, {}, {}};
    if (!parse_items("]", list.operands)) return nullptr;
    return parse_postfix(make(std::move(list), begin), begin);
  }
  if (token.kind != TokenKind::word || is_reserved(token.text)) return fail("expected an expression, found " + found());
  Expr name{ExprKind::name, 0, std::string(take().text), {}, {}};
  if (accept("(")) {
    name.kind = ExprKind::call;
    if (!parse_items(")", name.operands)) return nullptr;
  }
  return parse_postfix(make(std::move(name), begin), begin);
}

ExprPtr ExpressionParser::parse_conditional() {
  const std::size_t begin = take().offset;
  ExprPtr condition = parse();
  if (!condition || !expect("then", "`then` after the condition")) return nullptr;
  ExprPtr then = parse();
  if (!then || !expect("else", "`else` and the other value")) return nullptr;
  ExprPtr otherwise = parse();
  if (!otherwise) return nullptr;
  return make({ExprKind::conditional, 0, {}, {std::move(condition), std::move(then), std::move(otherwise)}, {}}, begin);
}

ExprPtr ExpressionParser::parse_prefix(Binding operand_binding) {
  const Token& sign = take();
  ExprPtr operand = parse(operand_binding);
  if (!operand) return nullptr;
  return make({ExprKind::unary, 0, std::string(sign.text), {std::move(operand)}, {}}, sign.offset);
}

ExprPtr ExpressionParser::parse_postfix(ExprPtr operand, std::size_t begin) {
  while (accept("[")) {
    if (++depth_ > kDepthLimit) return fail("an expression is limited to " + std::to_string(kDepthLimit) + " levels");
    ExprPtr position = parse();
    if (!position || !expect("]", "`]` after the index")) return nullptr;
    operand = make({ExprKind::index, 0, {}, {std::move(operand), std::move(position)}, {}}, begin);
  }
  return operand;
}

bool ExpressionParser::parse_items(std::string_view closing, std::vector<ExprPtr>& items) {
  if (accept(closing)) return true;
  do {
    ExprPtr item = parse();
    if (!item) return false;
    items.push_back(std::move(item));
  } while (accept(","));
  return expect(closing, "`,` or `" + std::string(closing) + "`");
}

}  // namespace opwright
