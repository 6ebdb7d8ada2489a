#include "emit/torch_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/cpp_types.h"

namespace opwright::emit {

using model::Argument;
using model::Operator;

std::vector<std::string> torch_parameters(const Operator& op, const std::vector<std::string>& unused) {
  std::vector<std::string> parameters;
  for (const Argument& argument : op.arguments) {
    const bool is_unused = std::find(unused.begin(), unused.end(), argument.name()) != unused.end();
    const std::string name = is_unused ? "/*" + argument.name() + "*/" : argument.name();
    parameters.push_back(torch_type(argument.schema.type) + " " + name);
  }
  return parameters;
}

std::vector<std::string> argument_names(const Operator& op) {
  std::vector<std::string> names;
  for (const Argument& argument : op.arguments) names.push_back(argument.name());
  return names;
}

std::string as_inference_argument(const Operator& op, const Argument& argument, const std::string& integer) {
  const SchemaType& type = argument.schema.type;
  if (argument.tensor) return fmt::format("describe<{}>({})", integer, argument.name());
  if (type.is("ScalarType")) {
    return fmt::format("dtype_argument(\"{}\", \"{}\", {})", op.name, argument.name(), argument.name());
  }
  if (type.list) return fmt::format("{}({})", type.optional ? "optional_ints" : "ints", argument.name());
  if (type.is("SymInt") && integer == "std::int64_t") return fmt::format("number({})", argument.name());
  return argument.name();
}

}  // namespace opwright::emit
