#include "kernels/indices.h"

#include <gtest/gtest.h>

#include "runtime/error.h"

namespace opwright {
namespace {

TEST(ReadIndices, NamesTheElement) {
  const std::int32_t values[] = {0, 1, 2, 3, 4, 5};
  const std::int64_t sizes[] = {2, 3}, strides[] = {1, 2};  // transposed: [[0, 2, 4], [1, 3, 5]]
  const View view{values, Dtype::int32, sizes, strides, true};
  const IndexRule rule{.op = "op", .argument = "x", .what = "rows", .limit = 3, .fix = "fix it"};
  try {
    read_indices(rule, view);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "op: x[0, 2] is 4; rows are 0 or greater and less than 3; fix it");
  }
}

}  // namespace
}  // namespace opwright
