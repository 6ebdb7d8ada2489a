#include "laws/example.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/keys.h"

namespace opwright::laws {
namespace {

using model::Argument;
using model::Case;
using model::DtypeValue;
using model::Operator;

/// An argument that is there and has the dtype in question; or, for a ScalarType argument, itself.
std::string dtype_giver(const Operator& op, const Case& which, const std::string& unknown) {
  for (const Argument& argument : op.arguments) {
    const bool present = argument.tensor && (!argument.optional_tensor || which.find(argument.name())->second);
    const bool has_it = present && argument.tensor->dtype.from == model::DtypeRule::From::type_set;
    if (has_it && argument.tensor->dtype.name == unknown) return argument.name();
  }
  return unknown;
}

}  // namespace

std::string dtype_in_words(const Operator& op, const Case& which, const DtypeValue& dtype) {
  if (dtype.known) return fmt::format("dtype {}", name(*dtype.known));
  return fmt::format("the dtype of {}", dtype_giver(op, which, dtype.unknown));
}

std::string example_dtypes(const Operator& op, const Finding& finding, const std::vector<DtypeValue>& unknowns) {
  std::vector<std::string> facts;
  for (const DtypeValue& dtype : unknowns) {
    const auto found = finding.example->known.find(dtype.unknown);
    if (dtype.known || found == finding.example->known.end()) continue;
    const auto& chosen = std::get<DtypeValue>(found->second);
    if (chosen.known)
      facts.push_back(fmt::format("{} {}", dtype_giver(op, finding.which, dtype.unknown), name(*chosen.known)));
  }
  return model::join(facts, "and");
}

std::string example_sizes(const Operator& op, const Finding& finding, const std::vector<std::string>& relevant) {
  std::vector<std::string> facts;
  const auto add = [&](const std::string& name) {
    const auto found = finding.example->known.find(name);
    if (found == finding.example->known.end()) return;
    if (!relevant.empty() && std::find(relevant.begin(), relevant.end(), name) == relevant.end()) return;
    const auto* size = std::get_if<model::Polynomial>(&found->second);
    if (size != nullptr && size->constant()) facts.push_back(fmt::format("{} = {}", name, *size->constant()));
  };
  for (const model::NamedDim& dim : op.dims) add(dim.name);
  for (const Argument& argument : op.arguments) add(argument.name());
  return model::join(facts, "and");
}

}  // namespace opwright::laws
