#include "model/upstream/functions.h"

#include <gmock/gmock.h>

namespace opwright::upstream {
namespace {

using testing::ElementsAre;

ConcreteTensor tensor(std::initializer_list<std::int64_t> sizes, ScalarType dtype = ScalarType::Float) {
  return {dtype, sizes};
}
Value list(std::initializer_list<std::int64_t> items) { return ConcreteSizes(items); }

/// Of the overload that takes as many arguments.
Value call(std::string_view name, const std::vector<Value>& arguments, const Platform& platform = {}) {
  for (const Function& function : functions_named(name)) {
    if (function.parameters.size() == arguments.size()) return function.evaluate(platform, arguments);
  }
  throw Error("no overload of " + std::string(name));
}
std::vector<std::int64_t> numbers(const ConcreteSizes& sizes) { return {sizes.begin(), sizes.end()}; }
std::vector<std::int64_t> sizes(std::string_view name, const std::vector<Value>& arguments) {
  return numbers(std::get<ConcreteSizes>(call(name, arguments)));
}
std::vector<std::int64_t> sizes(std::string_view name, const std::vector<Value>& arguments, std::size_t result) {
  return numbers(std::get<std::vector<ConcreteSizes>>(call(name, arguments)).at(result));
}
std::string error(std::string_view name, const std::vector<Value>& arguments) {
  try {
    call(name, arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Functions, EveryOneSaysWhatItTakesAndWhereItStands) {
  for (const Function& function : all_functions()) {
    EXPECT_TRUE(function.evaluate) << function.name;
    EXPECT_NE(function.result.kind, Kind::other) << function.name;
    EXPECT_TRUE(function.header.starts_with("runtime/")) << function.name;
    for (const Type& type : function.parameters) EXPECT_NE(type.kind, Kind::other) << function.name;
  }
  EXPECT_TRUE(functions_named("no_such_function").empty());
}

TEST(Functions, Promotion) {
  const auto of = [](const Value& a, const Value& b) {
    for (const Function& function : functions_named("result_type")) {
      if (function.parameters.size() != 2) continue;
      const bool scalar = std::holds_alternative<Scalar>(b);
      if (function.parameters[0].kind == Kind::tensor && (function.parameters[1].kind == Kind::scalar) == scalar) {
        return std::get<ScalarType>(function.evaluate({}, std::vector<Value>{a, b}));
      }
    }
    throw Error("no overload");
  };
  const ConcreteTensor half = tensor({2}, ScalarType::Half);
  EXPECT_EQ(of(half, tensor({2}, ScalarType::BFloat16)), ScalarType::Float);
  EXPECT_EQ(of(half, tensor({}, ScalarType::Double)), ScalarType::Half);  // no dimensions, same kind
  EXPECT_EQ(of(tensor({2}, ScalarType::Int), Scalar{Scalar::Kind::floating, 1.5}), ScalarType::Float);
  EXPECT_EQ(of(half, Scalar{Scalar::Kind::complex, 0}), ScalarType::ComplexHalf);
  EXPECT_EQ(error("promoteTypes", {ScalarType::QInt8, ScalarType::Float}), "qint8 and float32 have no common dtype");
}

TEST(Functions, Broadcasting) {
  EXPECT_THAT(sizes("broadcast_ops_npu_output_size", {tensor({3, 1}), tensor({0})}), ElementsAre(3, 0));
  EXPECT_EQ(error("broadcast_ops_npu_output_size", {tensor({4, 3}), tensor({2, 3})}),
            "sizes 4 and 2 of dimension 0 do not broadcast");
  EXPECT_THAT(sizes("clamp_npu_output_size", {tensor({3}), Absent{}, tensor({2, 1})}), ElementsAre(2, 3));
  EXPECT_EQ(error("clamp_npu_output_size", {tensor({3}), Absent{}, Absent{}}), "min or max must be given");
  EXPECT_THAT(sizes("cdist_npu_output_size", {tensor({5, 2, 7}), tensor({3, 7})}), ElementsAre(5, 2, 3));
  EXPECT_THAT(sizes("triangular_solve_output_size", {tensor({2, 3}), tensor({4, 2, 2})}, 0), ElementsAre(4, 2, 3));
}

TEST(Functions, Reductions) {
  EXPECT_THAT(sizes("reduce_ops_npu_output_size", {tensor({2, 3, 4}), list({-1, 0}), true}), ElementsAre(1, 3, 1));
  EXPECT_THAT(sizes("reduce_ops_npu_output_size", {tensor({2, 3}), list({}), false}), ElementsAre());
  EXPECT_THAT(sizes("reduce_ops_npu_output_size", {tensor({}), list({-1}), true}), ElementsAre());
  EXPECT_EQ(error("reduce_ops_npu_output_size", {tensor({2}), list({1}), true}),
            "a tensor of 1 dimensions has no dimension 1");
  EXPECT_THAT(sizes("rms_norm_npu_output_size", {tensor({2, 3, 4}), tensor({4})}, 1), ElementsAre(2, 3, 1));
  EXPECT_EQ(error("rms_norm_npu_output_size", {tensor({2}), tensor({2, 2})}),
            "gamma must have at most 1 dimensions, got 2");
  EXPECT_THAT(sizes("glu_npu_output_size", {tensor({2, 5}), std::int64_t{-1}}), ElementsAre(2, 2));
  EXPECT_THAT(sizes("stack_output_size", {std::vector{tensor({2, 3}), tensor({2, 3})}, std::int64_t{-1}}),
              ElementsAre(2, 3, 2));
  EXPECT_THAT(sizes("repeat_npu_output_size", {tensor({3}), list({2, 2})}), ElementsAre(2, 6));
}

TEST(Functions, Windows) {
  EXPECT_THAT(sizes("reflection_pad2d_npu_out_size", {tensor({2, 5, 7}), list({1, 2, 3, 4})}), ElementsAre(2, 12, 10));
  EXPECT_EQ(error("reflection_pad2d_npu_out_size", {tensor({2, 5, 7}), list({1})}),
            "padding must have 4 elements, got 1");
  EXPECT_THAT(sizes("im2col_backward_npu_output_size", {tensor({2, 12, 9}), list({4, 5}), list({2, 3})}),
              ElementsAre(2, 2, 4, 5));
  EXPECT_THAT(sizes("max_pool3d_output_size", {tensor({2, 3}), list({1, 1, 1})}), ElementsAre());
}

TEST(Functions, MoePermutation) {
  const std::string name = "npu_moe_token_permute_out_size";
  EXPECT_THAT(sizes(name, {tensor({4, 8}), tensor({4, 2}), Absent{}}), ElementsAre(8, 8));
  EXPECT_THAT(sizes(name, {tensor({4, 8}), tensor({4, 2}), std::int64_t{5}}), ElementsAre(5, 8));
  EXPECT_THAT(sizes(name, {tensor({4, 8}), tensor({4, 2}), std::int64_t{-3}}), ElementsAre(5, 8));
  EXPECT_EQ(error(name, {tensor({4}), tensor({4}), Absent{}}), "tokens must have 2 dimensions, got 1");
  EXPECT_EQ(error("npu_moe_token_unpermute_out_size", {tensor({4, 8}), tensor({4}), tensor({4, 0})}),
            "dimension 1 of probs must not be empty");
}

TEST(Functions, MoeDistribution) {
  // 4 ranks, 1 of them shared: 9 experts are 3 on each other rank. 2 tokens, 2 experts and 1 shared one each.
  const std::vector<Value> setup = {tensor({2, 100}), tensor({2, 2}),  std::int64_t{4}, std::int64_t{1},
                                    std::int64_t{9},  std::int64_t{0}, std::int64_t{1}, std::int64_t{1},
                                    std::int64_t{2},  Absent{}};
  const std::string name = "npu_moe_distribute_dispatch_setup_out_size";
  EXPECT_THAT(sizes(name, setup, 0), ElementsAre(6, 512));  // 128 bytes and a scale
  EXPECT_THAT(sizes(name, setup, 1), ElementsAre(4));
  EXPECT_THAT(sizes(name, setup, 2), ElementsAre((6 + 4 * 3) * 16));
  std::vector<Value> outside = setup;
  outside[3] = std::int64_t{4};
  EXPECT_EQ(error(name, outside), "ep_rank_id must be in [0, 4), got 4");
}

TEST(Functions, Attention) {
  const std::string name = "npu_nsa_compress_out_size";
  // Sequences of 10, 3 and 8: (10 - 4 + 2) / 2 = 4 rows, none, 3 rows.
  EXPECT_THAT(sizes(name, {tensor({21, 2, 6}), Absent{}, list({10, 13, 21}), std::int64_t{4}, std::int64_t{2}}),
              ElementsAre(7, 2, 6));
  EXPECT_EQ(error(name, {tensor({21, 2, 6}), Absent{}, list({10}), std::int64_t{4}, std::int64_t{0}}),
            "compress_stride must be positive, got 0");
}

TEST(Functions, DtypesByCode) {
  EXPECT_EQ(std::get<ScalarType>(call("GetAclDataType", {std::int64_t{293}})), ScalarType::Float8_e8m0fnu);
  EXPECT_EQ(std::get<ScalarType>(call("GetAclDataType", {std::int64_t{1}})), ScalarType::Char);
  EXPECT_EQ(error("GetAclDataType", {std::int64_t{12}}), "no dtype of an NPU has the code 12");
  EXPECT_EQ(std::get<ScalarType>(call("npu_group_quant_dst_type", {ScalarType::QUInt4x2})), ScalarType::Int);
}

TEST(Functions, Platform) {
  const std::vector<Value> arguments = {tensor({2, 3}, ScalarType::Half), tensor({3}), Absent{}};
  EXPECT_EQ(std::get<ScalarType>(call("npu_group_norm_silu_dst_type", arguments)), ScalarType::Half);
  EXPECT_EQ(std::get<ScalarType>(call("npu_group_norm_silu_dst_type", arguments, {.ascend950_or_newer = true})),
            ScalarType::Float);
}

}  // namespace
}  // namespace opwright::upstream
