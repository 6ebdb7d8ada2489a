#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/draft.h"
#include "model/keys.h"

namespace opwright::model {
namespace {

/// The patterns of `arguments:`, by argument.
using Patterns = std::map<std::string, TensorPattern, std::less<>>;

std::optional<TensorPattern> read_pattern(Draft& draft, const Node& node, const std::string& name) {
  if (!expect_kind(node, NodeKind::scalar, fmt::format("the pattern of `{}`", name), draft.diagnostics))
    return std::nullopt;
  auto pattern = parse_tensor_pattern(node, draft.diagnostics);
  if (!pattern) return std::nullopt;
  if (!pattern->like.empty()) {
    draft.error(pattern->where, fmt::format("`like` describes results; `{}` is an argument", name)).help =
        "write its dtype and dimensions: `D[T, K]`";
    return std::nullopt;
  }
  if (pattern->when) {
    draft
        .error(pattern->when->where,
               fmt::format("`when` describes results; whether `{}` is present, the caller decides", name))
        .help = "make it optional in the schema: `Tensor?`";
    return std::nullopt;
  }
  for (std::size_t i = 0; i < pattern->dims.size(); ++i) {
    const TensorPattern::Dim& dim = pattern->dims[i];
    const bool has_pack = std::any_of(pattern->dims.begin(), pattern->dims.end(),
                                      [](const auto& other) { return other.size->kind == ExprKind::spread; });
    if (dim.optional && (i + 1 < pattern->dims.size() || has_pack)) {
      draft.error(dim.size->where, "only the last dimension may be left out, and only without a pack before it");
      return std::nullopt;
    }
    if (dim.size->kind == ExprKind::spread && i > 0 &&
        std::any_of(pattern->dims.begin(), pattern->dims.begin() + static_cast<std::ptrdiff_t>(i),
                    [](const auto& other) { return other.size->kind == ExprKind::spread; })) {
      draft.error(dim.size->where, "a pattern has at most one pack; where two would meet cannot be told");
      return std::nullopt;
    }
  }
  return pattern;
}

Patterns read_patterns(Draft& draft, const Node& arguments, bool& good) {
  Patterns patterns;
  for (const Member& member : arguments.members) {
    const std::string& name = member.key.text;
    const SchemaArgument* argument = draft.op.schema.find(name);
    if (argument == nullptr) {
      draft.error(member.key.where, fmt::format("the schema has no argument `{}`", name)).help =
          suggest(name, draft.tensor_names());
    } else if (!argument->type.is("Tensor")) {
      draft.error(member.key.where,
                  fmt::format("`{}` is of type {}; patterns describe tensors", name, to_string(argument->type)));
    } else if (auto pattern = read_pattern(draft, member.value, name)) {
      patterns.emplace(name, std::move(*pattern));
      continue;
    }
    good = false;
  }
  return patterns;
}

/// Enters what `dims:` and the patterns name into op.dims: a bare name that is no argument names a dimension.
class DimNames {
 public:
  DimNames(Draft& draft, bool& good) : draft_(draft), good_(good) {}

  void add_formula(const Node& key) {
    if (!is_identifier(key.text))
      return fail(key.where, fmt::format("`{}` cannot name a dimension", key.text), "use a letter: `N`");
    if (const NamedDim* known = draft_.op.dim(key.text); known != nullptr && known->pack)
      return fail(key.where, fmt::format("`{}` is a pack of dimensions; only sizes have formulas", key.text));
    add(key.text, /*pack=*/false, key.where);
  }

  void add_pattern(const TensorPattern& pattern) {
    for (const TensorPattern::Dim& dim : pattern.dims) {
      const bool pack = dim.size->kind == ExprKind::spread;
      const Expr& named = pack ? *dim.size->operands[0] : *dim.size;
      if (named.kind == ExprKind::name && (pack || draft_.op.argument(named.text) == nullptr))
        add(named.text, pack, named.where);
    }
  }

 private:
  void fail(const SourceRange& where, std::string message, std::string help = "") {
    draft_.error(where, std::move(message)).help = std::move(help);
    good_ = false;
  }

  void add(const std::string& name, bool pack, const SourceRange& where) {
    if (draft_.op.argument(name) != nullptr)
      return fail(where, fmt::format("the dimension `{}` is named like an argument", name),
                  "name one of them differently");
    if (draft_.op.type_set(name) != nullptr)
      return fail(where, fmt::format("the dimension `{}` is named like a type", name), "name one of them differently");
    const NamedDim* known = draft_.op.dim(name);
    if (known == nullptr) {
      NamedDim dim;
      dim.name = name;
      dim.pack = pack;
      dim.where = where;
      draft_.op.dims.push_back(std::move(dim));
    } else if (known->pack != pack) {
      fail(where,
           known->pack ? fmt::format("`{}` is a pack of dimensions, not a size", name)
                       : fmt::format("`{}` is a size, not a pack of dimensions", name),
           known->pack ? fmt::format("write `*{}`", name) : fmt::format("write `{}` without the star", name));
    }
  }

  Draft& draft_;
  bool& good_;
};

std::optional<TensorRule> type_pattern(Draft& draft, const TensorPattern& pattern) {
  const auto dtype = read_dtype_rule(draft, pattern);
  TensorRule rule;
  rule.where = pattern.where;
  bool good = dtype.has_value();
  for (const TensorPattern::Dim& dim : pattern.dims) {
    const bool pack = dim.size->kind == ExprKind::spread;
    auto size = draft.type(Place::formula, pack ? dim.size->operands[0] : dim.size, pack ? Kind::shape : Kind::integer);
    good = good && size;
    if (size) rule.dims.push_back({pack ? Dim::What::pack : Dim::What::size, std::move(*size), dim.optional});
  }
  if (!good) return std::nullopt;
  rule.dtype = *dtype;
  return rule;
}

/// Says which argument gives each dim: the first required one that names it, or else the first optional one.
void bind_dims(Operator& op) {
  for (const bool optional : {false, true}) {
    for (const Argument& argument : op.arguments) {
      if (!argument.tensor || argument.optional_tensor != optional) continue;
      const auto& dims = argument.tensor->dims;
      bool behind_pack = false;
      for (std::size_t i = 0; i < dims.size(); ++i) {
        for (NamedDim& named : op.dims) {
          const bool names_it = dims[i].size.expr->kind == ExprKind::name && dims[i].size.expr->text == named.name;
          if (!names_it || named.formula || !named.bound_by.empty()) continue;
          named.bound_by = argument.name();
          named.bound_at = static_cast<int>(i) - (behind_pack ? static_cast<int>(dims.size()) : 0);
        }
        behind_pack = behind_pack || dims[i].what == Dim::What::pack;
      }
    }
  }
}

/// Names first, then meaning: a pattern or formula may mention dims that stand further down.
void read_tensors_and_dims(Draft& draft, const Patterns& patterns, const Node* formulas, bool& good) {
  Operator& op = draft.op;
  DimNames names(draft, good);
  for (const Argument& argument : op.arguments) {
    if (const auto pattern = patterns.find(argument.name()); pattern != patterns.end())
      names.add_pattern(pattern->second);
  }
  if (formulas != nullptr) {
    for (const Member& member : formulas->members) names.add_formula(member.key);
  }
  if (!good) return;

  for (Argument& argument : op.arguments) {
    if (const auto pattern = patterns.find(argument.name()); pattern != patterns.end()) {
      argument.tensor = type_pattern(draft, pattern->second);
      good = good && argument.tensor;
    }
  }
  if (formulas != nullptr) {
    for (const Member& member : formulas->members) {
      NamedDim& dim = *std::find_if(op.dims.begin(), op.dims.end(),
                                    [&](const NamedDim& named) { return named.name == member.key.text; });
      dim.where = member.key.where;
      if (expect_kind(member.value, NodeKind::scalar, fmt::format("the formula of `{}`", dim.name), draft.diagnostics))
        dim.formula = draft.expression(Place::formula, member.value, Kind::integer);
      good = good && dim.formula;
    }
  }
  if (good) bind_dims(op);
}

}  // namespace

void read_arguments(Draft& draft) {
  if (!draft.schema_read) return;
  bool good = true;
  Patterns patterns;
  if (const Node* arguments = draft.mapping("arguments")) {
    patterns = read_patterns(draft, *arguments, good);
    for (const Argument& argument : draft.op.arguments) {
      if (!argument.schema.type.is("Tensor") || arguments->find(argument.name()) != nullptr) continue;
      draft.error(argument.schema.where, fmt::format("the tensor `{}` has no pattern", argument.name())).help =
          fmt::format("add it under `arguments:`, as `{}: D[T, H]`", argument.name());
      good = false;
    }
  } else {
    good = draft.document.find("arguments") == nullptr && draft.tensor_names().empty();
  }
  read_tensors_and_dims(draft, patterns, draft.mapping("dims"), good);
  draft.dims_read = good;
}

}  // namespace opwright::model
