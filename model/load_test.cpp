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

std::string text(const std::optional<Typed>& typed) {
  return typed ? to_string(*typed->expr) + " of kind " + std::to_string(static_cast<int>(typed->kind)) : "nothing";
}

void expect_same(const TensorRule& left, const TensorRule& right) {
  EXPECT_EQ(left.dtype.from, right.dtype.from);
  EXPECT_EQ(left.dtype.name, right.dtype.name);
  EXPECT_EQ(left.dtype.fixed, right.dtype.fixed);
  ASSERT_EQ(left.dims.size(), right.dims.size());
  for (std::size_t i = 0; i < left.dims.size(); ++i) {
    EXPECT_EQ(left.dims[i].what, right.dims[i].what);
    EXPECT_EQ(text(left.dims[i].size), text(right.dims[i].size));
    EXPECT_EQ(left.dims[i].optional, right.dims[i].optional);
  }
}

void expect_same(const Argument& left, const Argument& right) {
  ASSERT_EQ(left.tensor.has_value(), right.tensor.has_value());
  if (left.tensor) expect_same(*left.tensor, *right.tensor);
  EXPECT_EQ(left.optional_tensor, right.optional_tensor);
  EXPECT_EQ(text(left.when_absent), text(right.when_absent));
  EXPECT_EQ(left.ignored, right.ignored);
  EXPECT_EQ(left.only_sizes, right.only_sizes);
  ASSERT_EQ(left.dims_when_absent.size(), right.dims_when_absent.size());
  for (std::size_t i = 0; i < left.dims_when_absent.size(); ++i) {
    EXPECT_EQ(left.dims_when_absent[i].first, right.dims_when_absent[i].first);
    EXPECT_EQ(text(left.dims_when_absent[i].second), text(right.dims_when_absent[i].second));
  }
}

/// Everything that the printed text must carry and that a comparison of texts would not show if it were lost in both.
void expect_same(const Operator& left, const Operator& right) {
  EXPECT_EQ(left.summary, right.summary);
  EXPECT_EQ(left.notes, right.notes);
  EXPECT_EQ(to_string(left.schema), to_string(right.schema));
  ASSERT_EQ(left.types.size(), right.types.size());
  for (std::size_t i = 0; i < left.types.size(); ++i) EXPECT_EQ(left.types[i].members, right.types[i].members);
  ASSERT_EQ(left.arguments.size(), right.arguments.size());
  for (std::size_t i = 0; i < left.arguments.size(); ++i) expect_same(left.arguments[i], right.arguments[i]);
  ASSERT_EQ(left.results.size(), right.results.size());
  for (std::size_t i = 0; i < left.results.size(); ++i) {
    expect_same(left.results[i].tensor, right.results[i].tensor);
    EXPECT_EQ(left.results[i].like, right.results[i].like);
    EXPECT_EQ(text(left.results[i].when), text(right.results[i].when));
  }
  ASSERT_EQ(left.dims.size(), right.dims.size());
  for (std::size_t i = 0; i < left.dims.size(); ++i) {
    EXPECT_EQ(left.dims[i].name, right.dims[i].name);
    EXPECT_EQ(text(left.dims[i].formula), text(right.dims[i].formula));
    EXPECT_EQ(left.dims[i].bound_by, right.dims[i].bound_by);
    EXPECT_EQ(left.dims[i].bound_at, right.dims[i].bound_at);
    EXPECT_EQ(left.dims[i].always_known, right.dims[i].always_known);
  }
  ASSERT_EQ(left.rules.size(), right.rules.size());
  for (std::size_t i = 0; i < left.rules.size(); ++i) {
    EXPECT_EQ(text(left.rules[i].require), text(right.rules[i].require));
    EXPECT_EQ(left.rules[i].fix, right.rules[i].fix);
  }
  ASSERT_EQ(left.gradient.has_value(), right.gradient.has_value());
  if (left.gradient) {
    EXPECT_EQ(left.gradient->form, right.gradient->form);
    EXPECT_EQ(left.gradient->of, right.gradient->of);
    EXPECT_EQ(left.gradient->not_differentiable, right.gradient->not_differentiable);
    EXPECT_EQ(left.gradient->op, right.gradient->op);
    EXPECT_EQ(left.gradient->arguments.size(), right.gradient->arguments.size());
    EXPECT_EQ(left.gradient->reason, right.gradient->reason);
  }
  EXPECT_EQ(left.gradient_of, right.gradient_of);
  EXPECT_EQ(left.cpu_kernel, right.cpu_kernel);
  ASSERT_EQ(left.npu.has_value(), right.npu.has_value());
  if (left.npu) {
    EXPECT_EQ(left.npu->arguments.size(), right.npu->arguments.size());
  }
  EXPECT_EQ(left.sample.dims, right.sample.dims);
  EXPECT_EQ(left.sample.values.size(), right.sample.values.size());
}

TEST(Load, WorksOutWhichDimsAreKnownInEveryCall) {
  Diagnostics diagnostics;
  const Library library = load(repository_declarations(), diagnostics);
  const Operator& unpermute = *library.find("npu_moe_token_unpermute");
  for (const char* name : {"R", "H", "S", "T", "K"}) EXPECT_TRUE(unpermute.dim(name)->always_known) << name;
  EXPECT_EQ(unpermute.dim("T")->bound_by, "probs");
  const Operator& by_map = *library.find("npu_moe_token_unpermute_with_routing_map");
  EXPECT_FALSE(by_map.dim("E")->always_known);  // probs and routing_map may both be absent
  EXPECT_TRUE(by_map.dim("T")->always_known);   // it has a formula
}

TEST(Load, SamplesGetTheSizesThatRulesGive) {
  Diagnostics diagnostics;
  const Library library = load(repository_declarations(), diagnostics);
  const auto& dims = library.find("npu_moe_token_unpermute")->sample.dims;  // T: 5, K: 2, and S == T * K
  EXPECT_EQ(dims.back(), (std::pair<std::string, std::vector<std::int64_t>>("S", {10})));
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
    SCOPED_TRACE(library.operators[i].name);
    EXPECT_EQ(to_yaml(again.operators[i]), to_yaml(library.operators[i]));
    expect_same(again.operators[i], library.operators[i]);
  }
}

}  // namespace
}  // namespace opwright::model
