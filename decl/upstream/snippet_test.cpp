#include "decl/upstream/snippet.h"

#include <gtest/gtest.h>

#include "decl/testing.h"

namespace opwright::upstream {
namespace {

using opwright::testing::node_of;
using opwright::testing::printed;

Node scalar(const std::string& text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return *node_of("e: '" + quoted + "'").find("e");
}

/// The tree, fully in parentheses.
std::string tree(const Snippet& snippet) {
  constexpr const char* kNames[] = {"",     "",   "",   "",     "",          "?:",   "call",
                                    "get ", "->", "at", "list", "construct", "cast", "sequence"};
  std::string text = kNames[static_cast<int>(snippet.kind)] + snippet.text;
  if (snippet.operands.empty() && snippet.kind != SnippetKind::list) return text;
  for (const SnippetPtr& operand : snippet.operands) text += " " + tree(*operand);
  return "(" + text + ")";
}

std::string tree(const std::string& text) {
  Diagnostics diagnostics;
  const Node node = scalar(text);
  const SnippetPtr snippet = parse_snippet(node, diagnostics);
  return snippet ? tree(*snippet) : printed(diagnostics);
}

std::string round_trip(const std::string& text) {
  Diagnostics diagnostics;
  const Node node = scalar(text);
  const SnippetPtr snippet = parse_snippet(node, diagnostics);
  return snippet ? to_string(*snippet) : printed(diagnostics);
}

TEST(ParseSnippet, Forms) {
  EXPECT_EQ(tree("a + b * -c == d && !e || f"), "(|| (&& (== (+ a (* b (- c))) d) (! e)) f)");
  EXPECT_EQ(tree("a ? b : c ? d : e"), "(?: a b (?: c d e))");
  EXPECT_EQ(tree("x?a::b:c::d"), "(?: x a::b c::d)");
  EXPECT_EQ(tree("probs.has_value() && probs->defined()"),
            "(&& (call (get has_value probs)) (call (->defined probs)))");
  EXPECT_EQ(tree("f(x, 8L)[0].size(-1)"), "(call (get size (at (call f x 8L) 0)) (- 1))");
  EXPECT_EQ(tree("{a.size(0), 1}"), "(list (call (get size a) 0) 1)");
  EXPECT_EQ(tree("(int64_t)-1"), "(castint64_t (- 1))");
  EXPECT_EQ(tree("(char *)x"), "(castchar * x)");
  EXPECT_EQ(tree("c10::SmallVector<int64_t, op_infer::SIZE>{a}"),
            "(constructc10::SmallVector<int64_t, op_infer::SIZE> a)");
  EXPECT_EQ(tree("at::ArrayRef<int64_t>()"), "(call at::ArrayRef<int64_t>)");
  EXPECT_EQ(tree("std::abs(p - 2.0) < 1e-6 ? 2 : m"), "(?: (< (call std::abs (- p 2.0)) 1e-6) 2 m)");
  EXPECT_EQ(tree("(f(a), g(b), h)"), "(sequence (call f a) (call g b) h)");
  EXPECT_EQ(tree("\"TN\\\"D\""), "\"TN\\\"D\"");
}

TEST(ParseSnippet, PrintsWithNoMoreParenthesesThanNeeded) {
  EXPECT_EQ(round_trip("(a)+((b*c))"), "a + b * c");
  EXPECT_EQ(round_trip("a - (b - c)"), "a - (b - c)");
  EXPECT_EQ(round_trip("(a ? b : c) ? d : e"), "(a ? b : c) ? d : e");
  EXPECT_EQ(round_trip("!(a && b)"), "!(a && b)");
  EXPECT_EQ(round_trip("((a, b))"), "(a, b)");
  EXPECT_EQ(round_trip("1 .f() + 1e ->f()"), "(1).f() + (1e)->f()");
  EXPECT_EQ(round_trip("const_cast<char*>(x.data())"), "const_cast<char *>(x.data())");
}

TEST(ParseSnippet, EveryPartKnowsItsPlace) {
  Diagnostics diagnostics;
  const Node node = scalar("a ? f(b) : {c, 1}");
  const SnippetPtr snippet = parse_snippet(node, diagnostics);
  ASSERT_TRUE(snippet);
  EXPECT_EQ(snippet->where.begin, (Position{1, 5}));
  EXPECT_EQ(snippet->where.end, (Position{1, 22}));
  EXPECT_EQ(snippet->operands[1]->where.begin, (Position{1, 9}));
  EXPECT_EQ(snippet->operands[1]->where.end, (Position{1, 13}));
  EXPECT_EQ(snippet->operands[2]->where.begin, (Position{1, 16}));
}

TEST(ParseSnippet, ErrorsStandAtTheirPlace) {
  EXPECT_EQ(tree("f(a b)"),
            "test.yaml:1:9: error: expected `)`, found `b`\n"
            "  1 | e: 'f(a b)'\n"
            "    |         ^\n");
  EXPECT_EQ(tree("a ? b"),
            "test.yaml:1:10: error: expected `:`, found the end\n"
            "  1 | e: 'a ? b'\n"
            "    |          ^\n");
  EXPECT_EQ(tree("a @ b"),
            "test.yaml:1:7: error: `@` has no meaning in an expression\n"
            "  1 | e: 'a @ b'\n"
            "    |       ^\n");
  EXPECT_EQ(tree("\"abc"),
            "test.yaml:1:5: error: the string has no closing quote\n"
            "  1 | e: '\"abc'\n"
            "    |     ^\n");
  EXPECT_TRUE(
      tree(std::string(100000, '(')).starts_with("test.yaml:1:69: error: an expression is limited to 64 levels\n"));
}

TEST(CalledFunction, IsTheNameWithoutItsNamespace) {
  Diagnostics diagnostics;
  const Node call = scalar("at::native::result_type(a)");
  EXPECT_EQ(called_function(*parse_snippet(call, diagnostics)), "result_type");
  const Node member = scalar("a.sizes()");
  EXPECT_EQ(called_function(*parse_snippet(member, diagnostics)), "");
}

}  // namespace
}  // namespace opwright::upstream
