#include "laws/laws.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace opwright::laws {
namespace {

TEST(Laws, HoldForAllDeclarationsOfTheRepository) {
  Diagnostics diagnostics;
  const model::Library library = model::load(testing::repository_declarations(), diagnostics);
  check(library, diagnostics);
  EXPECT_EQ(testing::printed(diagnostics), "");
}

}  // namespace
}  // namespace opwright::laws
