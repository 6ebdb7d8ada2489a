// Which operators have what.
#pragma once

#include <string>

#include "model/operator.h"

namespace opwright::cli {

/// A table of operators with their CPU kernel, aclnn function and gradient, and a line of totals.
std::string coverage(const model::Library& library);

}  // namespace opwright::cli
