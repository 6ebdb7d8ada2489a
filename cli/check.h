// Load and prove: what `lint`, `generate` and `coverage` begin with.
#pragma once

#include "cli/inputs.h"
#include "laws/upstream/upstream.h"

namespace opwright::cli {

struct Checked {
  model::Library library;
  UpstreamSummary upstream;  // of op-plugin's files, where there are any
  Diagnostics diagnostics;   // sorted
  std::size_t files = 0;
};

/// Loads all inputs and checks all laws.
Checked check(const std::vector<Input>& inputs);

/// "2 errors and 1 warning in 15 operators, 6 files"
std::string summary(const Checked& checked);

}  // namespace opwright::cli
