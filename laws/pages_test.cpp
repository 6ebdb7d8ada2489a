// The pages docs/laws/L*.md are what `opwright lint --explain` prints, and the outputs that they show are real.
#include <gtest/gtest.h>

#include <filesystem>

#include "laws/laws.h"
#include "model/testing.h"

namespace opwright::laws {
namespace {

TEST(Pages, AreWhatTheCommandExplains) {
  for (const Law& law : all())
    EXPECT_EQ(law.explanation, testing::read_file("docs/laws/" + std::string(law.number) + ".md"));
}

TEST(Pages, ShowABadDeclarationAndItsWholeMessage) {
  for (const Law& law : all()) {
    bool shown = false;
    for (const auto& entry : std::filesystem::directory_iterator("tests/declarations/bad")) {
      if (entry.path().extension() == ".txt")
        shown = shown || law.explanation.find(testing::read_file(entry.path())) != std::string_view::npos;
    }
    EXPECT_TRUE(shown) << law.number;
  }
}

}  // namespace
}  // namespace opwright::laws
