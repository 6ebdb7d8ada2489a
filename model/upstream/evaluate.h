// What typed expressions yield for given arguments.
#pragma once

#include <map>
#include <string>

#include "model/upstream/typed_operator.h"
#include "model/upstream/value.h"

namespace opwright::upstream {

/// The arguments of one call, by name, and the new_params computed so far. Every argument has an entry; absent
/// optionals are Absent.
struct Call {
  std::map<std::string, Value, std::less<>> values;
  Platform platform;
};

/// Throws Error where the expression has no value for this call: a precondition that does not hold, an absent optional
/// that is read, a dimension that does not exist.
Value evaluate(const Typed& expression, const Call& call);

/// Adds the new_params of an operator to its arguments; those that are opaque stay out.
void add_parameters(const TypedOperator& op, Call& call);

}  // namespace opwright::upstream
