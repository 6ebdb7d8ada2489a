#include "decl/diagnostics.h"

#include <gtest/gtest.h>

#include "decl/testing.h"

namespace opwright {
namespace {

using testing::printed;
using testing::source;

TEST(Diagnostics, PrintsPlaceLawLineCaretHelpAndNotes) {
  const SourceFilePtr file = source("probs: P[T, K]\ngrad_probs: D[T, K]\n", "moe/a.yaml");
  Diagnostics diagnostics;
  Diagnostic& error = diagnostics.error({file, {2, 13}, {2, 20}}, "grad_probs has another dtype than probs");
  error.law = "L1";
  error.help = "write `grad_probs: like probs`";
  error.add_note({file, {1, 8}, {1, 9}}, "probs is declared here");
  EXPECT_EQ(printed(diagnostics),
            "moe/a.yaml:2:13: error: grad_probs has another dtype than probs [L1]\n"
            "  2 | grad_probs: D[T, K]\n"
            "    |             ^~~~~~~\n"
            "  = help: write `grad_probs: like probs`\n"
            "moe/a.yaml:1:8: note: probs is declared here\n"
            "  1 | probs: P[T, K]\n"
            "    |        ^\n");
}

TEST(Diagnostics, CountsErrorsAndWarnings) {
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.warning({}, "odd");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.error({}, "bad");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 1);
  EXPECT_EQ(diagnostics.warning_count(), 1);
}

TEST(Diagnostics, AFindingWithoutAPlaceIsOneLine) {
  Diagnostics diagnostics;
  diagnostics.error({source("x", "a.yaml"), {}, {}}, "the file has no operator");
  diagnostics.warning({}, "nothing to do");
  EXPECT_EQ(printed(diagnostics), "a.yaml: error: the file has no operator\nwarning: nothing to do\n");
}

TEST(Diagnostics, TheCaretStandsBelowItsCharacterBehindTabsAndWideCharacters) {
  const SourceFilePtr file = source("\t汉字 x");
  Diagnostics diagnostics;
  diagnostics.error({file, {1, 5}, {1, 6}}, "bad");
  EXPECT_EQ(printed(diagnostics),
            "test.yaml:1:5: error: bad\n"
            "  1 |  汉字 x\n"
            "    |       ^\n");
}

TEST(Diagnostics, ARangeOfSeveralLinesIsUnderlinedToTheEndOfTheFirst) {
  const SourceFilePtr file = source("ab cd\nef\n");
  Diagnostics diagnostics;
  diagnostics.error({file, {1, 4}, {2, 3}}, "bad");
  EXPECT_EQ(printed(diagnostics),
            "test.yaml:1:4: error: bad\n"
            "  1 | ab cd\n"
            "    |    ^~\n");
}

TEST(Diagnostics, APlaceBehindTheLineStillHasACaret) {
  Diagnostics diagnostics;
  diagnostics.error({source("ab"), {1, 3}, {1, 3}}, "bad");
  EXPECT_EQ(printed(diagnostics),
            "test.yaml:1:3: error: bad\n"
            "  1 | ab\n"
            "    |   ^\n");
}

TEST(Diagnostics, ALongLineIsCutToAWindowAroundTheCaret) {
  const SourceFilePtr file = source(std::string(200, 'a') + "HERE" + std::string(200, 'b'));
  Diagnostics diagnostics;
  diagnostics.error({file, {1, 201}, {1, 205}}, "bad");
  EXPECT_EQ(printed(diagnostics), "test.yaml:1:201: error: bad\n  1 | ..." + std::string(40, 'a') + "HERE" +
                                      std::string(66, 'b') + "...\n    | " + std::string(43, ' ') + "^~~~\n");
}

TEST(Diagnostics, AtTheEndOfALongLineTheWindowReachesBack) {
  const SourceFilePtr file = source(std::string(200, 'a') + "HERE");
  Diagnostics diagnostics;
  diagnostics.error({file, {1, 201}, {1, 205}}, "bad");
  EXPECT_EQ(printed(diagnostics), "test.yaml:1:201: error: bad\n  1 | ..." + std::string(106, 'a') + "HERE\n    | " +
                                      std::string(109, ' ') + "^~~~\n");
}

TEST(Diagnostics, SortPutsFindingsInTheOrderOfTheFile) {
  const SourceFilePtr file = source("a\nb\n");
  Diagnostics diagnostics;
  diagnostics.error({file, {2, 1}, {2, 2}}, "second");
  diagnostics.error({file, {1, 1}, {1, 2}}, "first");
  diagnostics.sort();
  EXPECT_EQ(diagnostics.all()[0].message, "first");
  EXPECT_EQ(diagnostics.all()[1].message, "second");
}

TEST(NearestName, FindsSlipsOfTheKeyboard) {
  const std::vector<std::string> keys = {"types", "arguments", "results", "rules"};
  EXPECT_EQ(nearest_name("tpyes", keys), "types");
  EXPECT_EQ(nearest_name("resutls", keys), "results");
  EXPECT_EQ(nearest_name("argument", keys), "arguments");
  EXPECT_EQ(nearest_name("kernels", keys), std::nullopt);
  EXPECT_EQ(nearest_name("", keys), std::nullopt);
}

TEST(NearestName, TheNearestOfSeveralIsMeantAndTheFirstOfEquallyNear) {
  const std::vector<std::string> names = {"grad_probs_all", "grad_prob", "grad_probe"};
  EXPECT_EQ(nearest_name("grad_probs", names), "grad_prob");
}

TEST(NearestName, OneLetterNeverMeansAnother) {
  const std::vector<std::string> dims = {"T", "K"};
  EXPECT_EQ(nearest_name("S", dims), std::nullopt);
}

}  // namespace
}  // namespace opwright
