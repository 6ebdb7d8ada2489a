#include "decl/schema.h"

#include <gtest/gtest.h>

#include "decl/testing.h"

namespace opwright {
namespace {

using testing::node_of;
using testing::printed;

std::string round_trip(const std::string& text, bool named = true) {
  Diagnostics diagnostics;
  const auto schema = parse_schema(*node_of("s: " + text).find("s"), named, diagnostics);
  return schema ? to_string(*schema) : printed(diagnostics);
}

std::string error_of(const std::string& text, bool named = true) {
  Diagnostics diagnostics;
  const auto schema = parse_schema(*node_of(text).find("s"), named, diagnostics);
  EXPECT_FALSE(schema.has_value());
  EXPECT_EQ(diagnostics.error_count(), 1);
  return printed(diagnostics);
}

TEST(ParseSchema, ReadsEveryPart) {
  Diagnostics diagnostics;
  const auto schema = parse_schema(
      *node_of("s: max.names_dim_max(Tensor self, Dimname dim, bool[3] mask=[], *, Tensor?[] t, SymInt[2]? size=None, "
               "Tensor(a!)[] out) -> (Tensor(b!) max_values, int)")
           .find("s"),
      true, diagnostics);
  ASSERT_TRUE(schema) << printed(diagnostics);
  EXPECT_EQ(schema->name, "max");
  EXPECT_EQ(schema->overload, "names_dim_max");
  ASSERT_EQ(schema->arguments.size(), 6u);
  EXPECT_EQ(schema->arguments[2].type.list_size, 3);
  EXPECT_EQ(schema->arguments[2].default_value, "[]");
  EXPECT_FALSE(schema->arguments[2].keyword_only);
  EXPECT_TRUE(schema->arguments[3].keyword_only);
  EXPECT_TRUE(schema->arguments[3].type.optional_elements);
  EXPECT_FALSE(schema->arguments[3].type.optional);
  EXPECT_TRUE(schema->arguments[4].type.optional);
  EXPECT_TRUE(schema->arguments[4].type.list);
  EXPECT_EQ(schema->arguments[5].type.alias, "a!");
  EXPECT_EQ(schema->arguments[1].where.begin, (Position{1, 35}));
  EXPECT_EQ(schema->arguments[1].where.end, (Position{1, 46}));
  ASSERT_EQ(schema->returns.size(), 2u);
  EXPECT_EQ(schema->returns[0].name, "max_values");
  EXPECT_TRUE(schema->returns[1].type.is("int"));
  EXPECT_EQ(schema->find("dim"), &schema->arguments[1]);
  EXPECT_EQ(schema->find("nothing"), nullptr);
}

TEST(ParseSchema, RoundTrips) {
  for (const std::string text : {
           "f() -> ()",
           "f(Tensor x) -> Tensor",
           "f(Tensor x) -> (Tensor y)",
           "f.out(Tensor(a!) self, Tensor?[] i, *, float p=1., str m='a, b)', str n=\"q\") -> Tensor(a!)",
           "split(Tensor(a -> *) self, int s) -> Tensor(a)[]",
           "f(int[2] a=1, int[] b=[1, 2], SymInt[1]? c=None, float d=1e-06, int e=-1, int r=Mean) -> (Tensor[], int)",
       }) {
    EXPECT_EQ(round_trip(text), text);
  }
  EXPECT_EQ(round_trip("(Tensor x, int dim=-1) -> Tensor", false), "(Tensor x, int dim=-1) -> Tensor");
  EXPECT_EQ(round_trip("f( Tensor x,int  y = 3 )->(Tensor)"), "f(Tensor x, int y=3) -> Tensor");
}

TEST(ParseSchema, ErrorsStandAtTheirPlace) {
  EXPECT_EQ(error_of("s: f(Tesnor x) -> Tensor"),
            "test.yaml:1:6: error: `Tesnor` is not a schema type\n"
            "  1 | s: f(Tesnor x) -> Tensor\n"
            "    |      ^~~~~~\n"
            "  = help: did you mean `Tensor`?\n");
  EXPECT_EQ(error_of("s: f(Tensor x Tensor y) -> Tensor"),
            "test.yaml:1:15: error: expected `)` behind the arguments, found `Tensor`\n"
            "  1 | s: f(Tensor x Tensor y) -> Tensor\n"
            "    |               ^~~~~~\n");
  EXPECT_EQ(error_of("s: f(Tensor x, int x) -> Tensor"),
            "test.yaml:1:20: error: the argument `x` is given twice\n"
            "  1 | s: f(Tensor x, int x) -> Tensor\n"
            "    |                    ^\n"
            "test.yaml:1:6: note: first given here\n"
            "  1 | s: f(Tensor x, int x) -> Tensor\n"
            "    |      ^~~~~~~~\n");
  EXPECT_EQ(error_of("s: 'f(Tensor x)'"),
            "test.yaml:1:16: error: expected `->` and the results, found the end\n"
            "  1 | s: 'f(Tensor x)'\n"
            "    |                ^\n");
  EXPECT_EQ(error_of("s: f(str x='a) -> Tensor"),
            "test.yaml:1:12: error: the string has no closing quote\n"
            "  1 | s: f(str x='a) -> Tensor\n"
            "    |            ^\n");
  EXPECT_EQ(error_of("s: Tensor x -> Tensor", false),
            "test.yaml:1:4: error: a schema without a name begins with `(`, found `Tensor`\n"
            "  1 | s: Tensor x -> Tensor\n"
            "    |    ^~~~~~\n");
}

TEST(ParseSchema, OtherErrors) {
  const auto message = [](const std::string& text) {
    const std::string printed = error_of("s: '" + text + "'");
    const std::size_t begin = printed.find("error: ") + 7;
    return printed.substr(begin, printed.find('\n') - begin);
  };
  EXPECT_EQ(message("(Tensor x) -> Tensor"), "expected the operator's name, found `(`");
  EXPECT_EQ(message("f.(Tensor x) -> Tensor"), "expected the overload's name after `.`, found `(`");
  EXPECT_EQ(message("f(*, *, Tensor x) -> Tensor"), "`*` is given twice");
  EXPECT_EQ(message("f(Tensor x, *) -> Tensor"), "expected `,` and a keyword argument after `*`, found `)`");
  EXPECT_EQ(message("f(Tensor) -> Tensor"), "expected the argument's name, found `)`");
  EXPECT_EQ(message("f(Tensor(a x) -> Tensor"), "expected `)` behind the alias set, found `x`");
  EXPECT_EQ(message("f(Tensor() x) -> Tensor"), "expected an alias set such as `a` or `a!`, found `)`");
  EXPECT_EQ(message("f(int[x] y) -> Tensor"), "expected the list's size or `]`, found `x`");
  EXPECT_EQ(message("f(int[99999999999] y) -> Tensor"), "expected the list's size or `]`, found `99999999999`");
  EXPECT_EQ(message("f(int[][] y) -> Tensor"), "lists of lists are not supported");
  EXPECT_EQ(message("f(int x=) -> Tensor"), "expected a default value, found `)`");
  EXPECT_EQ(message("f(int[] x=[1 2]) -> Tensor"), "expected `,` or `]` in the default's list, found `2`");
  EXPECT_EQ(message("f(int x) -> Tensor Tensor"), "expected the end of the schema, found `Tensor`");
  EXPECT_EQ(message("f(int ä) -> Tensor"), "expected the argument's name, found `ä`");
}

TEST(ParseSchema, AListIsNotASchema) {
  EXPECT_EQ(error_of("s: [a]"),
            "test.yaml:1:4: error: expected a schema such as `(Tensor x, int dim=-1) -> Tensor`\n"
            "  1 | s: [a]\n"
            "    |    ^~~\n");
}

/// Upstream writes its schemas by hand; blanks are all that it spells differently from PyTorch.
TEST(ParseSchema, EverySchemaOfUpstreamRoundTrips) {
  const SourceFilePtr file = testing::upstream_file("op_plugin_functions.yaml");
  if (!file) GTEST_SKIP() << "upstream's op_plugin_functions.yaml is not beside the source tree";
  Diagnostics diagnostics;
  const std::vector<Node> documents = parse_yaml(file, diagnostics);
  ASSERT_EQ(printed(diagnostics), "");
  int schemas = 0;
  for (const Member& section : documents.at(0).members) {
    for (const Node& entry : section.value.items) {
      const Node* function = entry.find("func");
      if (!function) continue;
      const auto schema = parse_schema(*function, true, diagnostics);
      ASSERT_TRUE(schema) << printed(diagnostics);
      ++schemas;
      const std::string spelled = to_string(*schema);
      Node printed_back;
      printed_back.text = spelled;
      const auto again = parse_schema(printed_back, true, diagnostics);
      ASSERT_TRUE(again) << printed(diagnostics);
      EXPECT_EQ(to_string(*again), spelled);
      const auto without_blanks = [](std::string written) {
        std::erase(written, ' ');
        return written;
      };
      EXPECT_EQ(without_blanks(spelled), without_blanks(function->text));
    }
  }
  EXPECT_EQ(schemas, 1514);
}

}  // namespace
}  // namespace opwright
