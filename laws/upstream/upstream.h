// op-plugin's own declarations, op_plugin_functions.yaml and derivatives.yaml, as a second front end: read with places,
// checked against the laws as far as their text decides them.
#pragma once

#include "decl/diagnostics.h"
#include "decl/source.h"

namespace opwright {

/// What was read and how far the laws reach.
struct UpstreamSummary {
  int operators = 0;           // entries of all sections
  int generated = 0;           // of them with a `gen_opapi`
  int derivatives = 0;         // entries of derivatives.yaml
  int expressions = 0;         // sizes, dtypes and new_params, each place counted
  int opaque_expressions = 0;  // of them not understood, so exempt from the laws
  int gradients_proved = 0;    // results of gradient operators that have the dtype of their input (L1)
  int gradients_refuted = 0;
  int gradients_undecided = 0;  // their text does not say; not an error
};

/// Reports bad form and every law that the text refutes. `derivatives` may be null. What the text leaves open is
/// counted, and reported as a warning only where it looks like a slip.
void lint_upstream(const SourceFilePtr& functions, const SourceFilePtr& derivatives, Diagnostics& diagnostics,
                   UpstreamSummary& summary);

}  // namespace opwright
