#include "laws/report.h"

#include <algorithm>

namespace opwright::laws {
void refute(Diagnostics& diagnostics, std::string_view law, const SourceRange& where, std::string message,
            std::string help, std::vector<Diagnostic> notes) {
  Diagnostic& error = diagnostics.error(where, std::move(message));
  error.law = law;
  error.help = std::move(help);
  error.notes = std::move(notes);
}

void leave_undecided(Diagnostics& diagnostics, std::string_view law, const SourceRange& where, std::string message,
                     std::string help) {
  Diagnostic& warning = diagnostics.warning(where, std::move(message));
  warning.law = law;
  warning.help = std::move(help);
}

bool is_refuted(const Diagnostics& diagnostics, std::string_view law, const SourceRange& where) {
  return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [&](const Diagnostic& other) {
    return other.severity == Severity::error && other.law == law && other.where.file == where.file &&
           other.where.begin == where.begin;
  });
}

Diagnostic note(const SourceRange& where, std::string message) {
  return {
      .severity = Severity::note, .message = std::move(message), .where = where, .law = "", .help = "", .notes = {}};
}

}  // namespace opwright::laws
