// libhccl.so: no collectives yet. What torch_npu calls while it loads, and the text of an error.
#include <cstdint>

#include "softnpu/runtime/report.h"

using namespace opwright::softnpu;

/// The value is a union of four bytes, passed as an integer is.
OPWRIGHT_EXPORT int HcclSetConfig(int /*key*/, std::int32_t /*value*/) { return kSuccess; }
OPWRIGHT_EXPORT const char* HcclGetErrorString(int /*code*/) { return "the software NPU has no collectives"; }
