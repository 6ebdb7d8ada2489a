#include "decl/expression.h"

#include <gtest/gtest.h>

#include "decl/testing.h"

namespace opwright {
namespace {

using testing::node_of;
using testing::printed;

ExprPtr parsed(const std::string& text, Diagnostics& diagnostics) {
  return parse_expression(*node_of("e: " + text).find("e"), diagnostics);
}

std::string round_trip(const std::string& text) {
  Diagnostics diagnostics;
  const ExprPtr expr = parsed(text, diagnostics);
  return expr ? to_string(*expr) : printed(diagnostics);
}

/// The tree, fully in parentheses.
std::string tree(const Expr& expr) {
  std::string text = expr.text;
  if (expr.kind == ExprKind::integer || expr.kind == ExprKind::boolean) text = std::to_string(expr.value);
  if (expr.kind == ExprKind::conditional) text = "if";
  if (expr.kind == ExprKind::index) text = "at";
  if (expr.kind == ExprKind::list) text = "list";
  if (expr.operands.empty()) return text;
  for (const ExprPtr& operand : expr.operands) text += " " + tree(*operand);
  return "(" + text + ")";
}

std::string tree(const std::string& text) {
  Diagnostics diagnostics;
  const ExprPtr expr = parsed(text, diagnostics);
  return expr ? tree(*expr) : printed(diagnostics);
}

std::string error_of(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_EQ(parsed(text, diagnostics), nullptr);
  EXPECT_EQ(diagnostics.error_count(), 1);
  return printed(diagnostics);
}

std::string pattern_error_of(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_tensor_pattern(*node_of("e: " + text).find("e"), diagnostics).has_value());
  EXPECT_EQ(diagnostics.error_count(), 1);
  return printed(diagnostics);
}

TEST(ParseExpression, Precedence) {
  EXPECT_EQ(tree("a + b * c - d"), "(- (+ a (* b c)) d)");
  EXPECT_EQ(tree("a / b / c % d"), "(% (/ (/ a b) c) d)");
  EXPECT_EQ(tree("-a * b"), "(* (- a) b)");
  EXPECT_EQ(tree("not a == b and c or d"), "(or (and (not (== a b)) c) d)");
  EXPECT_EQ(tree("if a then b else if c then d else e or f"), "(if a b (if c d (or e f)))");
  EXPECT_EQ(tree("size(x, -1)[0] + f()"), "(+ (at (size x (- 1)) 0) f)");
  EXPECT_EQ(tree("restore_shape or [1]"), "(or restore_shape (list 1))");
  EXPECT_EQ(tree("true and false"), "(and 1 0)");
}

TEST(ParseExpression, PrintsNoMoreParenthesesThanNeeded) {
  for (const std::string text : {
           "a - (b - c)",
           "(a + b) * c",
           "a == (b == c)",
           "(a == b) == c",
           "not (a and b)",
           "(not a) == b",
           "-(a + b)",
           "--a",
           "(-a)[0]",
           "(if a then b else c) + 1",
           "1 + (if a then b else c)",
           "if (if a then b else c) then d else e",
           "f(if a then b else c, [1, x])",
           "len([a, b][0])",
       }) {
    const std::string printed_once = round_trip(text);
    EXPECT_EQ(tree(printed_once), tree(text)) << printed_once;
    EXPECT_LE(printed_once.size(), text.size()) << printed_once;
  }
  EXPECT_EQ(round_trip("((a) + (b * c))"), "a + b * c");
  EXPECT_EQ(round_trip("(a and b) and (c)"), "a and b and c");
  EXPECT_EQ(round_trip("not (a == b)"), "not a == b");
}

TEST(ParseExpression, EveryPartKnowsItsPlace) {
  Diagnostics diagnostics;
  const ExprPtr expr = parsed("'a + size(x, 1)'", diagnostics);
  ASSERT_TRUE(expr);
  EXPECT_EQ(expr->where.begin, (Position{1, 5}));
  EXPECT_EQ(expr->where.end, (Position{1, 19}));
  const Expr& call = *expr->operands[1];
  EXPECT_EQ(call.where.begin, (Position{1, 9}));
  EXPECT_EQ(call.where.end, (Position{1, 19}));
  EXPECT_EQ(call.operands[1]->where.begin, (Position{1, 17}));
}

TEST(ParseExpression, ErrorsStandAtTheirPlace) {
  EXPECT_EQ(error_of("if a, b"),
            "test.yaml:1:8: error: expected `then` after the condition, found `,`\n"
            "  1 | e: if a, b\n"
            "    |        ^\n");
  EXPECT_EQ(error_of("if a then b"),
            "test.yaml:1:15: error: expected `else` and the other value, found the end\n"
            "  1 | e: if a then b\n"
            "    |               ^\n");
  EXPECT_EQ(error_of("a && b"),
            "test.yaml:1:6: error: `&&` is not an operator here\n"
            "  1 | e: a && b\n"
            "    |      ^~\n"
            "  = help: write `and`\n");
  EXPECT_EQ(error_of("0 <= k <= E"),
            "test.yaml:1:11: error: comparisons cannot be chained; join two of them with `and`\n"
            "  1 | e: 0 <= k <= E\n"
            "    |           ^~\n");
  EXPECT_EQ(error_of("a +"),
            "test.yaml:1:7: error: expected an expression, found the end\n"
            "  1 | e: a +\n"
            "    |       ^\n");
  EXPECT_EQ(error_of("99999999999999999999"),
            "test.yaml:1:4: error: `99999999999999999999` does not fit in 64 bits\n"
            "  1 | e: 99999999999999999999\n"
            "    |    ^~~~~~~~~~~~~~~~~~~~\n");
}

TEST(ParseExpression, OtherErrors) {
  const auto message = [](const std::string& text) {
    const std::string printed = error_of("'" + text + "'");
    const std::size_t begin = printed.find("error: ") + 7;
    return printed.substr(begin, printed.find('\n') - begin);
  };
  EXPECT_EQ(message(""), "expected an expression, found the end");
  EXPECT_EQ(message("a b"), "expected an operator or the end, found `b`");
  EXPECT_EQ(message("1.5"), "expected an operator or the end, found `.`");
  EXPECT_EQ(message("f(a b)"), "expected `,` or `)`, found `b`");
  EXPECT_EQ(message("(a"), "expected `)`, found the end");
  EXPECT_EQ(message("x[1"), "expected `]` after the index, found the end");
  EXPECT_EQ(message("1 + if a then b else c"), "put `if …` in parentheses here");
  EXPECT_EQ(message("a == not b"), "put `not …` in parentheses here");
  EXPECT_EQ(message("a = b"), "`=` is not an operator here");
  EXPECT_EQ(message("a $ b"), "`$` has no meaning in an expression");
  EXPECT_EQ(message("then"), "expected an expression, found `then`");
  EXPECT_EQ(message(std::string(100000, '(')), "an expression is limited to 64 levels");
  EXPECT_EQ(message(std::string(100000, '-')), "an expression is limited to 64 levels");
  std::string chain = "a";
  for (int i = 0; i < 100000; ++i) chain += "+a";
  EXPECT_EQ(message(chain), "an expression is limited to 64 levels");
}

TEST(ParseTensorPattern, ReadsEveryForm) {
  for (const std::string text : {
           "D[T, K?]",
           "D[]",
           "int32[S]",
           "X[*B, E]",
           "D[*halve(Z, dim)]",
           "P[N] when present(probs)",
           "like probs",
           "tokens_dtype[tokens_size_0, H]",
           "D[if present(probs) then R else 0, H]",
       }) {
    Diagnostics diagnostics;
    const auto pattern = parse_tensor_pattern(*node_of("e: '" + text + "'").find("e"), diagnostics);
    ASSERT_TRUE(pattern) << printed(diagnostics);
    EXPECT_EQ(to_string(*pattern), text);
  }
  Diagnostics diagnostics;
  const auto pattern = parse_tensor_pattern(*node_of("e: D[*B, K?] when present(x)").find("e"), diagnostics);
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->dtype, "D");
  EXPECT_EQ(pattern->dtype_where.begin, (Position{1, 4}));
  EXPECT_EQ(pattern->dims[0].size->kind, ExprKind::spread);
  EXPECT_TRUE(pattern->dims[1].optional);
  EXPECT_EQ(pattern->when->text, "present");
  EXPECT_EQ(parse_tensor_pattern(*node_of("e: like probs").find("e"), diagnostics)->like, "probs");
}

TEST(ParseTensorPattern, ErrorsStandAtTheirPlace) {
  EXPECT_EQ(pattern_error_of("D"),
            "test.yaml:1:5: error: expected `[` and the dimensions after `D`, found the end\n"
            "  1 | e: D\n"
            "    |     ^\n");
  EXPECT_EQ(pattern_error_of("D[T K]"),
            "test.yaml:1:8: error: expected `,` or `]` after a dimension, found `K`\n"
            "  1 | e: D[T K]\n"
            "    |        ^\n");
  EXPECT_EQ(pattern_error_of("D[T] if x"),
            "test.yaml:1:9: error: expected `when` and a condition, or the end, found `if`\n"
            "  1 | e: D[T] if x\n"
            "    |         ^~\n");
  EXPECT_EQ(pattern_error_of("D[*2]"),
            "test.yaml:1:7: error: expected the name of a pack after `*`, found `2`\n"
            "  1 | e: D[*2]\n"
            "    |       ^\n");
  EXPECT_EQ(pattern_error_of("like"),
            "test.yaml:1:8: error: expected the argument's name after `like`, found the end\n"
            "  1 | e: like\n"
            "    |        ^\n");
}

}  // namespace
}  // namespace opwright
