// Entry points of operators that the software NPU cannot compute.
#pragma once

#include "softnpu/runtime/report.h"

namespace opwright::softnpu {

/// Reports that `entry_point` is missing. In dry mode, where nothing is computed, nothing is missing either.
int missing(const char* entry_point);

}  // namespace opwright::softnpu

/// Both phases of an operator. Phase one is called with arguments that only its client knows, and reads none of them.
#define OPWRIGHT_MISSING(name)                                                               \
  OPWRIGHT_EXPORT int name##GetWorkspaceSize() { return opwright::softnpu::missing(#name); } \
  OPWRIGHT_EXPORT int name() { return opwright::softnpu::missing(#name); }
