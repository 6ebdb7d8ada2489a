// Diagnostics for programs.
#pragma once

#include <string>

#include "decl/diagnostics.h"

namespace opwright::cli {

/// A list of objects with `severity`, `law` (where there is one), `message`, `path`, `line`, `column`, `end_line`,
/// `end_column`, and where they are not empty `help` and `notes`.
std::string to_json(const Diagnostics& diagnostics);

}  // namespace opwright::cli
