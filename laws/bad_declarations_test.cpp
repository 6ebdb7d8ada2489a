// Every declaration in tests/declarations/bad, and the whole of what is said about it in the file of the same name that
// ends in .txt: what `opwright lint` prints, without its last line.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "laws/laws.h"
#include "model/testing.h"

namespace opwright::laws {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_ending_in(const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator("tests/declarations/bad")) {
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class BadDeclaration : public ::testing::TestWithParam<std::string> {};

TEST_P(BadDeclaration, IsAnsweredWithTheWholeMessage) {
  const std::string path = "tests/declarations/bad/" + GetParam();
  Diagnostics diagnostics;
  const auto text = testing::read_file(path + ".yaml");
  const model::Library library = model::load({testing::declaration(path + ".yaml", text)}, diagnostics);
  check(library, diagnostics);
  diagnostics.sort();
  EXPECT_GT(diagnostics.error_count() + diagnostics.warning_count(), 0);
  EXPECT_EQ(testing::printed(diagnostics), testing::read_file(path + ".txt"));
}

INSTANTIATE_TEST_SUITE_P(, BadDeclaration, ::testing::ValuesIn(names_ending_in(".yaml")),
                         [](const auto& parameter) { return parameter.param; });

TEST(BadDeclarations, HaveAnExpectedOutputEach) { EXPECT_EQ(names_ending_in(".yaml"), names_ending_in(".txt")); }

}  // namespace
}  // namespace opwright::laws
