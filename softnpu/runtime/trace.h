// `opwright run --trace`: a line on stderr for every call of the interface.
#pragma once

#include <sstream>
#include <string>

#include "softnpu/runtime/settings.h"

namespace opwright::softnpu {

/// Writes one whole line, so that the lines of several threads do not mix.
__attribute__((visibility("default"))) void write_trace(const std::string& line);

/// trace("aclrtMalloc", size) prints "aclrtMalloc 1024".
template <class... Values>
void trace(const char* call, const Values&... values) {
  if (!settings().trace) return;
  std::ostringstream line;
  line << call;
  ((line << ' ' << values), ...);
  write_trace(line.str());
}

}  // namespace opwright::softnpu
