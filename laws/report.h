// How laws report.
#pragma once

#include <string>

#include "decl/diagnostics.h"

namespace opwright::laws {

/// An error under a law.
void refute(Diagnostics& diagnostics, std::string_view law, const SourceRange& where, std::string message,
            std::string help = "", std::vector<Diagnostic> notes = {});

/// The same for what could be neither proved nor refuted.
void leave_undecided(Diagnostics& diagnostics, std::string_view law, const SourceRange& where, std::string message,
                     std::string help = "");

/// Whether there is an error under the law at this place already: a fault that shows in several cases is one fault.
bool is_refuted(const Diagnostics& diagnostics, std::string_view law, const SourceRange& where);

Diagnostic note(const SourceRange& where, std::string message);

}  // namespace opwright::laws
