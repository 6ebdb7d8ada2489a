#include "softnpu/opapi/entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "runtime/error.h"
#include "softnpu/runtime/testing.h"

namespace opwright::softnpu {
namespace {

using testing::ElementsAre;

aclTensor* create_tensor(std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides, std::int64_t offset,
                         AclDtype dtype, void* data) {
  const std::int64_t* none = nullptr;
  return call<aclTensor*>("aclCreateTensor", static_cast<const std::int64_t*>(sizes.data()),
                          std::uint64_t{sizes.size()}, static_cast<int>(dtype),
                          static_cast<const std::int64_t*>(strides.data()), offset, /*format=*/2, none,
                          std::uint64_t{0}, data);
}

void destroy(const aclTensor* tensor) { EXPECT_EQ(call<int>("aclDestroyTensor", tensor), kSuccess); }

/// An entry point as generated ones are: result[i] = 2 * self[i].
int plan_double(const aclTensor* self, const aclTensor* result, std::uint64_t* workspace_size,
                aclOpExecutor** executor) {
  return prepare("aclnnDouble", workspace_size, executor, [&](Call& call) -> Compute {
    const View in = call.argument(self, "npu_double", "self");
    if (in.rank() != 1) throw Error("npu_double: self must have 1 dimension");
    const MutableView out = call.result(result, "npu_double", "result", in.dtype, in.sizes);
    return [in, out] {
      for (std::int64_t i = 0; i < in.size(0); ++i) {
        const float value = in.as<float>()[i * in.stride(0)];
        if (value < 0) throw Error("npu_double: self[" + std::to_string(i) + "] is negative");
        out.as<float>()[i] = 2 * value;
      }
    };
  });
}

TEST(EntryPoint, ComputesOnViewsAfterTheDescriptorsAreGone) {
  std::array<float, 6> data = {9, 1, 9, 2, 9, 3};
  std::array<float, 3> doubled{};
  const aclTensor* self = create_tensor({3}, {2}, 1, kFloat32, data.data());
  const aclTensor* result = create_tensor({3}, {1}, 0, kFloat32, doubled.data());
  std::uint64_t workspace_size = 99;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(plan_double(self, result, &workspace_size, &executor), kSuccess) << recent_message();
  EXPECT_EQ(workspace_size, 0u);
  destroy(self);
  destroy(result);
  EXPECT_THAT(doubled, ElementsAre(0, 0, 0)) << "phase one computes nothing";
  EXPECT_EQ(launch(executor, nullptr), kSuccess);
  EXPECT_THAT(doubled, ElementsAre(2, 4, 6));
}

TEST(EntryPoint, RoundsResultsOnceToMemoryOfAnotherFloatingPointDtype) {
  std::array<float, 2> data = {1.0f, 0.501953125f};  // doubled, the second one lies beside a bfloat16
  std::array<std::uint16_t, 2> doubled{};
  const aclTensor* self = create_tensor({2}, {1}, 0, kFloat32, data.data());
  const aclTensor* result = create_tensor({2}, {1}, 0, kBfloat16, doubled.data());
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(plan_double(self, result, &workspace_size, &executor), kSuccess) << recent_message();
  EXPECT_EQ(launch(executor, nullptr), kSuccess);
  EXPECT_THAT(doubled, ElementsAre(0x4000, 0x3f80));
  for (const aclTensor* tensor : {self, result}) destroy(tensor);
}

TEST(EntryPoint, ErrorsOfBothPhasesKeepTheirText) {
  std::array<float, 2> data = {1, -1};
  const aclTensor* matrix = create_tensor({1, 2}, {2, 1}, 0, kFloat32, data.data());
  const aclTensor* vector = create_tensor({2}, {1}, 0, kFloat32, data.data());
  const aclTensor* integers = create_tensor({2}, {1}, 0, kInt32, data.data());
  const aclTensor* short_vector = create_tensor({1}, {1}, 0, kFloat32, data.data());
  const aclTensor* strided = create_tensor({2}, {2}, 0, kFloat32, data.data());
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  const auto message = [&](const aclTensor* self, const aclTensor* result) {
    EXPECT_EQ(plan_double(self, result, &workspace_size, &executor), kInvalidParameter);
    EXPECT_EQ(executor, nullptr);
    return recent_message();
  };
  EXPECT_EQ(message(matrix, vector), "npu_double: self must have 1 dimension");
  EXPECT_EQ(message(vector, integers), "npu_double: the result result is float32, got memory for int32");
  EXPECT_EQ(message(vector, short_vector), "npu_double: the result result has the sizes [2], got memory for [1]");
  EXPECT_EQ(message(vector, strided), "npu_double: the result result must be contiguous");
  EXPECT_EQ(message(vector, nullptr), "npu_double: the result result has no memory to be written to");

  ASSERT_EQ(plan_double(vector, vector, &workspace_size, &executor), kSuccess);
  EXPECT_EQ(launch(executor, nullptr), kSuccess) << "a failure in phase two is told to whoever waits";
  void* default_stream = nullptr;
  EXPECT_EQ(call<int>("aclrtSynchronizeStream", default_stream), kInvalidParameter);
  EXPECT_EQ(recent_message(), "npu_double: self[1] is negative");
  EXPECT_EQ(call<int>("aclrtSynchronizeStream", default_stream), kSuccess) << "it is told once";
  for (const aclTensor* tensor : {matrix, vector, integers, short_vector, strided}) destroy(tensor);
}

TEST(EntryPoint, RefusesWhatIsNoCall) {
  std::uint64_t workspace_size = 0;
  EXPECT_EQ(plan_double(nullptr, nullptr, &workspace_size, nullptr), kInvalidParameter);
  EXPECT_EQ(recent_message(), "aclnnDouble: workspace_size and executor must not be null");
  EXPECT_EQ(launch(nullptr, nullptr), kInvalidParameter);
}

TEST(Call, AbsentArgumentsAreAbsent) {
  Call call;
  EXPECT_FALSE(call.argument(nullptr, "npu_double", "self").present);
  EXPECT_FALSE(call.ints(nullptr).has_value());
  EXPECT_EQ(call.text(nullptr), "");
}

TEST(Call, KeepsWhatItIsGiven) {
  Call call;
  std::vector<std::int64_t> many(10000);
  many[9999] = 7;
  const aclIntArray array{many};
  const auto kept = call.ints(&array);
  std::string name = "left";
  const std::string_view text = call.text(name.c_str());
  many.assign(many.size(), 0);
  name = "gone";
  EXPECT_EQ((*kept)[9999], 7);
  EXPECT_EQ(text, "left");
}

TEST(Objects, ListsOwnTheirElements) {
  float value = 0;
  const std::array<const aclTensor*, 2> tensors = {create_tensor({}, {}, 0, kFloat32, &value), nullptr};
  auto* list = call<aclTensorList*>("aclCreateTensorList", tensors.data(), std::uint64_t{2});
  EXPECT_EQ(call<int>("aclDestroyTensorList", static_cast<const aclTensorList*>(list)), kSuccess);
}

TEST(Objects, ViewShapesAreTheClientsToDelete) {
  float value = 0;
  const aclTensor* tensor = create_tensor({2, 3}, {3, 1}, 0, kFloat32, &value);
  std::int64_t* sizes = nullptr;
  std::uint64_t rank = 0;
  ASSERT_EQ(call<int>("aclGetViewShape", tensor, &sizes, &rank), kSuccess);
  EXPECT_THAT(std::vector<std::int64_t>(sizes, sizes + rank), ElementsAre(2, 3));
  delete[] sizes;
  destroy(tensor);
}

TEST(Objects, ScalarsOfUnknownTypesAreRefused) {
  double value = 0;
  constexpr int kString = 13;
  EXPECT_EQ(call<aclScalar*>("aclCreateScalar", static_cast<void*>(&value), kString), nullptr);
  EXPECT_EQ(recent_message(), "aclCreateScalar: the aclDataType 13 is not supported");
}

TEST(Dtypes, OnlyThoseOfACpu) {
  EXPECT_EQ(dtype_of(kBfloat16, "x"), Dtype::bfloat16);
  constexpr int kFloat8 = 35;
  try {
    dtype_of(kFloat8, "npu_double: self");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "npu_double: self has the aclDataType 35, which the software NPU cannot compute with");
  }
}

}  // namespace
}  // namespace opwright::softnpu
