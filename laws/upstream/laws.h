// The laws on upstream's declarations, one file each. Every finding is decided by the text alone.
#pragma once

#include <vector>

#include "decl/diagnostics.h"
#include "decl/upstream/file.h"
#include "laws/upstream/gradients.h"
#include "laws/upstream/upstream.h"

namespace opwright::upstream {

/// L1: a gradient has the dtype and sizes of its input.
void check_gradients(const std::vector<Gradient>& gradients, Diagnostics& diagnostics, UpstreamSummary& summary);
/// L2: absence is decided wherever an optional argument is read, and the gradient of an absent input is absent.
void check_optionals(const Operator& op, Diagnostics& diagnostics);
void check_absent_gradients(const std::vector<Gradient>& gradients, Diagnostics& diagnostics);
/// L3: every name exists.
void check_names(const Operator& op, const FunctionsFile& functions, Diagnostics& diagnostics);
/// L4: every result of a new tensor has a size and a dtype.
void check_complete(const Operator& op, Diagnostics& diagnostics);
/// L5: what goes to the aclnn function exists, and every result goes there once.
void check_exec(const Operator& op, Diagnostics& diagnostics);
/// L6: a derivative names arguments and results that exist, and calls its operators with as many arguments as they
/// have.
void check_derivative(const Derivative& derivative, const FunctionsFile& functions, Diagnostics& diagnostics);
/// L8: no expression leaves a reference to a value that is gone.
void check_lifetimes(const Operator& op, Diagnostics& diagnostics);
/// L9: no derivative makes a number of a size that may be symbolic.
void check_symbolic(const Derivative& derivative, const FunctionsFile& functions, Diagnostics& diagnostics);

}  // namespace opwright::upstream
