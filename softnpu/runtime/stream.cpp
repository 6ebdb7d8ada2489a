// Streams. Work is done on the thread that submits it, before the call returns: see
// docs/decisions/synchronous-streams.md. So every stream is always idle, and in order.
#include "softnpu/runtime/stream.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "softnpu/runtime/report.h"
#include "softnpu/runtime/trace.h"

using namespace opwright::softnpu;

namespace {

struct Stream {
  std::int32_t id;
  std::atomic<std::uint32_t> overflow_switch{0};
};

struct Failure {
  int code;
  std::string message;
};

/// Failures that nobody has been told of, by stream.
class Failures {
 public:
  void add(const void* stream, Failure failure) {
    const std::lock_guard lock(mutex_);
    failures_.try_emplace(stream, std::move(failure));
    any_ = true;
  }
  /// Reports the failure of one stream, if there is one.
  int report_of(const void* stream) {
    if (!any_) return kSuccess;
    const std::lock_guard lock(mutex_);
    return take(failures_.find(stream));
  }
  /// Reports one failure of any stream.
  int report_any() {
    if (!any_) return kSuccess;
    const std::lock_guard lock(mutex_);
    return take(failures_.begin());
  }

 private:
  int take(std::map<const void*, Failure>::iterator found) {
    if (found == failures_.end()) return kSuccess;
    const Failure failure = std::move(found->second);
    failures_.erase(found);
    any_ = !failures_.empty();
    return report(failure.code, failure.message);
  }

  std::atomic<bool> any_{false};  // waiting is frequent, failing is not
  std::mutex mutex_;
  std::map<const void*, Failure> failures_;
};

/// Never destroyed: torch_npu waits for its streams after static destructors have begun to run.
Failures& failures() {
  static auto* failures = new Failures;
  return *failures;
}

}  // namespace

namespace opwright::softnpu {

void fail_stream(const void* stream, int code, std::string message) {
  trace("  failed with", code, message);
  failures().add(stream, {code, std::move(message)});
}

}  // namespace opwright::softnpu

/// A null stream is the default stream.
using aclrtStream = Stream*;

OPWRIGHT_EXPORT int aclrtCreateStreamWithConfig(aclrtStream* stream, std::uint32_t /*priority*/,
                                                std::uint32_t /*flags*/) {
  static std::atomic<std::int32_t> last_id{0};
  if (!stream) return report(kInvalidParameter, "aclrtCreateStreamWithConfig: stream is null");
  *stream = new Stream{.id = ++last_id};
  trace("aclrtCreateStreamWithConfig", (*stream)->id);
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtCreateStream(aclrtStream* stream) { return aclrtCreateStreamWithConfig(stream, 0, 0); }
OPWRIGHT_EXPORT int aclrtDestroyStream(aclrtStream stream) {
  delete stream;
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtDestroyStreamForce(aclrtStream stream) { return aclrtDestroyStream(stream); }

OPWRIGHT_EXPORT int aclrtSynchronizeStream(aclrtStream stream) {
  trace("aclrtSynchronizeStream");
  return failures().report_of(stream);
}
OPWRIGHT_EXPORT int aclrtSynchronizeStreamWithTimeout(aclrtStream stream, std::int32_t /*milliseconds*/) {
  return aclrtSynchronizeStream(stream);
}
OPWRIGHT_EXPORT int aclrtSynchronizeDevice() {
  trace("aclrtSynchronizeDevice");
  return failures().report_any();
}
OPWRIGHT_EXPORT int aclrtSynchronizeDeviceWithTimeout(std::int32_t /*milliseconds*/) {
  return aclrtSynchronizeDevice();
}
/// Status 0: all work is done.
OPWRIGHT_EXPORT int aclrtStreamQuery(aclrtStream /*stream*/, int* status) {
  if (!status) return report(kInvalidParameter, "aclrtStreamQuery: status is null");
  *status = 0;
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtStreamGetId(aclrtStream stream, std::int32_t* id) {
  if (!id) return report(kInvalidParameter, "aclrtStreamGetId: id is null");
  *id = stream ? stream->id : 0;
  return kSuccess;
}

OPWRIGHT_EXPORT int aclrtSetStreamOverflowSwitch(aclrtStream stream, std::uint32_t value) {
  if (stream) stream->overflow_switch = value;
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtGetStreamOverflowSwitch(aclrtStream stream, std::uint32_t* value) {
  if (!value) return report(kInvalidParameter, "aclrtGetStreamOverflowSwitch: value is null");
  *value = stream ? stream->overflow_switch.load() : 0;
  return kSuccess;
}

// What follows tunes real hardware and changes nothing that a program can see here.
OPWRIGHT_EXPORT int aclrtSetStreamFailureMode(aclrtStream, std::uint64_t) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtSetStreamAttribute(aclrtStream, int, void*) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtUseStreamResInCurrentThread(aclrtStream) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtUnuseStreamResInCurrentThread(aclrtStream) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtSetOpWaitTimeout(std::uint32_t) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtSetOpExecuteTimeOut(std::uint32_t) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtSetOpExecuteTimeOutV2(std::uint64_t microseconds, std::uint64_t* actual) {
  if (!actual) return report(kInvalidParameter, "aclrtSetOpExecuteTimeOutV2: actual is null");
  *actual = microseconds;
  return kSuccess;
}
OPWRIGHT_EXPORT int aclrtSetDeviceSatMode(int) { return kSuccess; }

/// Work that failed has said so in its own return value, so nothing is left to ask for.
OPWRIGHT_EXPORT int aclrtPeekAtLastError(int) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtGetLastError(int) { return kSuccess; }
