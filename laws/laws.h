// The laws: what must hold of every declaration, proved before anything is compiled. One file a law (l1_gradient.cpp,
// ...).
#pragma once

#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "model/operator.h"

namespace opwright::laws {

enum class Verdict { proved, refuted, undecided };

struct Law {
  std::string_view number;       // "L1"
  std::string_view title;        // "a gradient looks like its input"
  std::string_view explanation;  // the page that `opwright lint --explain L1` prints
  /// Reports each refutation as an error (with a counter-example where it has one) and each undecided case as a
  /// warning.
  void (*check)(const model::Library&, Diagnostics&);
};

/// All laws in order.
const std::vector<Law>& all();

/// Checks every law on every operator.
void check(const model::Library& library, Diagnostics& diagnostics);

}  // namespace opwright::laws
