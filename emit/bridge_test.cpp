#include "emit/bridge.h"

#include <gtest/gtest.h>

#include <memory>

namespace opwright::emit {
namespace {

TEST(Bridge, WritesBothPhasesOfFunctionAndTwin) {
  Diagnostics diagnostics;
  const auto functions = model::load_bridge(
      {std::make_shared<SourceFile>(
          "ops/aten/products.yaml",
          "Mul, InplaceMul: (Tensor self, Scalar other, int8 _mode, Tensor! out) = mul(self, other)\n")},
      diagnostics);
  ASSERT_EQ(diagnostics.error_count(), 0);
  const auto sources = bridge(functions);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].path, "aten_bridge_products.cpp");
  EXPECT_EQ(sources[0].text,
            R"(// Written by `opwright generate` from ops/aten/products.yaml; change that instead.
#include "softnpu/opapi/aten_functions.h"

#if __has_include(<ATen/ops/mul.h>)
#include <ATen/ops/mul.h>
#endif

using namespace opwright::softnpu;
using namespace opwright::softnpu::aten;

// ops/aten/products.yaml:1
OPWRIGHT_EXPORT int aclnnMulGetWorkspaceSize(const aclTensor* self, const aclScalar* other, std::int8_t,
                                             const aclTensor* out, std::uint64_t* workspace_size,
                                             aclOpExecutor** executor) {
  return prepare("aclnnMul", workspace_size, executor, [&](Call&) {
    return compute([self = aten::tensor(self), other = aten::scalar(other), out = aten::tensor(out)] {
      store(mul(self, other), out);
    });
  });
}
OPWRIGHT_EXPORT int aclnnMul(void*, std::uint64_t, aclOpExecutor* executor, aclrtStream stream) {
  return launch(executor, stream);
}

// ops/aten/products.yaml:1
OPWRIGHT_EXPORT int aclnnInplaceMulGetWorkspaceSize(const aclTensor* self, const aclScalar* other, std::int8_t,
                                                    std::uint64_t* workspace_size, aclOpExecutor** executor) {
  return prepare("aclnnInplaceMul", workspace_size, executor, [&](Call&) {
    return compute([self = aten::tensor(self), other = aten::scalar(other)] {
      self.mul_(other);
    });
  });
}
OPWRIGHT_EXPORT int aclnnInplaceMul(void*, std::uint64_t, aclOpExecutor* executor, aclrtStream stream) {
  return launch(executor, stream);
}
)");
}

}  // namespace
}  // namespace opwright::emit
