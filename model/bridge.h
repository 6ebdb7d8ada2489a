// The bridge to ATen: one line for each aclnn function that an operator of PyTorch computes.
//
//     Add: (Tensor self, Tensor other, Scalar alpha, Tensor! out) = add(self, other, alpha)
//
// On the left is what the entry point `aclnnAdd` takes, in the order of its arguments; `!` marks memory that it writes.
// On the right is the call that computes it. Its results are stored to the tensors with `!`, in order, unless the call
// names them itself: `InplaceZero: (Tensor! self) = zero_(self)`. An argument that the call does not need begins with
// `_`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/expression.h"
#include "decl/source.h"

namespace opwright::model {

/// How an argument of an entry point is passed.
enum class BridgeKind {
  tensor,
  optional_tensor,
  resized_tensor,
  tensor_list,
  optional_tensor_list,
  scalar,
  optional_scalar,
  scalar_list,
  integers,
  booleans,
  integer,
  floating,
  floating32,
  boolean,
  dtype,
  int8,
  string,
};

struct BridgeArgument {
  BridgeKind kind = BridgeKind::tensor;
  std::string name;
  bool written = false;  // `Tensor!`, `Tensor[]!`
  bool used = false;     // the call names it
  SourceRange where;
};

struct BridgeFunction {
  std::string name;  // without `aclnn`: "Add"
  std::vector<BridgeArgument> arguments;
  ExprPtr call;
  /// The results of the call are stored to the written arguments; otherwise the call writes them itself.
  bool stores_results = false;
  SourceRange where;
};

/// Reads the files of a bridge; reports bad lines, unknown kinds, names that do not exist, and functions given twice.
std::vector<BridgeFunction> load_bridge(const std::vector<SourceFilePtr>& files, Diagnostics& diagnostics);

}  // namespace opwright::model
