#include "softnpu/runtime/report.h"

#include <utility>

#include "softnpu/runtime/trace.h"

namespace opwright::softnpu {
namespace {

/// Errors belong to the thread that made the call, so that two threads never read each other's message.
thread_local std::string recent_message;

}  // namespace

int report(int code, std::string message) {
  trace("  failed with", code, message);
  recent_message = std::move(message);
  return code;
}

}  // namespace opwright::softnpu

/// The message of the calling thread's latest failed call, or null. Valid until that thread's next failure.
OPWRIGHT_EXPORT const char* aclGetRecentErrMsg() {
  using opwright::softnpu::recent_message;
  return recent_message.empty() ? nullptr : recent_message.c_str();
}
