// Events. As streams are synchronous, a recorded event has happened.
#include <atomic>
#include <chrono>
#include <cstdint>

#include "softnpu/runtime/report.h"
#include "softnpu/runtime/trace.h"

using namespace opwright::softnpu;

using aclrtStream = void*;

namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  std::atomic<Clock::rep> recorded_at{0};  // 0: never
};

}  // namespace

using aclrtEvent = Event*;

OPWRIGHT_EXPORT int aclrtCreateEventExWithFlag(aclrtEvent* event, std::uint32_t /*flags*/) {
  if (!event) return report(kInvalidParameter, "aclrtCreateEvent: event is null");
  *event = new Event;
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtCreateEventWithFlag(aclrtEvent* event, std::uint32_t flags) {
  return aclrtCreateEventExWithFlag(event, flags);
}
OPWRIGHT_EXPORT int aclrtCreateEvent(aclrtEvent* event) { return aclrtCreateEventExWithFlag(event, 0); }
OPWRIGHT_EXPORT int aclrtDestroyEvent(aclrtEvent event) {
  delete event;
  return kSuccess;
}

OPWRIGHT_EXPORT int aclrtRecordEvent(aclrtEvent event, aclrtStream /*stream*/) {
  trace("aclrtRecordEvent", event);
  if (!event) return report(kInvalidParameter, "aclrtRecordEvent: event is null");
  event->recorded_at = Clock::now().time_since_epoch().count();
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtResetEvent(aclrtEvent /*event*/, aclrtStream /*stream*/) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtStreamWaitEvent(aclrtStream /*stream*/, aclrtEvent event) {
  trace("aclrtStreamWaitEvent", event);
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtSynchronizeEvent(aclrtEvent event) {
  trace("aclrtSynchronizeEvent", event);
  return kSuccess;
}
/// Status 1: the event has happened.
OPWRIGHT_EXPORT int aclrtQueryEventStatus(aclrtEvent /*event*/, int* status) {
  if (!status) return report(kInvalidParameter, "aclrtQueryEventStatus: status is null");
  *status = 1;
  return kSuccess;
}
/// Status 0: every wait for the event has ended.
OPWRIGHT_EXPORT int aclrtQueryEventWaitStatus(aclrtEvent /*event*/, int* status) {
  if (!status) return report(kInvalidParameter, "aclrtQueryEventWaitStatus: status is null");
  *status = 0;
  return kSuccess;
}

OPWRIGHT_EXPORT int aclrtEventElapsedTime(float* milliseconds, aclrtEvent begin, aclrtEvent end) {
  if (!milliseconds || !begin || !end)
    return report(kInvalidParameter, "aclrtEventElapsedTime: no argument may be null");
  if (begin->recorded_at == 0 || end->recorded_at == 0)
    return report(kEventNotRecorded, "aclrtEventElapsedTime: both events must have been recorded");
  const Clock::duration elapsed(end->recorded_at - begin->recorded_at);
  *milliseconds = std::chrono::duration<float, std::milli>(elapsed).count();
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtEventGetTimestamp(aclrtEvent event, std::uint64_t* microseconds) {
  if (!event || !microseconds) return report(kInvalidParameter, "aclrtEventGetTimestamp: no argument may be null");
  if (event->recorded_at == 0)
    return report(kEventNotRecorded, "aclrtEventGetTimestamp: the event has not been recorded");
  const Clock::duration since_start(event->recorded_at);
  *microseconds =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(since_start).count());
  return kSuccess;
}
