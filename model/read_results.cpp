#include <fmt/format.h>

#include <algorithm>

#include "model/draft.h"
#include "model/keys.h"

namespace opwright::model {
namespace {

/// `like probs`: dtype, dims and presence of the argument.
void read_like(Draft& draft, const TensorPattern& pattern, Result& result) {
  const Argument* argument = draft.op.argument(pattern.like);
  if (argument == nullptr || !argument->tensor) {
    draft
        .error(pattern.where, argument == nullptr ? fmt::format("there is no argument `{}`", pattern.like)
                                                  : fmt::format("`{}` is not a tensor", pattern.like))
        .help = suggest(pattern.like, draft.tensor_names());
    return;
  }
  result.like = pattern.like;
  result.tensor = *argument->tensor;
  result.tensor.where = pattern.where;
  if (argument->optional_tensor) {
    const auto name = std::make_shared<Expr>(
        Expr{.kind = ExprKind::name, .text = pattern.like, .operands = {}, .where = pattern.where});
    const auto present = std::make_shared<Expr>(
        Expr{.kind = ExprKind::call, .text = "present", .operands = {name}, .where = pattern.where});
    result.when = Typed{present, Kind::boolean};
  }
}

/// A result's dtype is that of some argument, or is said outright.
void check_dtype_is_given(Draft& draft, const DtypeRule& rule) {
  if (rule.from != DtypeRule::From::type_set) return;
  const auto& arguments = draft.op.arguments;
  const bool given = std::any_of(arguments.begin(), arguments.end(), [&](const Argument& argument) {
    return argument.tensor && argument.tensor->dtype.from == rule.from && argument.tensor->dtype.name == rule.name;
  });
  if (given || draft.op.type_set(rule.name)->members.size() == 1) return;
  draft
      .error(
          rule.where,
          fmt::format("no argument has the type `{}`, so nothing says which of its dtypes the result has", rule.name))
      .help = "use the type of an argument, or one dtype by name";
}

void read_pattern(Draft& draft, const TensorPattern& pattern, Result& result) {
  if (!pattern.like.empty()) {
    read_like(draft, pattern, result);
  } else if (const auto dtype = read_dtype_rule(draft, pattern)) {
    result.tensor.dtype = *dtype;
    result.tensor.where = pattern.where;
    check_dtype_is_given(draft, *dtype);
  }
  for (const TensorPattern::Dim& dim : pattern.dims) {
    const bool pack = dim.size->kind == ExprKind::spread;
    if (dim.optional) {
      draft.error(dim.size->where, "a dimension of a result cannot be left out").help =
          "write `like x` for the dimensions of an argument that has one";
    }
    auto size = draft.type(Place::formula, pack ? dim.size->operands[0] : dim.size, pack ? Kind::shape : Kind::integer);
    if (size) result.tensor.dims.push_back({pack ? Dim::What::pack : Dim::What::size, std::move(*size), false});
  }
  if (!pattern.when) return;
  if (!pattern.like.empty()) {
    draft
        .error(pattern.when->where,
               fmt::format("`like {0}` already says that the result is present when `{0}` is", pattern.like))
        .help = "leave `when` out";
    return;
  }
  result.when = draft.type(Place::formula, pattern.when, Kind::boolean);
}

void read_one(Draft& draft, const Member& member, std::size_t index) {
  Result result;
  result.name = member.key.text;
  result.where = member.key.where;
  const auto& returns = draft.op.schema.returns;
  if (!is_identifier(result.name)) {
    draft.error(member.key.where, fmt::format("`{}` cannot name a result", result.name));
  } else if (index < returns.size() && !returns[index].name.empty() && returns[index].name != result.name) {
    draft
        .error(member.key.where,
               fmt::format("the schema names result {} `{}`, not `{}`", index, returns[index].name, result.name))
        .help = fmt::format("write `{}:`", returns[index].name);
  } else if (draft.op.argument(result.name) != nullptr || draft.op.dim(result.name) != nullptr) {
    draft
        .error(member.key.where, fmt::format("the result `{}` is named like {}", result.name,
                                             draft.op.argument(result.name) != nullptr ? "an argument" : "a dimension"))
        .help = "name one of them differently";
  }
  if (draft.dims_read &&
      expect_kind(member.value, NodeKind::scalar, fmt::format("the pattern of `{}`", result.name), draft.diagnostics)) {
    if (const auto pattern = parse_tensor_pattern(member.value, draft.diagnostics))
      read_pattern(draft, *pattern, result);
  }
  draft.op.results.push_back(std::move(result));
}

}  // namespace

void read_results(Draft& draft) {
  const Node* results = draft.mapping("results");
  if (results == nullptr || !draft.schema_read) return;
  for (std::size_t i = 0; i < results->members.size(); ++i) read_one(draft, results->members[i], i);
  const std::size_t returned = draft.op.schema.returns.size();
  if (returned != results->members.size()) {
    draft.error(draft.op.schema.where, fmt::format("the schema returns {} tensor{}, but `results:` describes {}",
                                                   returned, returned == 1 ? "" : "s", results->members.size()));
  }
}

}  // namespace opwright::model
