#include <algorithm>

#include "laws/upstream/laws.h"

namespace opwright::upstream {

void check_complete(const Operator& op, Diagnostics& diagnostics) {
  if (!op.generated || op.generated->inherits || op.structured || !op.is_functional()) return;
  const std::vector<SchemaReturn>& returns = op.schema.returns;
  const auto tensors = std::count_if(returns.begin(), returns.end(),
                                     [](const SchemaReturn& result) { return result.type.is("Tensor"); });
  const std::vector<ResultRule>& results = op.generated->results;
  if (static_cast<std::ptrdiff_t>(results.size()) != tensors) {
    diagnostics
        .error(op.generated->where, op.name() + " returns " + std::to_string(tensors) + " tensors, but " +
                                        std::to_string(results.size()) + " results are declared")
        .law = "L4";
  }
  for (const ResultRule& result : results) {
    if (result.size && result.dtype) continue;
    const std::string missing = !result.size && !result.dtype ? "size and no dtype" : !result.size ? "size" : "dtype";
    diagnostics.error(result.where, "the result `" + result.name + "` has no " + missing).law = "L4";
  }
}

}  // namespace opwright::upstream
