// How the simulated machine looks. Set by `opwright run` through the environment, so that child processes agree.
#pragma once

#include <cstddef>
#include <string>

namespace opwright::softnpu {

inline constexpr int kMaxDevices = 64;

struct Settings {
  int devices = 1;                  // OPWRIGHT_NPU_DEVICES
  std::size_t memory = 0;           // OPWRIGHT_NPU_MEMORY: bytes a device, "64GiB"; the host's memory unless given
  std::string soc = "Ascend910B1";  // OPWRIGHT_NPU_SOC
  bool dry = false;                 // OPWRIGHT_NPU_DRY=1: entry points check their arguments and compute nothing
  bool trace = false;               // OPWRIGHT_NPU_TRACE=1: every call of the interface is a line on stderr
};

/// Read from the environment at first use. A value that cannot be read ends the process with a message: a simulation of
/// some other machine than the one asked for would be worse.
__attribute__((visibility("default"))) const Settings& settings();

/// "64GiB", "512MiB", "1000": a number of bytes, or 0 when the text is none.
std::size_t bytes_of(const std::string& text);

}  // namespace opwright::softnpu
