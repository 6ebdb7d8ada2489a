// Hooks of the profiler and of the dump of operators' data. What they are told is accepted and dropped: nothing is
// profiled or dumped on a simulated device, and asking for the results finds none.
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "softnpu/runtime/report.h"

using namespace opwright::softnpu;

OPWRIGHT_EXPORT std::int32_t MsprofRegisterCallback(std::uint32_t, void*) { return kSuccess; }
OPWRIGHT_EXPORT std::int32_t MsprofReportApi(std::uint32_t, const void*) { return kSuccess; }
OPWRIGHT_EXPORT std::int32_t MsprofReportCompactInfo(std::uint32_t, const void*, std::uint32_t) { return kSuccess; }
OPWRIGHT_EXPORT std::int32_t MsprofReportAdditionalInfo(std::uint32_t, const void*, std::uint32_t) { return kSuccess; }
OPWRIGHT_EXPORT std::uint64_t MsprofSysCycleTime() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
OPWRIGHT_EXPORT std::uint64_t MsprofGetHashId(const char* text, std::size_t size) {
  return std::hash<std::string_view>()({text, size});
}

OPWRIGHT_EXPORT int aclmdlInitDump() { return kSuccess; }
OPWRIGHT_EXPORT int aclmdlSetDump(const char* /*config_path*/) { return kSuccess; }
OPWRIGHT_EXPORT int aclmdlFinalizeDump() { return kSuccess; }
