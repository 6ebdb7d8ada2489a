// What is wrong in a declaration, said once, with its place, and printed the same way everywhere.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decl/source.h"

namespace opwright {

enum class Severity { error, warning, note };

/// "error", "warning", "note".
std::string_view to_text(Severity severity);

/// An edit that mends a finding without a person's judgement: `replacement` is written in place of the range, or put in
/// at its beginning when the range is empty.
struct Fix {
  SourceRange where;
  std::string replacement;
};

/// One finding. Printed as
///
///     path:line:col: error: message [L1]
///       7 |   grad_probs: D[T, K]
///         |               ^~~~~~~
///       = help: write `grad_probs: like probs`
///
/// followed by its notes in the same form.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;  // one sentence, no full stop, names quoted with `backticks`
  SourceRange where;
  std::string law;                // "L1", or empty for errors of syntax and form
  std::string help;               // how to fix it, as text to type where possible; may be empty
  std::vector<Diagnostic> notes;  // other places that belong to it; severity is `note`
  std::vector<Fix> fixes{};       // all of them together mend the finding; empty when it takes a decision

  void add_note(SourceRange place, std::string text);
};

/// Collects findings in the order in which they are reported; `sort` puts them into the order of the files.
class Diagnostics {
 public:
  Diagnostic& error(SourceRange where, std::string message);
  Diagnostic& warning(SourceRange where, std::string message);

  bool has_errors() const { return errors_ > 0; }
  int error_count() const { return errors_; }
  int warning_count() const { return warnings_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  void sort();

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
  int warnings_ = 0;
};

/// The text of one finding, ending in a line break. Long source lines are cut to a window around the caret.
std::string to_text(const Diagnostic& diagnostic);

/// The text of all findings, in their order.
std::string to_text(const Diagnostics& diagnostics);

/// The candidate nearest to `name` by edit distance, if one is near enough to be what was meant.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace opwright
