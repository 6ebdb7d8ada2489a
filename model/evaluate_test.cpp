#include "model/evaluate.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace opwright::model {
namespace {

/// What an expression gives with T = 7, K unknown, flag true, x present as [T, K], and y absent.
std::string result_of(const std::string& text) {
  Values values;
  values["T"] = Polynomial(7);
  values["K"] = Polynomial::unknown("K");
  values["flag"] = Truth{true, "true"};
  values["D"] = DtypeValue{Dtype::bfloat16, ""};
  values["Z"] = Shape{{4, "", false}, {6, "", false}};
  values["list"] = Integers{std::vector<Polynomial>{3, 5}, "list"};
  values["x"] =
      TensorValue{true, DtypeValue{Dtype::bfloat16, ""}, {{7, "", false}, {Polynomial::unknown("K"), "", false}}};
  values["y"] = TensorValue{false, {}, {}};
  Diagnostics diagnostics;
  const Node node = testing::node_of("'" + text + "'");
  const ExprPtr expr = parse_expression(node, diagnostics);
  if (expr == nullptr) return testing::printed(diagnostics);
  const Value value = evaluate(*expr, values);
  if (const auto* undefined = std::get_if<Undefined>(&value)) return "no value: " + undefined->why;
  if (const auto* number = std::get_if<Polynomial>(&value)) return to_string(*number);
  if (const auto* truth = std::get_if<Truth>(&value))
    return truth->known ? (*truth->known ? "true" : "false") : "unknown";
  if (const auto* shape = std::get_if<Shape>(&value)) return to_string(*shape);
  return "something else";
}

TEST(Evaluate, Arithmetic) {
  EXPECT_EQ(result_of("T * 2 - 1"), "13");
  EXPECT_EQ(result_of("T / 2"), "3");
  EXPECT_EQ(result_of("-T / 2"), "-4");
  EXPECT_EQ(result_of("-T % 2"), "1");
  EXPECT_EQ(result_of("ceil_div(T, 2)"), "4");
  EXPECT_EQ(result_of("min(T, 3, 5) + max(T, 9)"), "12");
  EXPECT_EQ(result_of("K * T - T * K"), "0");
  EXPECT_EQ(result_of("K / 2 - K / 2"), "0");
}

TEST(Evaluate, DivisionByZeroHasNoValue) {
  EXPECT_EQ(result_of("T / (K - K)"), "no value: division by zero");
  EXPECT_EQ(result_of("T % 0"), "no value: division by zero");
  EXPECT_EQ(result_of("ceil_div(T, 0)"), "no value: division by zero");
}

TEST(Evaluate, ConditionsDecideEarly) {
  EXPECT_EQ(result_of("flag or size(y, 0) > 0"), "true");
  EXPECT_EQ(result_of("present(y) and size(y, 0) > 0"), "false");
  EXPECT_EQ(result_of("if present(y) then size(y, 0) else 1"), "1");
  EXPECT_EQ(result_of("K > 1 or size(y, 0) > 0"), "no value: there is no `y` to read from");
}

TEST(Evaluate, UnknownConditions) {
  EXPECT_EQ(result_of("K > 1"), "unknown");
  EXPECT_EQ(result_of("K >= K and not K < K"), "true");
  EXPECT_EQ(result_of("K + 1 == K"), "false");
  EXPECT_EQ(result_of("if K > 1 then T else 7"), "7");
}

TEST(Evaluate, Tensors) {
  EXPECT_EQ(result_of("rank(x)"), "2");
  EXPECT_EQ(result_of("numel(x)"), "7 * K");
  EXPECT_EQ(result_of("size(x, 1)"), "K");
  EXPECT_EQ(result_of("dtype(x) == D"), "true");
  EXPECT_EQ(result_of("rank(y)"), "no value: there is no `y` to read from");
}

TEST(Evaluate, ListsAndPacks) {
  EXPECT_EQ(result_of("list[1] + len(list)"), "7");
  EXPECT_EQ(result_of("list[2]"), "no value: `list` has no entry 2");
  EXPECT_EQ(result_of("product(Z)"), "24");
  EXPECT_EQ(result_of("halve(Z, -1)"), "[4, 3]");
  EXPECT_EQ(result_of("halve(halve(Z, 1), 1)"), "no value: a dimension of size 3 cannot be halved");
  EXPECT_EQ(result_of("halve(Z, 2)"), "no value: there is no dimension 2 to halve");
}

}  // namespace
}  // namespace opwright::model
