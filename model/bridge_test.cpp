#include "model/bridge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace opwright::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<BridgeFunction> load(const std::string& text, Diagnostics& diagnostics) {
  return load_bridge({std::make_shared<SourceFile>("ops/aten/sums.yaml", text)}, diagnostics);
}

/// All messages about one wrong file.
std::string errors_of(const std::string& text) {
  Diagnostics diagnostics;
  load(text, diagnostics);
  diagnostics.sort();
  return to_text(diagnostics);
}

std::vector<BridgeFunction> good(const std::string& text) {
  Diagnostics diagnostics;
  auto functions = load(text, diagnostics);
  EXPECT_EQ(diagnostics.error_count(), 0) << errors_of(text);
  return functions;
}

TEST(Bridge, ReadsArgumentsAndCall) {
  const auto functions = good("Mm: (Tensor self, Tensor mat2, Tensor! out, int8 _cube_math) = mm(self, mat2)\n");
  ASSERT_EQ(functions.size(), 1u);
  const BridgeFunction& mm = functions[0];
  EXPECT_EQ(mm.name, "Mm");
  EXPECT_EQ(to_string(*mm.call), "mm(self, mat2)");
  EXPECT_TRUE(mm.stores_results);
  ASSERT_EQ(mm.arguments.size(), 4u);
  EXPECT_EQ(mm.arguments[2].name, "out");
  EXPECT_TRUE(mm.arguments[2].written);
  EXPECT_EQ(mm.arguments[3].kind, BridgeKind::int8);
  EXPECT_FALSE(mm.arguments[3].used);
}

TEST(Bridge, ACallThatNamesItsResultsStoresThemItself) {
  EXPECT_FALSE(good("InplaceZero: (Tensor! self) = zero_(self)\n")[0].stores_results);
}

TEST(Bridge, AskingForTheDtypeOfAResultIsNoUse) {
  EXPECT_TRUE(good("Eye: (int n, Tensor! out) = eye(n, dtype(out))\n")[0].stores_results);
}

TEST(Bridge, ASecondNameIsTheInPlaceTwin) {
  const auto functions = good("Mul, InplaceMul: (Tensor self, Tensor other, Tensor! out) = mul(self, other)\n");
  ASSERT_EQ(functions.size(), 2u);
  const BridgeFunction& twin = functions[1];
  EXPECT_EQ(twin.name, "InplaceMul");
  EXPECT_EQ(to_string(*twin.call), "mul_(self, other)");
  EXPECT_FALSE(twin.stores_results);
  ASSERT_EQ(twin.arguments.size(), 2u);
  EXPECT_TRUE(twin.arguments[0].written);
}

TEST(Bridge, AFileWithoutLinesIsNoBridge) {
  EXPECT_EQ(errors_of("- Add\n"),
            "ops/aten/sums.yaml:1:1: error: a file of the bridge has one `Name: (arguments) = call` a line\n"
            "  1 | - Add\n"
            "    | ^~~~~\n");
}

TEST(Bridge, ALineIsArgumentsAndCall) {
  EXPECT_EQ(errors_of("Abs: abs(self)\n"),
            "ops/aten/sums.yaml:1:6: error: a line of the bridge is `Name: (arguments) = call`\n"
            "  1 | Abs: abs(self)\n"
            "    |      ^~~~~~~~~\n"
            "  = help: for example `Abs: (Tensor self, Tensor! out) = abs(self)`\n");
}

TEST(Bridge, UnknownKindsAndNamesAreSuggested) {
  EXPECT_EQ(errors_of("Abs: (Tensr self, Tensor! out) = abs(slf)\n"),
            "ops/aten/sums.yaml:1:7: error: `Tensr` is no kind of argument\n"
            "  1 | Abs: (Tensr self, Tensor! out) = abs(slf)\n"
            "    |       ^~~~~\n"
            "  = help: did you mean `Tensor`?\n"
            "ops/aten/sums.yaml:1:38: error: `slf` is no argument of `Abs`\n"
            "  1 | Abs: (Tensr self, Tensor! out) = abs(slf)\n"
            "    |                                      ^~~\n");
}

TEST(Bridge, ArgumentsAreUsedOrSaySo) {
  EXPECT_EQ(errors_of("Abs: (Tensor self, int dim, Tensor! out) = abs(self)\n"),
            "ops/aten/sums.yaml:1:20: error: `dim` is not used\n"
            "  1 | Abs: (Tensor self, int dim, Tensor! out) = abs(self)\n"
            "    |                    ^~~~~~~\n"
            "  = help: the names of exactly those arguments that the call does not need begin with `_`\n");
  EXPECT_THAT(errors_of("Abs: (Tensor _self, Tensor! out) = abs(_self)\n"), testing::HasSubstr("`_self` is used"));
}

TEST(Bridge, SomethingIsWritten) {
  EXPECT_THAT(errors_of("Abs: (Tensor self) = abs(self)\n"), testing::HasSubstr("`Abs` writes nothing"));
  EXPECT_THAT(errors_of("Abs: (int! n, Tensor! out) = abs(n)\n"),
              testing::HasSubstr("only tensors and lists of tensors can be written"));
  EXPECT_THAT(errors_of("Max: (Tensor! values, Tensor! indices) = sort(values)\n"),
              testing::HasSubstr("the call names some of the written tensors, but not all"));
}

TEST(Bridge, TwinsMustBePossible) {
  for (const char* line : {"Abs, InplaceNeg: (Tensor self, Tensor! out) = abs(self)\n",
                           "Abs, InplaceAbs, Abs2: (Tensor self, Tensor! out) = abs(self)\n",
                           "Rsub, InplaceRsub: (Tensor self, Tensor other, Tensor! out) = sub(other, self)\n",
                           "Zero, InplaceZero: (Tensor! self) = zero_(self)\n"})
    EXPECT_THAT(errors_of(line), testing::HasSubstr("a second name is that of the in-place twin")) << line;
}

TEST(Bridge, NamesAreUniqueAcrossTwins) {
  EXPECT_EQ(errors_of("Abs, InplaceAbs: (Tensor self, Tensor! out) = abs(self)\n"
                      "InplaceAbs: (Tensor! self) = abs_(self)\n"),
            "ops/aten/sums.yaml:2:1: error: `InplaceAbs` stands in the bridge already\n"
            "  2 | InplaceAbs: (Tensor! self) = abs_(self)\n"
            "    | ^~~~~~~~~~\n"
            "ops/aten/sums.yaml:1:1: note: here\n"
            "  1 | Abs, InplaceAbs: (Tensor self, Tensor! out) = abs(self)\n"
            "    | ^~~~~~~~~~~~~~~\n");
}

}  // namespace
}  // namespace opwright::model
