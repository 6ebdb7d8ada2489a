// Dtypes at the border to torch.
#pragma once

#include <c10/core/ScalarType.h>

#include <optional>

#include "runtime/dtype.h"

namespace opwright {

/// The dtype, or nothing where declarations have no name for it.
std::optional<Dtype> from_torch(c10::ScalarType type);
c10::ScalarType to_torch(Dtype dtype);

}  // namespace opwright
