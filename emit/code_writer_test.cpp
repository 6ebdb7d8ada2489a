#include "emit/code_writer.h"

#include <gtest/gtest.h>

namespace opwright::emit {
namespace {

TEST(CodeWriter, IndentsBlocks) {
  CodeWriter out;
  out.open("if (x) {");
  out.line("y();");
  out.between("} else {");
  out.line("z();");
  out.close("}");
  EXPECT_EQ(out.text(), "if (x) {\n  y();\n} else {\n  z();\n}\n");
}

TEST(CodeWriter, AlignsCommentsOfLinesThatFollowEachOther) {
  CodeWriter out;
  out.line("View x;", "D[T]");
  out.line("View probs;", "P[T, K]");
  out.line("bool flag;");
  out.line("View y;", "D[T]");
  EXPECT_EQ(out.text(), "View x;      // D[T]\nView probs;  // P[T, K]\nbool flag;\nView y;  // D[T]\n");
}

TEST(CodeWriter, BreaksListsBehindTheParenthesis) {
  CodeWriter out;
  out.list("call(", {std::string(60, 'a'), std::string(50, 'b'), std::string(40, 'c')}, ");");
  EXPECT_EQ(out.text(),
            "call(" + std::string(60, 'a') + ", " + std::string(50, 'b') + ",\n     " + std::string(40, 'c') + ");\n");
}

TEST(CodeWriter, BreaksListsBelowItWhereThatSavesLines) {
  CodeWriter out;
  const std::string item(35, 'a');
  out.list(std::string(70, 'f') + "(", {item, item, item}, ");");
  EXPECT_EQ(out.text(), std::string(70, 'f') + "(\n    " + item + ", " + item + ", " + item + ");\n");
}

TEST(CodeWriter, CutsLongLiteralsAtSpaces) {
  CodeWriter out;
  out.list("call(", {literal(std::string(70, 'a') + " " + std::string(70, 'b'))}, ");");
  EXPECT_EQ(out.text(), "call(\"" + std::string(70, 'a') + " \"\n     \"" + std::string(70, 'b') + "\");\n");
}

TEST(CodeWriter, CutsLongLambdasBehindOperators) {
  CodeWriter out;
  out.list("call(", {"[&] { return " + std::string(70, 'a') + " && " + std::string(70, 'b') + "; }"}, ");");
  EXPECT_EQ(out.text(), "call([&] {\n       return " + std::string(70, 'a') + " &&\n           " +
                            std::string(70, 'b') + ";\n     });\n");
}

TEST(Literal, EscapesQuotesBackslashesAndLineBreaks) { EXPECT_EQ(literal("a\"b\\c\n"), R"("a\"b\\c\n")"); }

}  // namespace
}  // namespace opwright::emit
