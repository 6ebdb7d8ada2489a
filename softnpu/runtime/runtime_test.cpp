#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "softnpu/runtime/report.h"
#include "softnpu/runtime/settings.h"
#include "softnpu/runtime/stream.h"
#include "softnpu/runtime/testing.h"

namespace opwright::softnpu {
namespace {

constexpr std::size_t kMebibyte = 1 << 20;

/// A machine of two devices with a mebibyte each. The settings are read once, so they are made before the first call.
class Runtime : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("OPWRIGHT_NPU_DEVICES", "2", 1);
    setenv("OPWRIGHT_NPU_MEMORY", "1MiB", 1);
  }
  void SetUp() override { ASSERT_EQ(call<int>("aclrtSetDevice", 0), kSuccess); }

  static void* allocate(std::size_t size) {
    void* memory = nullptr;
    EXPECT_EQ(call<int>("aclrtMalloc", &memory, size, 0), kSuccess) << recent_message();
    return memory;
  }
  static void release(void* memory) { EXPECT_EQ(call<int>("aclrtFree", memory), kSuccess) << recent_message(); }

  static std::size_t free_bytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(call<int>("aclrtGetMemInfo", 0, &free, &total), kSuccess);
    EXPECT_EQ(total, kMebibyte);
    return free;
  }
};

TEST_F(Runtime, CountsDevicesAndRefusesOthers) {
  std::uint32_t count = 0;
  EXPECT_EQ(call<int>("aclrtGetDeviceCount", &count), kSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(call<int>("aclrtSetDevice", 2), kInvalidDevice);
  EXPECT_EQ(recent_message(),
            "aclrtSetDevice: there is no device 2; the software NPU has 2 (opwright run --devices N)");
}

TEST_F(Runtime, ThreadsChooseTheirDevice) {
  std::thread([] {
    std::int32_t device = -1;
    EXPECT_EQ(call<int>("aclrtGetDevice", &device), kNoContext);
    EXPECT_EQ(recent_message(), "aclrtGetDevice: this thread has not chosen a device");
    EXPECT_EQ(call<int>("aclrtSetDevice", 1), kSuccess);
    EXPECT_EQ(call<int>("aclrtGetDevice", &device), kSuccess);
    EXPECT_EQ(device, 1);
  }).join();
  std::int32_t device = -1;
  EXPECT_EQ(call<int>("aclrtGetDevice", &device), kSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(recent_message().find("this thread"), std::string::npos) << "another thread's error";
}

TEST_F(Runtime, ContextsNameDevices) {
  void* context = nullptr;
  ASSERT_EQ(call<int>("aclrtSetDevice", 1), kSuccess);
  ASSERT_EQ(call<int>("aclrtGetCurrentContext", &context), kSuccess);
  ASSERT_EQ(call<int>("aclrtSetDevice", 0), kSuccess);
  ASSERT_EQ(call<int>("aclrtSetCurrentContext", context), kSuccess);
  std::int32_t device = -1;
  ASSERT_EQ(call<int>("aclrtGetDevice", &device), kSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(call<int>("aclrtSetCurrentContext", static_cast<void*>(&device)), kInvalidParameter);
}

TEST_F(Runtime, MemoryIsCountedAgainstTheBudget) {
  ASSERT_EQ(free_bytes(), kMebibyte);
  void* most = allocate(kMebibyte - 1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(most) % 512, 0u);
  EXPECT_EQ(free_bytes(), 1000u);
  void* more = nullptr;
  EXPECT_EQ(call<int>("aclrtMalloc", &more, std::size_t{1001}, 0), kOutOfMemory);
  EXPECT_EQ(more, nullptr);
  EXPECT_EQ(recent_message(),
            "aclrtMalloc: device 0 has 1000 of 1048576 bytes free, 1001 were asked for (opwright run --memory SIZE)");
  release(most);
  EXPECT_EQ(free_bytes(), kMebibyte);
}

TEST_F(Runtime, EveryDeviceHasItsOwnMemory) {
  void* on_first = allocate(kMebibyte);
  ASSERT_EQ(call<int>("aclrtSetDevice", 1), kSuccess);
  void* on_second = allocate(kMebibyte);
  release(on_first);  // from another device than it was made on
  EXPECT_EQ(free_bytes(), 0u);
  release(on_second);
  EXPECT_EQ(free_bytes(), kMebibyte);
}

TEST_F(Runtime, FreeingTwiceOrWrongIsRefused) {
  void* memory = allocate(100);
  EXPECT_EQ(call<int>("aclrtFreeHost", memory), kInvalidParameter) << "device memory is no host memory";
  release(memory);
  EXPECT_EQ(call<int>("aclrtFree", memory), kInvalidParameter);
  EXPECT_EQ(recent_message(), "aclrtFree: the pointer is not one that was allocated, or was freed already");
}

TEST_F(Runtime, HugeSizesAreRefusedNotWrappedAround) {
  void* memory = nullptr;
  EXPECT_EQ(call<int>("aclrtMallocHost", &memory, ~std::size_t{0}), kOutOfMemory);
  EXPECT_EQ(call<int>("aclrtMalloc", &memory, ~std::size_t{0}, 0), kOutOfMemory);
  EXPECT_EQ(call<int>("aclrtMalloc", &memory, std::size_t{0}, 0), kInvalidParameter);
}

TEST_F(Runtime, PointersTellWhereTheyPoint) {
  ASSERT_EQ(call<int>("aclrtSetDevice", 1), kSuccess);
  char* device_memory = static_cast<char*>(allocate(100));
  void* host_memory = nullptr;
  ASSERT_EQ(call<int>("aclrtMallocHost", &host_memory, std::size_t{100}), kSuccess);
  std::array<std::uint32_t, 7> attributes{};
  const auto ask = [&](const void* pointer) {
    EXPECT_EQ(call<int>("aclrtPointerGetAttributes", pointer, static_cast<void*>(attributes.data())), kSuccess);
  };
  ask(device_memory + 99);
  EXPECT_EQ(attributes[0], 1u);
  EXPECT_EQ(attributes[1], 1u);
  ask(device_memory + 100);
  EXPECT_EQ(attributes[1], 2u) << "one past the end belongs to nobody";
  ask(host_memory);
  EXPECT_EQ(attributes[1], 0u);
  ask(&attributes);
  EXPECT_EQ(attributes[1], 2u);
  release(device_memory);
  EXPECT_EQ(call<int>("aclrtFreeHost", host_memory), kSuccess);
}

TEST_F(Runtime, CopiesStayWithinTheTarget) {
  std::vector<char> source(100);
  std::iota(source.begin(), source.end(), 0);
  char* memory = static_cast<char*>(allocate(100));
  constexpr int kHostToDevice = 1;
  EXPECT_EQ(call<int>("aclrtMemcpy", static_cast<void*>(memory), std::size_t{99},
                      static_cast<const void*>(source.data()), std::size_t{100}, kHostToDevice),
            kInvalidParameter);
  EXPECT_EQ(recent_message(), "aclrtMemcpy: 100 bytes do not fit into the 99 of the target");
  EXPECT_EQ(call<int>("aclrtMemcpy", static_cast<void*>(memory), std::size_t{100},
                      static_cast<const void*>(source.data()), std::size_t{100}, kHostToDevice),
            kSuccess);
  EXPECT_TRUE(std::equal(source.begin(), source.end(), memory));
  EXPECT_EQ(call<int>("aclrtMemset", static_cast<void*>(memory), std::size_t{100}, 7, std::size_t{100}), kSuccess);
  EXPECT_EQ(memory[99], 7);
  release(memory);
}

TEST_F(Runtime, EventsMeasureTime) {
  void* begin = nullptr;
  void* end = nullptr;
  ASSERT_EQ(call<int>("aclrtCreateEventExWithFlag", &begin, std::uint32_t{0}), kSuccess);
  ASSERT_EQ(call<int>("aclrtCreateEventExWithFlag", &end, std::uint32_t{0}), kSuccess);
  void* stream = nullptr;
  ASSERT_EQ(call<int>("aclrtRecordEvent", begin, stream), kSuccess);
  float milliseconds = 0;
  EXPECT_EQ(call<int>("aclrtEventElapsedTime", &milliseconds, begin, end), kEventNotRecorded);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_EQ(call<int>("aclrtRecordEvent", end, stream), kSuccess);
  EXPECT_EQ(call<int>("aclrtEventElapsedTime", &milliseconds, begin, end), kSuccess);
  EXPECT_GE(milliseconds, 2);
  EXPECT_EQ(call<int>("aclrtDestroyEvent", begin), kSuccess);
  EXPECT_EQ(call<int>("aclrtDestroyEvent", end), kSuccess);
}

TEST_F(Runtime, StreamsHaveNumbersAndRunCallbacks) {
  void* first = nullptr;
  void* second = nullptr;
  ASSERT_EQ(call<int>("aclrtCreateStream", &first), kSuccess);
  ASSERT_EQ(call<int>("aclrtCreateStream", &second), kSuccess);
  std::int32_t first_id = 0;
  std::int32_t second_id = 0;
  ASSERT_EQ(call<int>("aclrtStreamGetId", first, &first_id), kSuccess);
  ASSERT_EQ(call<int>("aclrtStreamGetId", second, &second_id), kSuccess);
  EXPECT_NE(first_id, second_id);
  bool called = false;
  void (*callback)(void*) = [](void* argument) { *static_cast<bool*>(argument) = true; };
  EXPECT_EQ(call<int>("aclrtLaunchHostFunc", first, callback, static_cast<void*>(&called)), kSuccess);
  EXPECT_EQ(call<int>("aclrtSynchronizeStream", first), kSuccess);
  EXPECT_TRUE(called);
  EXPECT_EQ(call<int>("aclrtDestroyStream", first), kSuccess);
  EXPECT_EQ(call<int>("aclrtDestroyStreamForce", second), kSuccess);
}

TEST_F(Runtime, FailuresAreToldToWhoeverWaits) {
  void* stream = nullptr;
  void* other = nullptr;
  ASSERT_EQ(call<int>("aclrtCreateStream", &stream), kSuccess);
  ASSERT_EQ(call<int>("aclrtCreateStream", &other), kSuccess);
  fail_stream(stream, kInternalError, "the first failure");
  fail_stream(stream, kInternalError, "the second failure");
  EXPECT_EQ(call<int>("aclrtSynchronizeStream", other), kSuccess) << "it is another stream's";
  EXPECT_EQ(call<int>("aclrtSynchronizeStreamWithTimeout", stream, 100), kInternalError);
  EXPECT_EQ(recent_message(), "the first failure");
  EXPECT_EQ(call<int>("aclrtSynchronizeStream", stream), kSuccess);
  fail_stream(other, kInternalError, "the third failure");
  EXPECT_EQ(call<int>("aclrtSynchronizeDevice"), kInternalError);
  EXPECT_EQ(call<int>("aclrtSynchronizeDevice"), kSuccess);
  EXPECT_EQ(call<int>("aclrtDestroyStream", stream), kSuccess);
  EXPECT_EQ(call<int>("aclrtDestroyStream", other), kSuccess);
}

TEST_F(Runtime, OperatorsThatMustBeCompiledAreRefusedByName) {
  constexpr const char* kRefusal = "the software NPU has no aclop operators, and MatMul is one";
  void* none = nullptr;
  const char* path = nullptr;
  EXPECT_EQ(call<int>("aclopCompileAndExecute", "MatMul", 0, none, none, 0, none, none, none, 0, 0, path, none),
            kSuccess);
  EXPECT_EQ(call<int>("aclrtSynchronizeStream", none), kNotSupported);
  EXPECT_EQ(recent_message(), kRefusal);
  EXPECT_EQ(call<int>("aclopCompileAndExecuteV2", "MatMul"), kNotSupported);
  EXPECT_EQ(recent_message(), kRefusal);
}

TEST_F(Runtime, CompileOptionsAreKept) {
  EXPECT_EQ(call<std::size_t>("aclGetCompileoptSize", 5), std::string("disable").size() + 1);
  ASSERT_EQ(call<int>("aclSetCompileopt", 5, "enable"), kSuccess);
  std::array<char, 16> value{};
  EXPECT_EQ(call<int>("aclGetCompileopt", 5, value.data(), std::size_t{6}), kInvalidParameter) << "one byte too few";
  EXPECT_EQ(call<int>("aclGetCompileopt", 5, value.data(), value.size()), kSuccess);
  EXPECT_STREQ(value.data(), "enable");
}

TEST(Settings, SizesAreNumbersWithUnits) {
  EXPECT_EQ(bytes_of("1000"), 1000u);
  EXPECT_EQ(bytes_of("64GiB"), std::size_t{64} << 30);
  EXPECT_EQ(bytes_of("512MiB"), std::size_t{512} << 20);
  for (const char* wrong : {"", "GiB", "64GB", "-1", "1.5GiB", "64GiB ", "99999999999999TiB"})
    EXPECT_EQ(bytes_of(wrong), 0u) << wrong;
}

}  // namespace
}  // namespace opwright::softnpu
