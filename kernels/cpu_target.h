// Which of the instruction sets that the kernels are compiled for is used: the best that the CPU has, unless told
// otherwise. The results have the same bits on all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opwright {

/// The targets that this CPU can run, best first: "AVX3", "AVX2", "SSE4", "SSSE3", "SCALAR" on x86-64.
std::vector<std::string> cpu_targets();

/// Uses this target from now on, or the best for "". Throws an Error that names the targets if it is none of them.
void use_cpu_target(std::string_view name);

/// Uses the target that the environment variable OPWRIGHT_CPU_TARGET names, if it is set.
void use_cpu_target_of_environment();

}  // namespace opwright
