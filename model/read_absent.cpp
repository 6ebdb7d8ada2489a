#include <fmt/format.h>

#include "model/draft.h"
#include "model/keys.h"
#include "model/kinds.h"
#include "model/names_in.h"

namespace opwright::model {
namespace {

/// Values for absence are computed before anything that may depend on them: of tensors' dims first, then of scalars,
/// then the formulas of `dims:`. So there can be no cycle, and the caller sees at once what a value depends on.
bool uses_only_given(Draft& draft, const Typed& value, bool dims_of_optionals) {
  bool good = true;
  for_each_name(*value.expr, [&](const Expr& name) {
    const auto refuse = [&](std::string_view why) {
      draft.error(name.where, fmt::format("a value under `absent:` cannot depend on `{}`, {}", name.text, why)).help =
          "use dimensions that required arguments give, and required arguments";
      good = false;
    };
    if (const NamedDim* dim = draft.op.dim(name.text)) {
      if (dim->formula) return refuse("which has a formula of its own");
      const Argument* giver = draft.op.argument(dim->bound_by);
      if (!dims_of_optionals && giver != nullptr && giver->optional_tensor)
        return refuse("which an optional tensor gives");
    } else if (const Argument* argument = draft.op.argument(name.text); argument->schema.type.optional) {
      refuse("which is optional itself");
    }
  });
  return good;
}

bool names(const TensorRule& tensor, const std::string& dim) {
  for (const Dim& candidate : tensor.dims) {
    if (candidate.size.expr->kind == ExprKind::name && candidate.size.expr->text == dim) return true;
  }
  return false;
}

/// `probs: {K: 1, T: S}`
void read_dims_when_absent(Draft& draft, const Node& node, Argument& argument) {
  for (const Member& member : node.members) {
    const std::string& name = member.key.text;
    const NamedDim* dim = draft.op.dim(name);
    if (dim == nullptr || dim->formula || !argument.tensor || !names(*argument.tensor, name)) {
      std::vector<std::string> own;
      for (const NamedDim& candidate : draft.op.dims) {
        if (!candidate.formula && argument.tensor && names(*argument.tensor, candidate.name))
          own.push_back(candidate.name);
      }
      draft.error(member.key.where, fmt::format("`{}` gives no dimension `{}`", argument.name(), name)).help =
          suggest(name, own);
      continue;
    }
    bool given_elsewhere = false;
    for (const Argument& other : draft.op.arguments) {
      if (&other == &argument || !other.tensor || !names(*other.tensor, name)) continue;
      draft
          .error(member.key.where,
                 fmt::format("`{}` also gives `{}`, so its absence decides nothing", other.name(), name))
          .help = fmt::format("leave `{}` out", name);
      given_elsewhere = true;
    }
    if (given_elsewhere) continue;
    if (!expect_kind(member.value, NodeKind::scalar, fmt::format("the value of `{}`", name), draft.diagnostics))
      continue;
    auto value = draft.expression(Place::formula, member.value, dim->pack ? Kind::shape : Kind::integer);
    if (value && uses_only_given(draft, *value, /*dims_of_optionals=*/false))
      argument.dims_when_absent.emplace_back(name, std::move(*value));
  }
}

void read_value_when_absent(Draft& draft, const Node& node, Argument& argument) {
  const auto kind = kind_of(argument.schema.type);
  if (!kind || *kind == Kind::integers || *kind == Kind::string) {
    draft.error(node.where, fmt::format("no value can stand for an absent {}", to_string(argument.schema.type))).help =
        fmt::format("write `{}: ignored`; a binding may say `{} or [1]`", argument.name(), argument.name());
    return;
  }
  auto value = draft.expression(Place::formula, node, *kind == Kind::floating ? Kind::integer : *kind);
  if (value && uses_only_given(draft, *value, /*dims_of_optionals=*/true)) argument.when_absent = std::move(value);
}

std::string example(const Argument& argument) {
  if (argument.optional_tensor)
    return fmt::format("add `{}: {{}}` under `absent:`, with the dimensions that are lost without it", argument.name());
  const auto kind = kind_of(argument.schema.type);
  const bool has_value = kind && *kind != Kind::integers && *kind != Kind::string;
  return fmt::format("add `{}: {}` under `absent:`", argument.name(),
                     has_value ? *kind == Kind::boolean ? "false"
                                 : *kind == Kind::dtype ? "dtype(x)"
                                                        : "0"
                               : "ignored");
}

Argument* find_argument(Operator& op, std::string_view name) {
  for (Argument& argument : op.arguments) {
    if (argument.name() == name) return &argument;
  }
  return nullptr;
}

void read_one(Draft& draft, const Member& member) {
  const std::string& name = member.key.text;
  Argument* argument = find_argument(draft.op, name);
  if (argument == nullptr) {
    std::vector<std::string> optional;
    for (const Argument& candidate : draft.op.arguments) {
      if (candidate.schema.type.optional) optional.push_back(candidate.name());
    }
    draft.error(member.key.where, fmt::format("the schema has no argument `{}`", name)).help = suggest(name, optional);
    return;
  }
  if (!argument->schema.type.optional) {
    draft
        .error(member.key.where,
               fmt::format("`{}` is of type {}, so it is never absent", name, to_string(argument->schema.type)))
        .help = "leave it out";
    return;
  }
  argument->absent_where = member.key.where;
  if (member.value.is_scalar() && member.value.text == "ignored") {
    argument->ignored = true;
  } else if (argument->optional_tensor) {
    if (expect_kind(member.value, NodeKind::mapping, fmt::format("`absent` of the tensor `{}`", name),
                    draft.diagnostics) &&
        draft.dims_read)
      read_dims_when_absent(draft, member.value, *argument);
  } else if (expect_kind(member.value, NodeKind::scalar, fmt::format("`absent` of `{}`", name), draft.diagnostics) &&
             draft.dims_read) {
    read_value_when_absent(draft, member.value, *argument);
  }
}

}  // namespace

void read_absent(Draft& draft) {
  if (!draft.schema_read) return;
  const Node* absent = draft.mapping("absent");
  if (absent != nullptr) {
    for (const Member& member : absent->members) read_one(draft, member);
  } else if (draft.document.find("absent") != nullptr) {
    return;
  }
  for (const Argument& argument : draft.op.arguments) {
    if (!argument.schema.type.optional || (absent != nullptr && absent->find(argument.name()) != nullptr)) continue;
    draft
        .error(argument.schema.where,
               fmt::format("`{}` is optional, and `absent:` does not say what happens without it", argument.name()))
        .help = example(argument);
  }
}

}  // namespace opwright::model
