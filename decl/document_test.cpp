#include "decl/document.h"

#include <gtest/gtest.h>

#include "decl/testing.h"

namespace opwright {
namespace {

using testing::printed;
using testing::source;

std::string place(const SourceRange& range) {
  return std::to_string(range.begin.line) + ":" + std::to_string(range.begin.column) + "-" +
         std::to_string(range.end.line) + ":" + std::to_string(range.end.column);
}

/// The place of the first occurrence of `part` in the value of the key `a`.
std::string place_of(const std::string& yaml, std::string_view part) {
  Diagnostics diagnostics;
  const std::vector<Node> documents = parse_yaml(source(yaml), diagnostics);
  EXPECT_EQ(printed(diagnostics), "");
  const Node& value = *documents.at(0).find("a");
  const std::size_t offset = value.text.find(part);
  EXPECT_NE(offset, std::string::npos) << value.text;
  return place(value.part(offset, part.size()));
}

std::string errors_of(const std::string& yaml) {
  Diagnostics diagnostics;
  parse_yaml(source(yaml), diagnostics);
  return printed(diagnostics);
}

TEST(ParseYaml, EveryNodeKnowsItsPlace) {
  Diagnostics diagnostics;
  const auto documents = parse_yaml(source("a:\n  b: [x, 'yy']\n  ü: 1\nlist:\n- p\n- q\nempty:\n"), diagnostics);
  ASSERT_EQ(printed(diagnostics), "");
  ASSERT_EQ(documents.size(), 1u);
  const Node& root = documents[0];
  EXPECT_EQ(place(root.where), "1:1-7:7");
  const Node& inner = *root.find("a");
  EXPECT_EQ(place(inner.where), "2:3-3:7");
  EXPECT_EQ(place(inner.find("b")->where), "2:6-2:15");
  EXPECT_EQ(place(inner.find("b")->items[1].where), "2:10-2:14");
  EXPECT_TRUE(inner.find("b")->items[1].quoted);
  EXPECT_FALSE(inner.find("b")->items[0].quoted);
  EXPECT_EQ(place(inner.find("ü")->where), "3:6-3:7");
  EXPECT_EQ(place(root.find("list")->where), "5:1-6:4");
  EXPECT_EQ(place(root.find("empty")->where), "7:7-7:7");
  EXPECT_TRUE(root.find("empty")->is_null());
  EXPECT_EQ(root.find("nothing"), nullptr);
}

TEST(ParseYaml, ABlockOfTextEndsAtItsLastCharacter) {
  EXPECT_EQ(place(testing::node_of("a: |\n  one\n  two\n\nb: 1\n").find("a")->where), "1:4-3:6");
}

TEST(ParseYaml, SeveralDocuments) {
  Diagnostics diagnostics;
  const auto documents = parse_yaml(source("a: 1\n---\nb: 2\n"), diagnostics);
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[1].find("b")->text, "2");
  EXPECT_TRUE(parse_yaml(source(""), diagnostics).empty());
  EXPECT_TRUE(parse_yaml(source("# only a comment\n"), diagnostics).empty());
  EXPECT_EQ(printed(diagnostics), "");
}

TEST(ParseYaml, NullIsUnquotedOnly) {
  EXPECT_TRUE(testing::node_of("a: ~").find("a")->is_null());
  EXPECT_TRUE(testing::node_of("a: null").find("a")->is_null());
  EXPECT_FALSE(testing::node_of("a: 'null'").find("a")->is_null());
  EXPECT_FALSE(testing::node_of("a: ''").find("a")->is_null());
}

TEST(ParseYaml, PlacesDoNotDependOnLineBreaksThatEditorsDoNotShow) {
  // U+0085 in a comment is a line break to YAML 1.1, and to nobody else.
  EXPECT_EQ(place_of("# \xC2\x85\r\na: x\r\n", "x"), "2:4-2:5");
}

TEST(NodePart, IsExactInEveryStyle) {
  EXPECT_EQ(place_of("a: D[T, K]", "T"), "1:6-1:7");
  EXPECT_EQ(place_of("a: 'it''s K'", "K"), "1:11-1:12");
  EXPECT_EQ(place_of("a: \"x\\u00e9\\n K\"", "K"), "1:15-1:16");
  EXPECT_EQ(place_of("a: \"x\\\n   yK\"", "K"), "2:5-2:6");
  EXPECT_EQ(place_of("a: ü + K", "K"), "1:8-1:9");
  EXPECT_EQ(place_of("a: one\n   two K", "K"), "2:8-2:9");
  EXPECT_EQ(place_of("a: >-\n  one\n  two K\n", "K"), "3:7-3:8");
  EXPECT_EQ(place_of("a: >-\n  one\n  two K\n", "one"), "2:3-2:6");
  EXPECT_EQ(place_of("a: |\n  one\n\n    two K\n", "K"), "4:9-4:10");
}

TEST(NodePart, BehindTheLastCharacterIsInFrontOfTheQuote) {
  const Node node = testing::node_of("a: 'xy'");
  EXPECT_EQ(place(node.find("a")->part(2, 0)), "1:7-1:7");
  EXPECT_EQ(place(node.find("a")->part(99, 5)), "1:7-1:7");
}

TEST(ParseYaml, ADuplicateKeyNamesBothPlaces) {
  EXPECT_EQ(errors_of("types: 1\nrules: 2\ntypes: 3\n"),
            "test.yaml:3:1: error: the key `types` is given twice\n"
            "  3 | types: 3\n"
            "    | ^~~~~\n"
            "test.yaml:1:1: note: first given here\n"
            "  1 | types: 1\n"
            "    | ^~~~~\n");
}

TEST(ParseYaml, AliasesAnchorsAndTagsAreErrors) {
  EXPECT_EQ(errors_of("a: *B\n"),
            "test.yaml:1:4: error: `*B` is a YAML alias, and declarations have none\n"
            "  1 | a: *B\n"
            "    |    ^~\n"
            "  = help: write `'*B'` in quotes if it is text, or the value that it stands for\n");
  EXPECT_EQ(errors_of("a: &x 1\n"),
            "test.yaml:1:4: error: `&x` is a YAML anchor, and declarations have none\n"
            "  1 | a: &x 1\n"
            "    |    ^\n");
  EXPECT_EQ(errors_of("a: !!int 1\n"),
            "test.yaml:1:4: error: `tag:yaml.org,2002:int` is a YAML tag, and declarations have none\n"
            "  1 | a: !!int 1\n"
            "    |    ^\n");
}

TEST(ParseYaml, BadSyntaxHasItsPlaceAndKeepsWhatWasRead) {
  Diagnostics diagnostics;
  const auto documents = parse_yaml(source("a: 1\nb: 'x\n"), diagnostics);
  EXPECT_EQ(printed(diagnostics),
            "test.yaml:3:1: error: bad YAML: found unexpected end of stream\n"
            "  3 | \n"
            "    | ^\n"
            "test.yaml:2:4: note: while scanning a quoted scalar\n"
            "  2 | b: 'x\n"
            "    |    ^\n");
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_EQ(documents[0].find("a")->text, "1");
}

TEST(ParseYaml, AnUnclosedListReachesToItsLastItem) {
  Diagnostics diagnostics;
  const auto documents = parse_yaml(source("a: [b, {c: dd"), diagnostics);
  EXPECT_EQ(diagnostics.error_count(), 1);
  EXPECT_EQ(place(documents.at(0).find("a")->where), "1:4-1:14");
}

TEST(ParseYaml, ATabIsNamed) {
  EXPECT_EQ(errors_of("a:\n\tb: 1\n"),
            "test.yaml:2:1: error: bad YAML: found character that cannot start any token\n"
            "  2 |  b: 1\n"
            "    | ^\n"
            "  = help: indent with blanks instead of tabs\n");
}

TEST(ParseYaml, InvalidUtf8HasItsPlace) {
  EXPECT_EQ(errors_of("a: 1\nb: x\xFF\n"),
            "test.yaml:2:5: error: this is not UTF-8: invalid leading UTF-8 octet\n"
            "  2 | b: x\xEF\xBF\xBD\n"
            "    |     ^\n");
  EXPECT_EQ(errors_of("b: x\x01\n"),
            "test.yaml:1:5: error: control characters are not allowed in YAML\n"
            "  1 | b: x\xEF\xBF\xBD\n"
            "    |     ^\n");
}

TEST(ParseYaml, NestingIsLimited) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "[";
  const std::string errors = errors_of(deep);
  EXPECT_TRUE(errors.starts_with("test.yaml:1:65: error: nesting is limited to 64 levels\n")) << errors;
  EXPECT_EQ(errors_of(std::string(64, '[') + std::string(64, ']')), "");
}

TEST(ParseYaml, AKeyIsPlainText) {
  EXPECT_EQ(errors_of("[a, b]: 1\n"),
            "test.yaml:1:1: error: a key must be plain text\n"
            "  1 | [a, b]: 1\n"
            "    | ^~~~~~\n");
}

}  // namespace
}  // namespace opwright
