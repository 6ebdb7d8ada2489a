// Which result of which gradient operator belongs to which input: stated by derivatives.yaml, or by names (`grad_probs`
// is the gradient of `probs`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decl/upstream/file.h"
#include "laws/upstream/rules.h"

namespace opwright::upstream {

/// One formula `inputs: g(…)` whose `g` generates code: what the arguments of `g` are in terms of the forward operator.
struct GradientCall {
  const Derivative* derivative = nullptr;
  const Operator* forward = nullptr;  // null when upstream has no entry for it
  const Snippet* call = nullptr;
  const Operator* gradient = nullptr;

  /// A dtype rule of the gradient operator in terms of the forward operator's arguments.
  DtypeRule in_forward_terms(const DtypeRule& rule) const;
  SizeRule in_forward_terms(const SizeRule& rule) const;
  /// The argument of the gradient operator that gets the forward operator's argument itself; empty when none does.
  std::string receiver(const std::string& forward_argument) const;
};

struct Gradient {
  const Operator* op = nullptr;
  std::size_t result = 0;
  std::string input;          // the argument of `op` whose gradient it is; empty when `op` is not given it
  std::string forward_input;  // the argument of the forward operator; empty when only names pair them
  std::optional<GradientCall> call;

  const ResultRule& rule() const { return op->generated->results[result]; }
  /// The input's name as messages use it.
  const std::string& input_name() const { return input.empty() ? forward_input : input; }
  /// The input as the schema of the gradient operator or of the forward operator has it.
  const SchemaArgument* input_argument() const;
};

/// The number in `resultN` and `grads[N]` of a formula.
std::optional<std::size_t> result_number(const Snippet& snippet);

/// All pairs: those that derivatives state, then those that only names show.
std::vector<Gradient> find_gradients(const FunctionsFile& functions, const DerivativesFile& derivatives);

}  // namespace opwright::upstream
