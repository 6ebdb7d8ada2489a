// Diagnostics in SARIF 2.1.0, the format that code hosts and editors show beside the lines of a change.
#pragma once

#include <string>

#include "decl/diagnostics.h"

namespace opwright::cli {

/// One run: every law as a rule, every finding as a result with its region, its notes as related locations and its
/// edits as a fix. Columns count code points.
std::string to_sarif(const Diagnostics& diagnostics);

}  // namespace opwright::cli
