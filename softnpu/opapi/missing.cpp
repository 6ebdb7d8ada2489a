#include "softnpu/opapi/missing.h"

#include <string>

#include "softnpu/runtime/settings.h"
#include "softnpu/runtime/trace.h"

namespace opwright::softnpu {

int missing(const char* entry_point) {
  trace(entry_point);
  if (settings().dry) return kSuccess;
  return report(kNotSupported, std::string("the software NPU does not implement ") + entry_point);
}

}  // namespace opwright::softnpu
