// torch_npu's own log messages, shown where ASCEND_GLOBAL_LOG_LEVEL asks for them (0 debug, 1 info, 2 warning, 3
// error).
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "softnpu/runtime/report.h"

namespace {

int least_level() {
  constexpr int kSilent = 4;
  const char* level = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
  return level ? std::atoi(level) : kSilent;
}

}  // namespace

OPWRIGHT_EXPORT void aclAppLog(int level, const char* function, const char* file, std::uint32_t line,
                               const char* format, ...) {
  static const int least = least_level();
  if (level < least) return;
  std::array<char, 4096> message;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message.data(), message.size(), format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "[npu log %d] %s:%u %s: %s\n", level, file, line, function, message.data());
}
