#include "softnpu/runtime/unsupported.h"

#include <gtest/gtest.h>

#include <exception>

#include "softnpu/runtime/testing.h"

OPWRIGHT_FAILING_STUB(aclrtTeleport)
OPWRIGHT_NULL_STUB(acltdtCreateTeleporter)
OPWRIGHT_THROWING_STUB(_ZN2ge8TeleportEi)

namespace opwright::softnpu {
namespace {

TEST(Stub, FailsByName) {
  EXPECT_EQ(aclrtTeleport(), kNotSupported);
  EXPECT_EQ(recent_message(), "the software NPU has no aclrtTeleport");
}

TEST(Stub, GivesNoHandle) {
  EXPECT_EQ(acltdtCreateTeleporter(), nullptr);
  EXPECT_EQ(recent_message(), "the software NPU has no acltdtCreateTeleporter");
}

TEST(Stub, ThrowsTheNameThatItHasInCpp) {
  try {
    _ZN2ge8TeleportEi();
    FAIL() << "nothing was thrown";
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "the software NPU has no ge::Teleport(int)");
  }
}

TEST(Stub, IsPrintedOnce) {
  testing::internal::CaptureStderr();
  unsupported("aclrtTwice");
  unsupported("aclrtTwice");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "opwright: the software NPU has no aclrtTwice\n");
}

}  // namespace
}  // namespace opwright::softnpu
