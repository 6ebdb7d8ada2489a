#include <fmt/format.h>

#include <algorithm>

#include "model/draft.h"
#include "model/keys.h"

namespace opwright::model {
namespace {

bool may_be_floating_point(const Operator& op, const DtypeRule& rule) {
  switch (rule.from) {
    case DtypeRule::From::fixed:
      return is_floating_point(rule.fixed);
    case DtypeRule::From::argument:
      return true;
    case DtypeRule::From::type_set: {
      const TypeSet* type = op.type_set(rule.name);
      return type != nullptr && std::any_of(type->members.begin(), type->members.end(), is_floating_point);
    }
  }
  return false;
}

/// The names of a list, each reported unless `accept` takes it.
template <class Accept>
std::vector<std::string> read_names(Draft& draft, const Node& list, std::string_view what, const Accept& accept) {
  std::vector<std::string> names;
  for (const Node& item : list.items) {
    if (!expect_kind(item, NodeKind::scalar, fmt::format("an entry of `{}`", what), draft.diagnostics)) continue;
    if (std::find(names.begin(), names.end(), item.text) != names.end()) {
      draft.error(item.where, fmt::format("`{}` names `{}` twice", what, item.text));
    } else if (accept(item)) {
      names.push_back(item.text);
    }
  }
  return names;
}

void read_of(Draft& draft, const Node& of) {
  if (of.items.empty())
    draft.error(of.where, "`of` names no argument").help = "write `none: reason` for an operator without gradient";
  draft.op.gradient->of = read_names(draft, of, "of", [&](const Node& item) {
    const Argument* argument = draft.op.argument(item.text);
    if (argument == nullptr) {
      draft.error(item.where, fmt::format("there is no argument `{}`", item.text)).help =
          suggest(item.text, draft.tensor_names());
      return false;
    }
    if (argument->tensor && may_be_floating_point(draft.op, argument->tensor->dtype)) return true;
    if (draft.dims_read)
      draft.error(item.where, fmt::format("`{}` has no gradient: it is not a floating-point tensor", item.text));
    return false;
  });
}

void read_not_differentiable(Draft& draft, const Node& list) {
  draft.op.gradient->not_differentiable = read_names(draft, list, "not_differentiable", [&](const Node& item) {
    if (draft.op.result(item.text) != nullptr) return true;
    draft.error(item.where, fmt::format("there is no result `{}`", item.text)).help =
        suggest(item.text, draft.result_names());
    return false;
  });
}

/// Collects `grad(x)` and `needs_grad(x)` and holds them against what the block says is differentiable.
class GradientUses {
 public:
  explicit GradientUses(Draft& draft) : draft_(draft), gradient_(*draft.op.gradient) {}

  void visit(const Expr& expr) {
    if (expr.kind == ExprKind::call && expr.operands.size() == 1) {
      const Expr& operand = *expr.operands[0];
      if (expr.text == "grad") visit_grad(operand);
      if (expr.text == "needs_grad") visit_needs_grad(operand);
    }
    for (const ExprPtr& operand : expr.operands) visit(*operand);
  }

  void check_all_results() {
    for (const Result& result : draft_.op.results) {
      if (!may_be_floating_point(draft_.op, result.tensor.dtype) || is_not_differentiable(result.name) ||
          is_used(result.name))
        continue;
      draft_
          .error(gradient_.where,
                 fmt::format(
                     "`{0}` is floating-point, but its gradient is not used: the gradient formula has no `grad({0})`",
                     result.name))
          .help = fmt::format("use `grad({0})`, or say `not_differentiable: [{0}]`", result.name);
    }
  }

 private:
  bool is_not_differentiable(const std::string& name) const {
    return std::find(gradient_.not_differentiable.begin(), gradient_.not_differentiable.end(), name) !=
           gradient_.not_differentiable.end();
  }
  bool is_used(const std::string& name) const { return std::find(used_.begin(), used_.end(), name) != used_.end(); }

  void visit_grad(const Expr& operand) {
    const Result* result = draft_.op.result(operand.text);
    if (result == nullptr) return;
    used_.push_back(operand.text);
    if (is_not_differentiable(operand.text)) {
      draft_.error(operand.where,
                   fmt::format("`{}` is said to be not differentiable, so it has no gradient", operand.text));
    } else if (!may_be_floating_point(draft_.op, result->tensor.dtype)) {
      draft_.error(operand.where, fmt::format("`{}` is not floating-point, so it has no gradient", operand.text));
    }
  }

  void visit_needs_grad(const Expr& operand) {
    if (draft_.op.argument(operand.text) == nullptr ||
        std::find(gradient_.of.begin(), gradient_.of.end(), operand.text) != gradient_.of.end())
      return;
    draft_.error(operand.where, fmt::format("`{}` is not in `of`, so it never needs a gradient", operand.text));
  }

  Draft& draft_;
  const Gradient& gradient_;
  std::vector<std::string> used_;
};

void read_by(Draft& draft, const Node& node) {
  Gradient& gradient = *draft.op.gradient;
  gradient.form = Gradient::Form::by;
  gradient.where = node.where;
  const ExprPtr call = parse_expression(node, draft.diagnostics);
  if (call == nullptr) return;
  if (call->kind != ExprKind::call) {
    draft.error(call->where, "`by` must be a call of the gradient operator").help =
        "write `npu_x_grad(grad(result), x)`";
    return;
  }
  gradient.op = call->text;
  if (!draft.dims_read) return;
  bool good = true;
  for (const ExprPtr& argument : call->operands) {
    good = draft.type(Place::gradient, argument, std::nullopt).has_value() && good;
    gradient.arguments.push_back(argument);
  }
  GradientUses uses(draft);
  uses.visit(*call);
  if (good) uses.check_all_results();
}

void read_gradient_block(Draft& draft, const Node& block, const SourceRange& where) {
  constexpr Key keys[] = {{"of", NodeKind::sequence, false},
                          {"not_differentiable", NodeKind::sequence, false},
                          {"by", NodeKind::scalar, false},
                          {"through", NodeKind::scalar, false},
                          {"none", NodeKind::scalar, false}};
  check_keys(block, "`gradient`", where, keys, draft.diagnostics);
  Gradient& gradient = draft.op.gradient.emplace();
  gradient.where = where;
  const int forms =
      (block.find("by") != nullptr) + (block.find("through") != nullptr) + (block.find("none") != nullptr);
  if (forms != 1) {
    draft.error(where, "`gradient` needs exactly one of `by`, `through` and `none`").help =
        "by: the gradient operator; through: the operator that autograd calls instead; none: why there is no gradient";
    return;
  }
  const Node* of = find(block, "of", NodeKind::sequence);
  const Node* not_differentiable = find(block, "not_differentiable", NodeKind::sequence);
  if (of != nullptr) read_of(draft, *of);
  if (not_differentiable != nullptr) read_not_differentiable(draft, *not_differentiable);

  if (const Node* by = find(block, "by", NodeKind::scalar)) {
    if (block.find("of") == nullptr) {
      draft.error(by->where, "`by` needs `of`: the arguments whose gradients the operator returns").help =
          "write `of: [x]`";
    }
    read_by(draft, *by);
    return;
  }
  for (const std::string_view key : {"of", "not_differentiable"}) {
    if (const Node* stray = block.find(key))
      draft.error(stray->where, fmt::format("`{}` belongs to `by`", key)).help = "leave it out";
  }
  if (const Node* through = find(block, "through", NodeKind::scalar)) {
    gradient.form = Gradient::Form::through;
    gradient.op = through->text;
    gradient.where = through->where;
  } else if (const Node* none = find(block, "none", NodeKind::scalar)) {
    gradient.form = Gradient::Form::none;
    gradient.reason = none->text;
    gradient.where = none->where;
  }
}

void read_gradient_of(Draft& draft, const Node& block) {
  for (const auto& [key, value] : block.members) {
    if (!expect_kind(value, NodeKind::scalar, fmt::format("`gradient_of` of `{}`", key.text), draft.diagnostics))
      continue;
    const bool is_result = draft.op.result(key.text) != nullptr;
    const Argument* argument = draft.op.argument(value.text);
    if (!is_result)
      draft.error(key.where, fmt::format("there is no result `{}`", key.text)).help =
          suggest(key.text, draft.result_names());
    if (argument == nullptr || !argument->schema.type.is("Tensor")) {
      draft
          .error(value.where, argument == nullptr ? fmt::format("there is no argument `{}`", value.text)
                                                  : fmt::format("`{}` is not a tensor", value.text))
          .help = suggest(value.text, draft.tensor_names());
    } else if (is_result) {
      draft.op.gradient_of.emplace_back(key.text, value.text);
    }
  }
}

}  // namespace

void read_gradient(Draft& draft) {
  if (!draft.schema_read) return;
  for (const Member& member : draft.document.members) {
    if (!member.value.is_mapping()) continue;
    if (member.key.text == "gradient") read_gradient_block(draft, member.value, member.key.where);
    if (member.key.text == "gradient_of") read_gradient_of(draft, member.value);
  }
}

}  // namespace opwright::model
