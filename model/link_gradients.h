// What gradients say of other operators.
#pragma once

#include <map>
#include <set>
#include <string>

#include "model/operator.h"

namespace opwright::model {

/// Reports gradients through operators that do not exist or do not fit. `names`: all operators that are declared, those
/// with errors included, so that these are not reported as missing.
void check_gradient_targets(const std::vector<Operator>& operators, const std::vector<std::string>& names,
                            Diagnostics& diagnostics, std::set<std::string>& broken);

}  // namespace opwright::model
