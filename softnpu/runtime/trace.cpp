#include "softnpu/runtime/trace.h"

#include <cstdio>

namespace opwright::softnpu {

void write_trace(const std::string& line) { std::fprintf(stderr, "[npu] %s\n", line.c_str()); }

}  // namespace opwright::softnpu
