#include "softnpu/runtime/memory.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "softnpu/runtime/device.h"
#include "softnpu/runtime/report.h"
#include "softnpu/runtime/settings.h"
#include "softnpu/runtime/trace.h"

using namespace opwright::softnpu;

using aclrtStream = void*;

namespace opwright::softnpu {
namespace {

/// As much as torch_npu's allocator asks of a device's addresses.
constexpr std::size_t kAlignment = 512;

struct Allocation {
  std::size_t size;
  Location location;
};

/// All live allocations by address, of both kinds, and how much of each device's memory they take.
class Heap {
 public:
  int allocate(const char* function, void** pointer, std::size_t size, Location location) {
    if (!pointer) return report(kInvalidParameter, std::string(function) + ": pointer is null");
    *pointer = nullptr;
    if (size == 0) return report(kInvalidParameter, std::string(function) + ": size is 0");
    const bool on_device = location.kind == Location::Kind::device;
    const std::lock_guard lock(mutex_);
    if (on_device && size > free_bytes(location.device)) return out_of_memory(function, size, location.device);
    const std::size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
    void* memory = rounded >= size ? std::aligned_alloc(kAlignment, rounded) : nullptr;
    if (!memory)
      return report(kOutOfMemory, std::string(function) + ": the host has no " + std::to_string(size) + " bytes left");
    allocations_.emplace(reinterpret_cast<std::uintptr_t>(memory), Allocation{size, location});
    if (on_device) used_[static_cast<std::size_t>(location.device)] += size;
    *pointer = memory;
    trace(function, size, memory);
    return kSuccess;
  }

  int release(const char* function, void* pointer, Location::Kind kind) {
    trace(function, pointer);
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == allocations_.end() || found->second.location.kind != kind)
      return report(kInvalidParameter,
                    std::string(function) + ": the pointer is not one that was allocated, or was " + "freed already");
    if (kind == Location::Kind::device)
      used_[static_cast<std::size_t>(found->second.location.device)] -= found->second.size;
    allocations_.erase(found);
    std::free(pointer);
    return kSuccess;
  }

  Location locate(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const std::lock_guard lock(mutex_);
    auto next = allocations_.upper_bound(address);
    if (next == allocations_.begin()) return {};
    const auto& [begin, allocation] = *--next;
    return address - begin < allocation.size ? allocation.location : Location{};
  }

  std::size_t free_on(int device) {
    const std::lock_guard lock(mutex_);
    return free_bytes(device);
  }

 private:
  std::size_t free_bytes(int device) const { return settings().memory - used_[static_cast<std::size_t>(device)]; }

  int out_of_memory(const char* function, std::size_t size, int device) const {
    return report(kOutOfMemory, std::string(function) + ": device " + std::to_string(device) + " has " +
                                    std::to_string(free_bytes(device)) + " of " + std::to_string(settings().memory) +
                                    " bytes free, " + std::to_string(size) +
                                    " were asked for (opwright run --memory SIZE)");
  }

  std::mutex mutex_;
  std::map<std::uintptr_t, Allocation> allocations_;
  std::array<std::size_t, kMaxDevices> used_{};
};

/// Never destroyed: torch_npu frees its caches after static destructors have begun to run.
Heap& heap() {
  static auto* heap = new Heap;
  return *heap;
}

int allocate_on_device(const char* function, void** pointer, std::size_t size) {
  const int device = current_device();
  if (device < 0) return report(kNoContext, std::string(function) + ": this thread has not chosen a device");
  return heap().allocate(function, pointer, size, {Location::Kind::device, device});
}

int check_range(const char* function, const void* target, std::size_t room, std::size_t size) {
  if (size > room)
    return report(kInvalidParameter, std::string(function) + ": " + std::to_string(size) +
                                         " bytes do not fit into the " + std::to_string(room) + " of the target");
  if (size > 0 && !target) return report(kInvalidParameter, std::string(function) + ": the target is null");
  return kSuccess;
}

}  // namespace

Location locate(const void* pointer) { return heap().locate(pointer); }

}  // namespace opwright::softnpu

OPWRIGHT_EXPORT int aclrtMalloc(void** pointer, std::size_t size, int /*policy*/) {
  return allocate_on_device("aclrtMalloc", pointer, size);
}
OPWRIGHT_EXPORT int aclrtMallocAlign32(void** pointer, std::size_t size, int /*policy*/) {
  return allocate_on_device("aclrtMallocAlign32", pointer, size);
}
OPWRIGHT_EXPORT int aclrtFree(void* pointer) { return heap().release("aclrtFree", pointer, Location::Kind::device); }
OPWRIGHT_EXPORT int aclrtMallocHost(void** pointer, std::size_t size) {
  return heap().allocate("aclrtMallocHost", pointer, size, {Location::Kind::host, -1});
}
OPWRIGHT_EXPORT int aclrtMallocHostWithCfg(void** pointer, std::uint64_t size, void* /*config*/) {
  return aclrtMallocHost(pointer, size);
}
OPWRIGHT_EXPORT int aclrtFreeHost(void* pointer) {
  return heap().release("aclrtFreeHost", pointer, Location::Kind::host);
}

OPWRIGHT_EXPORT int aclrtGetMemInfo(int /*kind*/, std::size_t* free_bytes, std::size_t* total_bytes) {
  if (!free_bytes || !total_bytes) return report(kInvalidParameter, "aclrtGetMemInfo: no argument may be null");
  if (current_device() < 0) return report(kNoContext, "aclrtGetMemInfo: this thread has not chosen a device");
  *free_bytes = heap().free_on(current_device());
  *total_bytes = settings().memory;
  return kSuccess;
}

OPWRIGHT_EXPORT int aclrtMemcpy(void* target, std::size_t room, const void* source, std::size_t size, int kind) {
  trace("aclrtMemcpy", target, source, size, kind);
  if (const int code = check_range("aclrtMemcpy", target, room, size)) return code;
  if (size > 0 && !source) return report(kInvalidParameter, "aclrtMemcpy: the source is null");
  if (size > 0) std::memmove(target, source, size);
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtMemcpyAsync(void* target, std::size_t room, const void* source, std::size_t size, int kind,
                                     aclrtStream /*stream*/) {
  return aclrtMemcpy(target, room, source, size, kind);
}
OPWRIGHT_EXPORT int aclrtMemcpyAsyncWithCondition(void* target, std::size_t room, const void* source, std::size_t size,
                                                  int kind, aclrtStream /*stream*/) {
  return aclrtMemcpy(target, room, source, size, kind);
}
OPWRIGHT_EXPORT int aclrtMemset(void* target, std::size_t room, std::int32_t value, std::size_t size) {
  trace("aclrtMemset", target, value, size);
  if (const int code = check_range("aclrtMemset", target, room, size)) return code;
  if (size > 0) std::memset(target, value, size);
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtMemsetAsync(void* target, std::size_t room, std::int32_t value, std::size_t size,
                                     aclrtStream /*stream*/) {
  return aclrtMemset(target, room, value, size);
}

/// Fills the client's struct of seven 32-bit words: the number of the device, the kind of memory, and five of no
/// meaning here.
OPWRIGHT_EXPORT int aclrtPointerGetAttributes(const void* pointer, void* attributes) {
  if (!attributes) return report(kInvalidParameter, "aclrtPointerGetAttributes: attributes is null");
  enum : std::uint32_t { kHostMemory = 0, kDeviceMemory = 1, kUnregisteredMemory = 2 };
  const Location location = locate(pointer);
  std::array<std::uint32_t, 7> words{};
  switch (location.kind) {
    case Location::Kind::unknown:
      words[1] = kUnregisteredMemory;
      break;
    case Location::Kind::host:
      words[1] = kHostMemory;
      break;
    case Location::Kind::device:
      words[0] = static_cast<std::uint32_t>(location.device);
      words[1] = kDeviceMemory;
      break;
  }
  std::memcpy(attributes, words.data(), sizeof(words));
  return kSuccess;
}
