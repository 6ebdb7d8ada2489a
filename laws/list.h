// The laws, each defined in the file of its number.
#pragma once

#include "laws/laws.h"

namespace opwright::laws {

const Law& gradient_law();  // l1_gradient.cpp
const Law& optional_law();  // l2_optional.cpp
const Law& kinds_law();     // l3_kinds.cpp
const Law& complete_law();  // l4_complete.cpp
const Law& exec_law();      // l5_exec.cpp

}  // namespace opwright::laws
