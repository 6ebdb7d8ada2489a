#include "kernels/cpu_target.h"

#include <cstdio>
#include <cstdlib>

#include <hwy/highway.h>

#include "runtime/error.h"

namespace opwright {

std::vector<std::string> cpu_targets() {
  std::vector<std::string> names;
  for (const auto target : hwy::SupportedAndGeneratedTargets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void use_cpu_target(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  std::string known;
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    if (name == hwy::TargetName(target)) {
      hwy::SetSupportedTargetsForTest(target);
      name = {};
      break;
    }
    known += (known.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  if (!name.empty()) throw Error("this CPU has no target named " + std::string(name) + "; it has " + known);
}

void use_cpu_target_of_environment() {
  const char* name = std::getenv("OPWRIGHT_CPU_TARGET");
  if (name == nullptr) return;
  try {
    use_cpu_target(name);
  } catch (const Error& error) {
    // This runs while a library is loaded, where there is nobody to catch it.
    std::fprintf(stderr, "opwright: OPWRIGHT_CPU_TARGET: %s\n", error.what());
    std::exit(1);
  }
}

}  // namespace opwright
