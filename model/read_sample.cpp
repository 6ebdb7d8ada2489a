#include <fmt/format.h>

#include <algorithm>

#include "model/cases.h"
#include "model/draft.h"
#include "model/keys.h"
#include "model/kinds.h"
#include "model/recipes.h"

namespace opwright::model {
namespace {

std::vector<Dtype> dtypes_of(const Operator& op, const DtypeRule& rule) {
  if (rule.from == DtypeRule::From::fixed) return {rule.fixed};
  if (rule.from == DtypeRule::From::type_set) return op.type_set(rule.name)->members;
  return {};
}

class SampleReader {
 public:
  SampleReader(Draft& draft, const Node& block, SourceRange where)
      : draft_(draft), block_(block), where_(std::move(where)) {}

  void run() {
    for (const Member& member : block_.members) {
      if (member.key.text == "dims") {
        if (expect_kind(member.value, NodeKind::mapping, "`dims` of the sample", draft_.diagnostics))
          read_dims(member.value);
      } else {
        read_value(member);
      }
    }
    check_all_given();
    if (draft_.is_faultless()) check_against_rules();
  }

 private:
  void fail(const SourceRange& where, std::string message, std::string help = "") {
    draft_.error(where, std::move(message)).help = std::move(help);
  }

  void read_dims(const Node& dims) {
    for (const auto& [key, value] : dims.members) {
      const NamedDim* dim = draft_.op.dim(key.text);
      if (dim == nullptr || dim->formula) {
        std::vector<std::string> names;
        for (const NamedDim& known : draft_.op.dims) {
          if (!known.formula) names.push_back(known.name);
        }
        fail(key.where,
             dim == nullptr ? fmt::format("there is no dimension `{}`", key.text)
                            : fmt::format("`{}` has a formula, so the sample does not choose it", key.text),
             dim == nullptr ? suggest(key.text, names) : "leave it out");
      } else if (dim->pack) {
        if (!expect_kind(value, NodeKind::sequence, fmt::format("the pack `{}`", key.text), draft_.diagnostics))
          continue;
        std::vector<std::int64_t> sizes;
        known_[fmt::format("rank(*{})", key.text)] = Polynomial(static_cast<std::int64_t>(value.items.size()));
        for (const Node& item : value.items) {
          const std::int64_t size = read_size(item);
          known_[fmt::format("{}[{}]", key.text, sizes.size())] = Polynomial(size);
          sizes.push_back(size);
        }
        draft_.op.sample.dims.emplace_back(key.text, std::move(sizes));
      } else {
        const std::int64_t size = read_size(value);
        known_[key.text] = Polynomial(size);
        draft_.op.sample.dims.emplace_back(key.text, std::vector{size});
      }
    }
  }

  std::int64_t read_size(const Node& node) {
    const auto size = node.is_scalar() ? parse_integer(node.text) : std::nullopt;
    if (!size || *size < 0) fail(node.where, "the size of a dimension is a number that is not negative");
    return size.value_or(0);
  }

  void read_value(const Member& member) {
    const std::string& name = member.key.text;
    const Argument* argument = draft_.op.argument(name);
    if (argument == nullptr) {
      std::vector<std::string> names = draft_.argument_names();
      names.emplace_back("dims");
      return fail(member.key.where, fmt::format("the schema has no argument `{}`", name), suggest(name, names));
    }
    const auto text =
        argument->schema.type.list ? list_text(*argument, member.value) : scalar_text(*argument, member.value);
    if (text) draft_.op.sample.values.push_back({name, *text, member.value.where});
  }

  std::optional<std::string> list_text(const Argument& argument, const Node& value) {
    std::string text = "[";
    bool good = value.is_sequence();
    for (std::size_t i = 0; good && i < value.items.size(); ++i) {
      const auto number = value.items[i].is_scalar() ? parse_integer(value.items[i].text) : std::nullopt;
      good = number.has_value();
      if (!good) break;
      text += (i > 0 ? ", " : "") + std::to_string(*number);
      known_[fmt::format("{}[{}]", argument.name(), i)] = Polynomial(*number);
    }
    if (!good) {
      fail(value.where, fmt::format("`{}` needs a list of integers", argument.name()), "write `[4, 5]`");
      return std::nullopt;
    }
    const auto wanted = argument.schema.type.list_size;
    if (wanted && static_cast<std::size_t>(*wanted) != value.items.size())
      fail(value.where, fmt::format("`{}` needs {} entries, not {}", argument.name(), *wanted, value.items.size()));
    known_[fmt::format("len({})", argument.name())] = Polynomial(static_cast<std::int64_t>(value.items.size()));
    return text + "]";
  }

  std::optional<std::string> scalar_text(const Argument& argument, const Node& value) {
    if (!expect_kind(value, NodeKind::scalar, fmt::format("the sample of `{}`", argument.name()), draft_.diagnostics))
      return std::nullopt;
    const std::string& text = value.text;
    bool good = true;
    switch (kind_of(argument.schema.type).value_or(Kind::string)) {
      case Kind::tensor:
        return recipe(argument, value);
      case Kind::integer:
        good = parse_integer(text).has_value();
        break;
      case Kind::boolean:
        good = text == "true" || text == "false";
        break;
      case Kind::floating:
        good = is_number(text);
        break;
      case Kind::dtype:
        return dtype_text(argument, value);
      default:
        break;
    }
    if (!good)
      fail(value.where,
           fmt::format("`{}` is no value for `{}` of type {}", text, argument.name(), to_string(argument.schema.type)));
    else if (argument.schema.type.is("bool"))
      flags_[argument.name()] = text == "true";
    else if (const auto number = parse_integer(text); number && kind_of(argument.schema.type) == Kind::integer)
      known_[argument.name()] = Polynomial(*number);
    return text;
  }

  std::optional<std::string> recipe(const Argument& argument, const Node& value) {
    if (!is_recipe(value.text)) {
      fail(value.where, fmt::format("`{}` is not a recipe for a tensor", value.text), suggest(value.text, recipes()));
      return std::nullopt;
    }
    for (const Dtype dtype : dtypes_of(draft_.op, argument.tensor->dtype)) {
      if (fits(value.text, dtype)) continue;
      fail(value.where, fmt::format("`{}` makes no values of dtype {}, which `{}` may have", value.text, name(dtype),
                                    argument.name()));
      return std::nullopt;
    }
    return value.text;
  }

  /// `float32`, or `dtype(x)` for that of another argument.
  std::optional<std::string> dtype_text(const Argument& argument, const Node& value) {
    if (const auto dtype = dtype_named(value.text)) {
      known_[argument.name()] = DtypeValue{*dtype, ""};
      return value.text;
    }
    const auto typed = draft_.expression(Place::formula, value, Kind::dtype);
    if (!typed) return std::nullopt;
    dtypes_.emplace_back(argument.name(), *typed);
    return to_string(*typed->expr);
  }

  /// Every tensor has a recipe; every other argument has a value, a default, or says what happens without one.
  void check_all_given() {
    for (const Argument& argument : draft_.op.arguments) {
      if (block_.find(argument.name()) != nullptr || argument.schema.default_value.has_value() ||
          argument.schema.type.optional) {
        if (!argument.schema.type.is("Tensor") || block_.find(argument.name()) != nullptr) continue;
      }
      fail(where_, fmt::format("the sample says nothing of `{}`", argument.name()),
           argument.schema.type.is("Tensor")
               ? fmt::format("add `{}: normal`, or another of {}", argument.name(), join(recipes(), "or"))
               : fmt::format("add a value: `{}: …`", argument.name()));
    }
  }

  Case sample_case() {
    Case which = cases_of(draft_.op).front();
    for (const Argument& argument : draft_.op.arguments) {
      if (const auto flag = flags_.find(argument.name()); flag != flags_.end()) {
        which[argument.name()] = flag->second;
      } else if (argument.schema.type.is("bool") && argument.when_absent && argument.schema.default_value == "None") {
        const Value value = evaluate(*argument.when_absent->expr, values_in(draft_.op, which, known_));
        if (const auto* truth = std::get_if<Truth>(&value); truth != nullptr && truth->known)
          which[argument.name()] = *truth->known;
      }
    }
    return which;
  }

  /// Arguments that the sample leaves to their default.
  void add_defaults(const Case& which) {
    for (const Argument& argument : draft_.op.arguments) {
      if (known_.contains(argument.name()) || kind_of(argument.schema.type) != Kind::integer) continue;
      if (const auto number = parse_integer(argument.schema.default_value.value_or(""))) {
        known_[argument.name()] = Polynomial(*number);
      } else if (argument.when_absent) {
        const Value value = evaluate(*argument.when_absent->expr, values_in(draft_.op, which, known_));
        if (const auto* polynomial = std::get_if<Polynomial>(&value)) known_[argument.name()] = *polynomial;
      }
    }
    for (const auto& [argument, dtype] : dtypes_) {
      const Value value = evaluate(*dtype.expr, values_in(draft_.op, which, known_));
      if (const auto* of = std::get_if<DtypeValue>(&value)) known_[argument] = *of;
    }
  }

  void check_against_rules() {
    const Case which = sample_case();
    known_ = with_rules(draft_.op, which, std::move(known_));
    add_defaults(which);
    const Values values = values_in(draft_.op, which, known_);
    for (const NamedDim& dim : draft_.op.dims) complete(dim, values.find(dim.name)->second);
    if (!draft_.is_faultless()) return;
    for (const Rule& rule : draft_.op.rules) {
      const Value value = evaluate(*rule.require.expr, values);
      const auto* truth = std::get_if<Truth>(&value);
      if (truth != nullptr && truth->known == true) continue;
      const auto* undefined = std::get_if<Undefined>(&value);
      fail(where_, fmt::format("the sample does not keep rule {}: `{}`{}", rule.name, to_string(*rule.require.expr),
                               undefined != nullptr ? ": " + undefined->why : numbers(*rule.require.expr, values)));
    }
  }

  /// Adds what the rules say of dims that the sample leaves out.
  void complete(const NamedDim& dim, const Value& value) {
    auto& dims = draft_.op.sample.dims;
    const bool is_there =
        std::any_of(dims.begin(), dims.end(), [&](const auto& entry) { return entry.first == dim.name; });
    if (dim.formula || is_there) return;
    const auto* number = std::get_if<Polynomial>(&value);
    if (number != nullptr && number->constant()) {
      dims.emplace_back(dim.name, std::vector{*number->constant()});
    } else {
      fail(where_, fmt::format("the sample gives no size for `{}`", dim.name),
           dim.pack ? fmt::format("add it under `dims`, as `{}: [3, 8]`", dim.name)
                    : fmt::format("add it under `dims`, as `{}: 4`", dim.name));
    }
  }

  /// " with S = 7, T = 3": the sizes that a condition speaks of.
  std::string numbers(const Expr& condition, const Values& values) const {
    std::vector<std::string> shown;
    collect(condition, values, shown);
    return shown.empty() ? "" : fmt::format(" with {}", join(shown, "and"));
  }

  static void collect(const Expr& expr, const Values& values, std::vector<std::string>& shown) {
    if (expr.kind == ExprKind::name) {
      const auto* number = std::get_if<Polynomial>(&values.find(expr.text)->second);
      if (number == nullptr || !number->constant()) return;
      std::string text = fmt::format("{} = {}", expr.text, *number->constant());
      if (std::find(shown.begin(), shown.end(), text) == shown.end()) shown.push_back(std::move(text));
    }
    for (const ExprPtr& operand : expr.operands) collect(*operand, values, shown);
  }

  Draft& draft_;
  const Node& block_;
  SourceRange where_;
  Known known_;
  Case flags_;
  std::vector<std::pair<std::string, Typed>> dtypes_;
};

}  // namespace

void read_sample(Draft& draft) {
  if (!draft.schema_read || !draft.dims_read) return;
  for (const Member& member : draft.document.members) {
    if (member.key.text == "sample" && member.value.is_mapping())
      SampleReader(draft, member.value, member.key.where).run();
  }
}

}  // namespace opwright::model
