// How much of upstream's file is understood.
#pragma once

#include <string>

#include "decl/upstream/file.h"

namespace opwright::cli {

/// Counts of generated operators whose sizes, dtypes and new_params are typed, and every expression that is not, with
/// its place and the reason.
std::string coverage(const upstream::FunctionsFile& file);

}  // namespace opwright::cli
