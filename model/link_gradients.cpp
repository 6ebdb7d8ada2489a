#include "model/link_gradients.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/keys.h"

namespace opwright::model {
namespace {

/// How an autograd that calls another operator instead must find it: with the same arguments, and with the results
/// first.
bool same_call(const Operator& op, const Operator& target) {
  const auto& ours = op.schema.arguments;
  const auto& theirs = target.schema.arguments;
  return target.results.size() >= op.results.size() &&
         std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                    [](const SchemaArgument& left, const SchemaArgument& right) {
                      return left.name == right.name && to_string(left.type) == to_string(right.type) &&
                             left.keyword_only == right.keyword_only;
                    });
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

void check_by(const Operator& op, const Operator& target, Diagnostics& diagnostics) {
  const Gradient& gradient = *op.gradient;
  const std::size_t wanted = target.schema.arguments.size();
  if (gradient.arguments.size() != wanted) {
    diagnostics
        .error(gradient.where, fmt::format("{} takes {}, but the formula passes {}", target.name,
                                           counted(wanted, "argument"), gradient.arguments.size()))
        .help = fmt::format("its schema is {}", to_string(target.schema));
  }
  if (gradient.of.size() != target.results.size()) {
    diagnostics
        .error(gradient.where,
               fmt::format("{} returns {}, but `of` names {}", target.name, counted(target.results.size(), "gradient"),
                           counted(gradient.of.size(), "argument")))
        .help = "result i of the gradient operator is the gradient of the i-th name";
  }
}

void check_through(const Operator& op, const Operator& target, Diagnostics& diagnostics) {
  const Gradient& gradient = *op.gradient;
  if (!same_call(op, target)) {
    diagnostics
        .error(gradient.where,
               fmt::format("{} cannot stand in for {}: it must have the same arguments and at least the same results",
                           target.name, op.name))
        .help = fmt::format("its schema is {}", to_string(target.schema));
  } else if (!target.gradient || target.gradient->form != Gradient::Form::by) {
    diagnostics.error(gradient.where, fmt::format("{} has no gradient formula either", target.name)).help =
        "name an operator with `gradient: {of: …, by: …}`";
  }
}

}  // namespace

void check_gradient_targets(const std::vector<Operator>& operators, const std::vector<std::string>& names,
                            Diagnostics& diagnostics, std::set<std::string>& broken) {
  for (const Operator& op : operators) {
    if (!op.gradient || op.gradient->op.empty()) continue;
    const int errors = diagnostics.error_count();
    const std::string& target_name = op.gradient->op;
    const auto target = std::find_if(operators.begin(), operators.end(),
                                     [&](const Operator& other) { return other.name == target_name; });
    if (target != operators.end()) {
      (op.gradient->form == Gradient::Form::by ? check_by : check_through)(op, *target, diagnostics);
    } else if (std::find(names.begin(), names.end(), target_name) == names.end()) {
      diagnostics.error(op.gradient->where, fmt::format("there is no operator `{}`", target_name)).help =
          did_you_mean(target_name, names);
    }
    if (diagnostics.error_count() > errors) broken.insert(op.name);
  }
}

}  // namespace opwright::model
