// Functions that the software NPU does not have, but that must exist for its clients to load. Calling one fails with
// its name.
#pragma once

#include "softnpu/runtime/report.h"

namespace opwright::softnpu {

/// Reports that there is no such function, in the recent error and once on stderr, and returns the code for it.
int unsupported(const char* function);

/// The same for a C++ function, whose caller expects no code: throws. `mangled` is its name in symbol tables.
[[noreturn]] void throw_unsupported(const char* mangled);

}  // namespace opwright::softnpu

/// Stubs take whatever arguments they are called with, which the calling convention of x86-64 allows.
#define OPWRIGHT_FAILING_STUB(name) \
  OPWRIGHT_EXPORT int name() { return opwright::softnpu::unsupported(#name); }
#define OPWRIGHT_NULL_STUB(name)           \
  OPWRIGHT_EXPORT void* name() {           \
    opwright::softnpu::unsupported(#name); \
    return nullptr;                        \
  }
#define OPWRIGHT_THROWING_STUB(name) \
  OPWRIGHT_EXPORT void name() { opwright::softnpu::throw_unsupported(#name); }
