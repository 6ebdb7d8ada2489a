// Initialisation, devices and contexts. A device has one context; a thread works on the device that it chose last.
#include "softnpu/runtime/device.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

#include "softnpu/runtime/report.h"
#include "softnpu/runtime/settings.h"
#include "softnpu/runtime/trace.h"

using namespace opwright::softnpu;

using aclrtContext = void*;

namespace opwright::softnpu {
namespace {

thread_local int chosen_device = -1;

std::atomic<bool> initialized{false};

/// The address of element i is the context of device i; nothing is stored there.
std::array<char, kMaxDevices> contexts;

/// The software NPU never passes for a device: the first use of one says so, once a process.
void announce() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::fprintf(stderr, "opwright: software NPU (%s, simulated on CPU%s)\n", settings().soc.c_str(),
                 settings().dry ? "; dry: nothing is computed" : "");
  });
}

bool exists(int device) { return device >= 0 && device < settings().devices; }

int no_such_device(const char* function, int device) {
  return report(kInvalidDevice, std::string(function) + ": there is no device " + std::to_string(device) +
                                    "; the software NPU has " + std::to_string(settings().devices) +
                                    " (opwright run --devices N)");
}

int no_context(const char* function) {
  return report(kNoContext, std::string(function) + ": this thread has not chosen a device");
}

}  // namespace

int current_device() { return chosen_device; }

}  // namespace opwright::softnpu

OPWRIGHT_EXPORT int aclInit(const char* /*config_path*/) {
  trace("aclInit");
  return initialized.exchange(true) ? kRepeatedInitialization : kSuccess;
}
OPWRIGHT_EXPORT int aclFinalize() {
  trace("aclFinalize");
  initialized = false;
  return kSuccess;
}

OPWRIGHT_EXPORT int aclrtGetDeviceCount(std::uint32_t* count) {
  if (!count) return report(kInvalidParameter, "aclrtGetDeviceCount: count is null");
  *count = static_cast<std::uint32_t>(settings().devices);
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtSetDevice(std::int32_t device) {
  trace("aclrtSetDevice", device);
  if (!exists(device)) return no_such_device("aclrtSetDevice", device);
  announce();
  chosen_device = device;
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtGetDevice(std::int32_t* device) {
  if (!device) return report(kInvalidParameter, "aclrtGetDevice: device is null");
  if (chosen_device < 0) return no_context("aclrtGetDevice");
  *device = chosen_device;
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtResetDevice(std::int32_t device) {
  trace("aclrtResetDevice", device);
  return exists(device) ? kSuccess : no_such_device("aclrtResetDevice", device);
}
OPWRIGHT_EXPORT int aclrtResetDeviceForce(std::int32_t device) { return aclrtResetDevice(device); }

OPWRIGHT_EXPORT int aclrtGetCurrentContext(aclrtContext* context) {
  if (!context) return report(kInvalidParameter, "aclrtGetCurrentContext: context is null");
  if (chosen_device < 0) return no_context("aclrtGetCurrentContext");
  *context = &contexts[static_cast<std::size_t>(chosen_device)];
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtSetCurrentContext(aclrtContext context) {
  for (int device = 0; device < settings().devices; ++device)
    if (context == &contexts[static_cast<std::size_t>(device)]) return aclrtSetDevice(device);
  return report(kInvalidParameter, "aclrtSetCurrentContext: this is no context of the software NPU");
}
OPWRIGHT_EXPORT int aclrtGetPrimaryCtxState(std::int32_t device, std::uint32_t* flags, std::int32_t* active) {
  if (!exists(device)) return no_such_device("aclrtGetPrimaryCtxState", device);
  if (flags) *flags = 0;
  if (active) *active = 1;
  return kSuccess;
}

OPWRIGHT_EXPORT int aclrtDeviceCanAccessPeer(std::int32_t* can_access, std::int32_t device, std::int32_t peer) {
  if (!can_access) return report(kInvalidParameter, "aclrtDeviceCanAccessPeer: can_access is null");
  *can_access = device != peer && exists(device) && exists(peer);
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtDeviceEnablePeerAccess(std::int32_t peer, std::uint32_t /*flags*/) {
  return exists(peer) ? kSuccess : no_such_device("aclrtDeviceEnablePeerAccess", peer);
}
/// All devices belong to this process.
OPWRIGHT_EXPORT int aclrtDeviceGetBareTgid(std::int32_t* process) {
  if (!process) return report(kInvalidParameter, "aclrtDeviceGetBareTgid: process is null");
  *process = getpid();
  return kSuccess;
}
