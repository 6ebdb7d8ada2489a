// Error codes, the message that goes with the latest one, and the modes that the whole software NPU obeys.
//
// The functions live in libascendcl.so; the libraries of operators call them too.
#pragma once

#include <string>

namespace opwright::softnpu {

/// The codes that the software NPU returns, with the meaning that torch_npu prints for them.
enum Code : int {
  kSuccess = 0,
  kInvalidParameter = 100000,
  kRepeatedInitialization = 100002,
  kInvalidDevice = 107001,
  kNoContext = 107002,
  kOutOfMemory = 207001,
  kNotSupported = 200001,
  kInternalError = 500000,
};

/// Remembers `message` as the calling thread's recent error and returns `code`.
__attribute__((visibility("default"))) int report(int code, std::string message);

/// Whether entry points only check their arguments (`opwright run --dry`).
__attribute__((visibility("default"))) bool is_dry();

}  // namespace opwright::softnpu
