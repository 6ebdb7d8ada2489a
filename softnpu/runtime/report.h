// Error codes, and the message that goes with a thread's latest one.
//
// The functions live in libascendcl.so; the libraries of operators call them too.
#pragma once

#include <string>

/// Makes a function of the interface visible in libraries that are built with hidden visibility.
#define OPWRIGHT_EXPORT extern "C" __attribute__((visibility("default")))

namespace opwright::softnpu {

/// The codes that the software NPU returns, with the meaning that torch_npu prints for them.
enum Code : int {
  kSuccess = 0,
  kInvalidParameter = 100000,
  kRepeatedInitialization = 100002,
  kInvalidDevice = 107001,
  kNoContext = 107002,
  kEventNotRecorded = 107006,
  kNotSupported = 200001,
  kOutOfMemory = 207001,
  kInternalError = 500000,
};

/// Remembers `message` as the calling thread's recent error and returns `code`.
__attribute__((visibility("default"))) int report(int code, std::string message);

}  // namespace opwright::softnpu
