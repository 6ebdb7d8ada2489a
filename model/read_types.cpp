#include <fmt/format.h>

#include <algorithm>

#include "model/draft.h"
#include "model/keys.h"

namespace opwright::model {
namespace {

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Dtype::bool_); ++i) names.emplace_back(name(static_cast<Dtype>(i)));
  return names;
}

void read_type(Draft& draft, const Node& key, const Node& value) {
  TypeSet type{.name = key.text, .members = {}, .where = key.where};
  if (!is_identifier(type.name) || dtype_named(type.name)) {
    draft.error(key.where, fmt::format("`{}` cannot name a set of dtypes", type.name)).help = "use a letter: `D`";
    return;
  }
  if (!expect_kind(value, NodeKind::sequence, fmt::format("type `{}`", type.name), draft.diagnostics)) return;
  if (value.items.empty()) draft.error(value.where, fmt::format("type `{}` has no dtypes", type.name));
  for (const Node& item : value.items) {
    if (!expect_kind(item, NodeKind::scalar, fmt::format("a dtype of `{}`", type.name), draft.diagnostics)) continue;
    const auto dtype = dtype_named(item.text);
    if (!dtype) {
      draft.error(item.where, fmt::format("`{}` is not a dtype", item.text)).help = suggest(item.text, dtype_names());
    } else if (std::find(type.members.begin(), type.members.end(), *dtype) != type.members.end()) {
      draft.error(item.where, fmt::format("type `{}` names {} twice", type.name, item.text));
    } else {
      type.members.push_back(*dtype);
    }
  }
  draft.op.types.push_back(std::move(type));
}

}  // namespace

void read_types(Draft& draft) {
  const Node* types = draft.mapping("types");
  if (types == nullptr) return;
  for (const Member& member : types->members) read_type(draft, member.key, member.value);
}

std::optional<DtypeRule> read_dtype_rule(Draft& draft, const TensorPattern& pattern) {
  DtypeRule rule{
      .from = DtypeRule::From::type_set, .name = pattern.dtype, .fixed = Dtype::float32, .where = pattern.dtype_where};
  if (draft.op.type_set(pattern.dtype) != nullptr) return rule;
  if (const auto dtype = dtype_named(pattern.dtype)) {
    rule.from = DtypeRule::From::fixed;
    rule.name.clear();
    rule.fixed = *dtype;
    return rule;
  }
  if (const Argument* argument = draft.op.argument(pattern.dtype)) {
    if (argument->schema.type.is("ScalarType")) {
      rule.from = DtypeRule::From::argument;
      return rule;
    }
    draft
        .error(pattern.dtype_where, fmt::format("`{}` is not a dtype but an argument of type {}", pattern.dtype,
                                                to_string(argument->schema.type)))
        .help = argument->schema.type.is("Tensor")
                    ? fmt::format("write the type that stands in the pattern of `{0}`, or `like {0}`", pattern.dtype)
                    : "";
    return std::nullopt;
  }
  std::vector<std::string> candidates = dtype_names();
  for (const TypeSet& type : draft.op.types) candidates.push_back(type.name);
  draft.error(pattern.dtype_where, fmt::format("`{}` is neither a type of `types:` nor a dtype", pattern.dtype)).help =
      did_you_mean(pattern.dtype, candidates);
  return std::nullopt;
}

}  // namespace opwright::model
