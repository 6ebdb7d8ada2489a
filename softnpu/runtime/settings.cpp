#include "softnpu/runtime/settings.h"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace opwright::softnpu {
namespace {

[[noreturn]] void refuse(const char* variable, const std::string& value, const char* wanted) {
  std::fprintf(stderr, "opwright: %s must be %s, got \"%s\"\n", variable, wanted, value.c_str());
  std::_Exit(2);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool flag(const char* name) {
  const std::string value = variable(name);
  if (value.empty() || value == "0") return false;
  if (value == "1") return true;
  refuse(name, value, "0 or 1");
}

Settings from_environment() {
  Settings settings;
  if (const std::string devices = variable("OPWRIGHT_NPU_DEVICES"); !devices.empty()) {
    const char* end = devices.data() + devices.size();
    const auto parsed = std::from_chars(devices.data(), end, settings.devices);
    if (parsed.ec != std::errc() || parsed.ptr != end || settings.devices < 1 || settings.devices > kMaxDevices)
      refuse("OPWRIGHT_NPU_DEVICES", devices, "a number from 1 to 64");
  }
  settings.memory =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  if (const std::string memory = variable("OPWRIGHT_NPU_MEMORY"); !memory.empty()) {
    settings.memory = bytes_of(memory);
    if (settings.memory == 0) refuse("OPWRIGHT_NPU_MEMORY", memory, "a size such as 64GiB or 512MiB");
  }
  if (const std::string soc = variable("OPWRIGHT_NPU_SOC"); !soc.empty()) settings.soc = soc;
  settings.dry = flag("OPWRIGHT_NPU_DRY");
  settings.trace = flag("OPWRIGHT_NPU_TRACE");
  return settings;
}

}  // namespace

std::size_t bytes_of(const std::string& text) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return 0;
  const std::string unit(rest, end);
  int shift = -1;
  if (unit.empty() || unit == "B") shift = 0;
  if (unit == "KiB") shift = 10;
  if (unit == "MiB") shift = 20;
  if (unit == "GiB") shift = 30;
  if (unit == "TiB") shift = 40;
  if (shift < 0 || number > std::numeric_limits<std::size_t>::max() >> shift) return 0;
  return number << shift;
}

const Settings& settings() {
  static const Settings settings = from_environment();
  return settings;
}

}  // namespace opwright::softnpu
