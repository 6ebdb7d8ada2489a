#include "laws/upstream/upstream.h"

#include "decl/upstream/file.h"
#include "laws/upstream/each_expression.h"
#include "laws/upstream/gradients.h"
#include "laws/upstream/laws.h"

namespace opwright {
namespace {

using namespace upstream;

void count(const FunctionsFile& functions, const DerivativesFile& derivatives, UpstreamSummary& summary) {
  summary.operators = static_cast<int>(functions.operators.size());
  summary.derivatives = static_cast<int>(derivatives.derivatives.size());
  const auto count_expression = [&](const Expression& expression) {
    ++summary.expressions;
    if (!expression.snippet) ++summary.opaque_expressions;
  };
  for (const upstream::Operator& op : functions.operators) {
    if (!op.generated) continue;
    ++summary.generated;
    for (const NewParameter& parameter : op.generated->new_parameters) count_expression(parameter.value);
    for (const ResultRule& result : op.generated->results) {
      if (result.size) count_expression(*result.size);
      if (result.dtype) count_expression(*result.dtype);
    }
  }
}

}  // namespace

void lint_upstream(const SourceFilePtr& functions_source, const SourceFilePtr& derivatives_source,
                   Diagnostics& diagnostics, UpstreamSummary& summary) {
  const FunctionsFile functions = read_functions(functions_source, diagnostics);
  DerivativesFile derivatives;
  if (derivatives_source) derivatives = read_derivatives(derivatives_source, diagnostics);
  count(functions, derivatives, summary);

  const std::vector<Gradient> gradients = find_gradients(functions, derivatives);
  check_gradients(gradients, diagnostics, summary);
  check_absent_gradients(gradients, diagnostics);
  for (const upstream::Operator& op : functions.operators) {
    check_optionals(op, diagnostics);
    check_names(op, functions, diagnostics);
    check_complete(op, diagnostics);
    check_exec(op, diagnostics);
    check_lifetimes(op, diagnostics);
  }
  for (const Derivative& derivative : derivatives.derivatives) {
    check_derivative(derivative, functions, diagnostics);
    check_symbolic(derivative, functions, diagnostics);
  }
  diagnostics.sort();
}

}  // namespace opwright
