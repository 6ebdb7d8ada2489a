// The examples in the reference of the language are declarations without fault.
#include <gtest/gtest.h>

#include "laws/laws.h"
#include "model/testing.h"

namespace opwright::laws {
namespace {

/// The text of each ```yaml block.
std::vector<std::string> yaml_blocks(const std::string& page) {
  const std::string opening = "```yaml\n";
  std::vector<std::string> blocks;
  for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at)) {
    at += opening.size();
    blocks.push_back(page.substr(at, page.find("```", at) - at));
  }
  return blocks;
}

TEST(Documentation, ExamplesOfTheLanguageAreRight) {
  std::vector<model::DeclarationFile> files;
  for (const std::string& block : yaml_blocks(testing::read_file("docs/declaration-language.md")))
    files.push_back(
        testing::declaration("block " + std::to_string(files.size()) + " of docs/declaration-language.md", block));
  ASSERT_GE(files.size(), 4u);
  Diagnostics diagnostics;
  check(model::load(files, diagnostics), diagnostics);
  EXPECT_EQ(testing::printed(diagnostics), "");
}

}  // namespace
}  // namespace opwright::laws
