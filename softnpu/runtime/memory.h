// Device memory: ordinary memory of the host, counted against each device's budget.
#pragma once

#include <cstddef>

namespace opwright::softnpu {

/// Whether a pointer points into an allocation, and of what kind.
struct Location {
  enum class Kind { unknown, host, device } kind = Kind::unknown;
  int device = -1;
};

Location locate(const void* pointer);

}  // namespace opwright::softnpu
