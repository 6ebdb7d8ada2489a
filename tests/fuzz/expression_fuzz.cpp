// Expressions and tensor patterns of any bytes: read or refused; what was read prints to a text of the same tree.
#include "decl/expression.h"

#include "tests/fuzz/fuzzing.h"

using namespace opwright;

namespace {

bool same_optional(const ExprPtr& left, const ExprPtr& right) {
  return left && right ? fuzzing::same(*left, *right) : !left && !right;
}

bool same_pattern(const TensorPattern& left, const TensorPattern& right) {
  if (left.dtype != right.dtype || left.like != right.like || left.dims.size() != right.dims.size()) return false;
  for (std::size_t i = 0; i < left.dims.size(); ++i) {
    if (left.dims[i].optional != right.dims[i].optional) return false;
    if (!fuzzing::same(*left.dims[i].size, *right.dims[i].size)) return false;
  }
  return same_optional(left.when, right.when);
}

void check_expression(const Node& node) {
  Diagnostics diagnostics;
  const ExprPtr expr = parse_expression(node, diagnostics);
  fuzzing::require_reported(expr != nullptr, diagnostics);
  if (!expr) return;
  const ExprPtr again = parse_expression(fuzzing::scalar(to_string(*expr)), diagnostics);
  fuzzing::require(again && fuzzing::same(*expr, *again), "a printed expression is the same tree");
}

void check_pattern(const Node& node) {
  Diagnostics diagnostics;
  const std::optional<TensorPattern> pattern = parse_tensor_pattern(node, diagnostics);
  fuzzing::require_reported(pattern.has_value(), diagnostics);
  if (!pattern) return;
  const std::optional<TensorPattern> again = parse_tensor_pattern(fuzzing::scalar(to_string(*pattern)), diagnostics);
  fuzzing::require(again && same_pattern(*pattern, *again), "a printed pattern is the same pattern");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Node node = fuzzing::scalar(fuzzing::text_of(data, size));
  check_expression(node);
  check_pattern(node);
  return 0;
}
