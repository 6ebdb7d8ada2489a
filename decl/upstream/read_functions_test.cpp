#include <gtest/gtest.h>

#include "decl/testing.h"
#include "decl/upstream/file.h"

namespace opwright::upstream {
namespace {

TEST(ReadFunctions, OlderFilesAreReadToo) {
  Diagnostics diagnostics;
  const FunctionsFile file = read_functions(testing::source(R"(all_version: [v1.11, v2.0]
official:
  - func: f(Tensor self) -> Tensor
    impl_ns: acl_op, op_api
    version: 1.11, 2.0
    kernel: acl_op/F.cpp, op_api/F.cpp
tocpu:
  - func: f.out
    version: v1.11, v2.0
unsupported:
  - func: g
)"),
                                            diagnostics);
  EXPECT_EQ(testing::printed(diagnostics), "");
  ASSERT_EQ(file.operators.size(), 1U);
  EXPECT_EQ(file.operators[0].name(), "f");
}

TEST(ReadFunctions, OtherSectionsTakeSchemas) {
  Diagnostics diagnostics;
  read_functions(testing::source("custom:\n  - func: f.out\n", "functions.yaml"), diagnostics);
  EXPECT_EQ(testing::printed(diagnostics),
            "functions.yaml:2:16: error: expected `(` in front of the arguments, found the end\n"
            "  2 |   - func: f.out\n"
            "    |                ^\n");
}

}  // namespace
}  // namespace opwright::upstream
