#include "model/load.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace opwright::model {
namespace {

using testing::declaration;
using testing::printed;
using testing::repository_declarations;

TEST(Load, AllDeclarationsOfTheRepositoryAreRight) {
  Diagnostics diagnostics;
  const Library library = load(repository_declarations(), diagnostics);
  EXPECT_EQ(printed(diagnostics), "");
  EXPECT_GE(library.operators.size(), 15u);
}

TEST(Load, OperatorsPrintBackToTextThatLoadsToTheSame) {
  Diagnostics diagnostics;
  const Library library = load(repository_declarations(), diagnostics);
  std::vector<DeclarationFile> texts;
  for (const Operator& op : library.operators) texts.push_back(declaration(op.path, to_yaml(op)));
  const Library again = load(texts, diagnostics);
  EXPECT_EQ(printed(diagnostics), "");
  ASSERT_EQ(again.operators.size(), library.operators.size());
  for (std::size_t i = 0; i < again.operators.size(); ++i) {
    EXPECT_EQ(to_yaml(again.operators[i]), to_yaml(library.operators[i]));
  }
}

}  // namespace
}  // namespace opwright::model
