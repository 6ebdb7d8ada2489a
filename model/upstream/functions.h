// The named functions of upstream's expressions (`broadcast_ops_npu_output_size`, `at::native::result_type`, …), each a
// typed rule in runtime/upstream. One line of functions.cpp registers one of them.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "model/upstream/type.h"
#include "model/upstream/value.h"

namespace opwright::upstream {

struct Function {
  std::string_view name;       // upstream's, without namespace
  std::string_view cpp_name;   // ours, in namespace opwright::upstream: `broadcast`
  std::string_view header;     // where it stands: `runtime/upstream/broadcast.h`
  bool generic = false;        // a template over the integer type, to be called as `broadcast<Int>(…)`
  bool asks_platform = false;  // takes the Platform before its other arguments
  std::vector<Type> parameters;
  Type result;
  /// Throws Error where a precondition of the rule does not hold.
  std::function<Value(const Platform&, std::span<const Value>)> evaluate;
};

/// All overloads of a name; empty where no rule has it.
std::span<const Function> functions_named(std::string_view name);
std::span<const Function> all_functions();

}  // namespace opwright::upstream
