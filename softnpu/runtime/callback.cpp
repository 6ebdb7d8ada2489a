// Functions of the host that a stream calls. As streams are synchronous, they are called at once, on the same thread.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include "softnpu/runtime/report.h"
#include "softnpu/runtime/trace.h"

using namespace opwright::softnpu;

using aclrtStream = void*;
using HostFunction = void (*)(void*);

OPWRIGHT_EXPORT int aclrtLaunchHostFunc(aclrtStream /*stream*/, HostFunction function, void* argument) {
  trace("aclrtLaunchHostFunc");
  if (!function) return report(kInvalidParameter, "aclrtLaunchHostFunc: function is null");
  function(argument);
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtLaunchCallback(HostFunction function, void* argument, int /*blocking*/, aclrtStream stream) {
  return aclrtLaunchHostFunc(stream, function, argument);
}

OPWRIGHT_EXPORT int aclrtSubscribeReport(std::uint64_t /*thread*/, aclrtStream /*stream*/) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtUnSubscribeReport(std::uint64_t /*thread*/, aclrtStream /*stream*/) { return kSuccess; }
/// The client's thread waits here for callbacks, in a loop. None ever comes, so it is only kept from spinning.
OPWRIGHT_EXPORT int aclrtProcessReport(std::int32_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(std::clamp(milliseconds, 1, 50)));
  return kSuccess;
}
