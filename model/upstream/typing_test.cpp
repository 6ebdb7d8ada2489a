#include "model/upstream/typing.h"

#include <gtest/gtest.h>

#include <string>

#include "decl/testing.h"
#include "model/upstream/evaluate.h"

namespace opwright::upstream {
namespace {

const Scope& scope() {
  static const Scope scope = {.arguments = {{"self", {Kind::tensor}},
                                            {"other", {Kind::tensor}},
                                            {"probs", {Kind::tensor, true}},
                                            {"tensors", {Kind::tensors}},
                                            {"n", {Kind::integer}},
                                            {"count", {Kind::integer, true}},
                                            {"mode", {Kind::string, true}},
                                            {"dims", {Kind::integers}},
                                            {"restore", {Kind::integers, true}},
                                            {"p", {Kind::real}},
                                            {"flag", {Kind::boolean}},
                                            {"type", {Kind::dtype, true}}},
                              .parameters = {}};
  return scope;
}

TypingResult typed(const std::string& text, TypingResult (*type)(const Snippet&, const Scope&) = type_snippet) {
  Diagnostics diagnostics;
  const SnippetPtr snippet = parse_snippet(testing::node_of("'" + text + "'"), diagnostics);
  EXPECT_TRUE(snippet) << testing::printed(diagnostics);
  return type(*snippet, scope());
}

std::string why_not(const std::string& text, TypingResult (*type)(const Snippet&, const Scope&) = type_snippet) {
  const TypingResult result = typed(text, type);
  EXPECT_FALSE(result.typed);
  return result.untyped.why;
}

Call call() {
  Call call;
  call.values["self"] = ConcreteTensor{ScalarType::BFloat16, {2, 3, 4}};
  call.values["other"] = ConcreteTensor{ScalarType::Float, {3, 1}};
  call.values["probs"] = Absent();
  call.values["tensors"] = std::vector<ConcreteTensor>{{ScalarType::Int, {7}}, {ScalarType::Half, {5, 6}}};
  call.values["n"] = std::int64_t{5};
  call.values["count"] = std::int64_t{9};
  call.values["mode"] = Absent();
  call.values["dims"] = ConcreteSizes{1, 2};
  call.values["restore"] = Absent();
  call.values["p"] = 2.5;
  call.values["flag"] = true;
  call.values["type"] = Absent();
  return call;
}

Value value_of(const std::string& text) { return evaluate(*typed(text).typed, call()); }

template <class T>
T get(const std::string& text) {
  return std::get<T>(value_of(text));
}

std::vector<std::int64_t> sizes_of(const std::string& text) {
  const ConcreteSizes sizes = std::get<ConcreteSizes>(evaluate(*typed(text, type_size).typed, call()));
  return {sizes.begin(), sizes.end()};
}

std::string dtype_of(const std::string& text) {
  return std::string(torch_name(std::get<ScalarType>(evaluate(*typed(text, type_dtype).typed, call()))));
}

std::string error_of(const std::string& text) {
  try {
    value_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

using Numbers = std::vector<std::int64_t>;

TEST(Typing, ATensorStandsForItsSizesAndItsDtype) {
  EXPECT_EQ(sizes_of("self"), (Numbers{2, 3, 4}));
  EXPECT_EQ(dtype_of("self"), "bfloat16");
  EXPECT_EQ(sizes_of("tensors[1]"), (Numbers{5, 6}));
  EXPECT_EQ(dtype_of("tensors[0]"), "int32");
}

TEST(Typing, SizesAreNumbersListsAndLooksAtTensors) {
  EXPECT_EQ(sizes_of("{self.size(0) + 2 * n - other.size(-2) + 1, self.size(1)}"), (Numbers{10, 3}));
  EXPECT_EQ(sizes_of("{self.numel()}"), (Numbers{24}));
  EXPECT_EQ(sizes_of("c10::SmallVector<int64_t, op_infer::SIZE>{}"), (Numbers{}));
  EXPECT_EQ(sizes_of("at::ArrayRef<int64_t>()"), (Numbers{}));
  EXPECT_EQ(sizes_of("restore.value_or(at::IntArrayRef{1})"), (Numbers{1}));
  EXPECT_EQ(sizes_of("n == at::Reduction::None ? self.sizes() : at::ArrayRef<int64_t>()"), (Numbers{}));
}

TEST(Typing, DtypesAreConstantsAndDecisions) {
  EXPECT_EQ(dtype_of("at::kFloat"), "float32");
  EXPECT_EQ(dtype_of("at::ScalarType::Bool"), "bool");
  EXPECT_EQ(dtype_of("flag ? at::kFloat : self.scalar_type()"), "float32");
  EXPECT_EQ(dtype_of("probs.has_value() && probs->defined() ? probs->scalar_type() : self.scalar_type()"), "bfloat16");
  EXPECT_EQ(dtype_of("c10::typeMetaToScalarType(other.dtype())"), "float32");
}

TEST(Typing, NumbersPromoteAsInCpp) {
  EXPECT_EQ(typed("2").typed->type.kind, Kind::int32);
  EXPECT_EQ(typed("2L").typed->type.kind, Kind::integer);
  EXPECT_EQ(typed("(int64_t)2").typed->type.kind, Kind::integer);
  EXPECT_EQ(typed("flag ? 2 : count.value_or(0)").typed->type.kind, Kind::integer);
  EXPECT_EQ(typed("static_cast<float>(p)").typed->type.kind, Kind::real32);
  EXPECT_EQ(get<std::int64_t>("std::min(n, self.size(0))"), 2);
  EXPECT_EQ(get<std::int64_t>("std::abs(p - 2.0) < 1e-6 ? 2 : count.value_or(0)"), 9);
  EXPECT_EQ(get<std::int64_t>("-7 / 2"), -3);
  EXPECT_EQ(get<std::int64_t>("-7 % 2"), -1);
}

TEST(Typing, CStringsAreStrings) {
  EXPECT_EQ(get<std::string>("\"NCHW\""), "NCHW");
  EXPECT_TRUE(
      std::holds_alternative<Absent>(value_of("mode.has_value() ? const_cast<char *>(mode.value().data()) : nullptr")));
}

TEST(Typing, WhatHasNoMeaningSaysWhy) {
  EXPECT_EQ(why_not("slef"), "`slef` is no argument, none of new_params and no constant");
  EXPECT_EQ(why_not("no_such_rule(self)"), "`no_such_rule` is no function that has a rule");
  EXPECT_EQ(why_not("probs.size(0)"), "`size` is read of something that may be absent");
  EXPECT_EQ(why_not("self.strides()"), "this is a tensor, and `strides` is none of its members");
  EXPECT_EQ(why_not("self + 1"), "`+` of a tensor and a 32-bit integer has no meaning here");
  EXPECT_EQ(why_not("probs", type_dtype), "this is a tensor that may be absent, where a dtype is needed");
  EXPECT_EQ(why_not("at::kFloat", type_size), "this is a dtype, where sizes is needed");
  EXPECT_EQ(why_not("flag ? self : n"), "one branch is a tensor, the other an integer");
}

TEST(Typing, WhatCppLeavesUndefinedIsAnError) {
  EXPECT_EQ(error_of("n / 0"), "5 / 0 divides by zero");
  EXPECT_EQ(error_of("self.size(3)"), "a tensor of 3 dimensions has no dimension 3");
  EXPECT_EQ(error_of("dims[2]"), "a list of 2 has no element 2");
  EXPECT_EQ(error_of("probs->size(0)"), "`probs` is absent, and is read all the same");
  EXPECT_EQ(error_of("9223372036854775807L + 1"), "9223372036854775807 + 1 does not fit into 64 bits");
}

/// All of upstream's own entries; what stays opaque is named.
TEST(Typing, UpstreamsEntriesAreTyped) {
  const SourceFilePtr file = testing::upstream_file("op_plugin_functions.yaml");
  if (!file) GTEST_SKIP() << "upstream's declarations are not here";
  Diagnostics diagnostics;
  const FunctionsFile functions = read_functions(file, diagnostics);
  int generated = 0;
  int results = 0;
  int all = 0;
  std::string opaque;
  for (const Operator& op : functions.operators) {
    if (!op.generated) continue;
    const TypedOperator typed = type_operator(op, functions);
    ++generated;
    results += typed.sizes_and_dtypes_typed();
    all += typed.fully_typed();
    each_expression(typed, [&](const TypedExpression& expression) {
      if (expression.is_opaque()) opaque += op.name() + ": " + expression.opaque + "\n";
    });
  }
  EXPECT_GE(results * 100, generated * 99) << opaque;
  EXPECT_GE(all * 100, generated * 95) << opaque;
}

}  // namespace
}  // namespace opwright::upstream
