// What the `size:` and `dtype:` of a result say, as far as the laws compare them.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "decl/upstream/file.h"
#include "laws/upstream/presence.h"

namespace opwright::upstream {

/// Where a result's dtype comes from.
struct DtypeRule {
  enum class From {
    tensor,    // of the tensor `name`
    argument,  // the value of the ScalarType argument `name`
    fixed,     // always the same: `name` is the constant
    promoted,  // PyTorch's promotion of several
    unknown,
  } from = From::unknown;
  std::string name;
  friend bool operator==(const DtypeRule&, const DtypeRule&) = default;
};

/// Where a result's sizes come from.
struct SizeRule {
  enum class From {
    tensor,  // of the tensor `name`
    none,    // no dimensions, whatever the inputs are
    unknown,
  } from = From::unknown;
  std::string name;
  friend bool operator==(const SizeRule&, const SizeRule&) = default;
};

/// Of a result, in calls in which these arguments are present; unknown where it is opaque or not given.
DtypeRule dtype_rule(const ResultRule& result, const Operator& op, const Names& present);
SizeRule size_rule(const ResultRule& result, const Operator& op, const Names& present);

}  // namespace opwright::upstream
