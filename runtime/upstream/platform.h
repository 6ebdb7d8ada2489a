// Questions to the machine.
#pragma once

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

inline bool cann_at_least_8_2_rc1(const Platform& platform) { return platform.cann_at_least_8_2_rc1; }
inline bool allow_hf32_in_convolutions(const Platform& platform) { return platform.allow_hf32_in_convolutions; }

/// How matrix units treat float32: 0 as it is, 3 in HF32. Reducing it to float16 is left out, as on devices since 910B.
inline std::int8_t cube_math_type(bool allow_hf32) { return allow_hf32 ? 3 : 0; }

}  // namespace opwright::upstream
