#include "model/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "model/keys.h"
#include "model/kinds.h"

namespace opwright::model {
namespace {

struct Choice {
  std::string name;
  bool ordinary;
};

std::vector<Choice> choices_of(const Operator& op) {
  std::vector<Choice> choices;
  for (const Argument& argument : op.arguments) {
    if (argument.optional_tensor) choices.push_back({argument.name(), true});
    if (argument.schema.type.is("bool") && !argument.ignored)
      choices.push_back({argument.name(), argument.schema.default_value == "True"});
  }
  return choices;
}

Case make_case(const std::vector<Choice>& choices, const std::vector<std::size_t>& differing) {
  Case which;
  for (const Choice& choice : choices) which[choice.name] = choice.ordinary;
  for (const std::size_t index : differing) which[choices[index].name] = !choices[index].ordinary;
  return which;
}

/// Subsets of [0, count), the smaller ones first.
std::vector<std::vector<std::size_t>> subsets(std::size_t count, std::size_t largest) {
  std::vector<std::vector<std::size_t>> all = {{}};
  for (std::size_t begin = 0, size = 1; size <= largest; ++size) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      const std::size_t next = all[begin].empty() ? 0 : all[begin].back() + 1;
      for (std::size_t item = next; item < count; ++item) {
        auto larger = all[begin];
        larger.push_back(item);
        all.push_back(std::move(larger));
      }
    }
  }
  return all;
}

bool names(const TensorRule& tensor, const std::string& dim) {
  return std::any_of(tensor.dims.begin(), tensor.dims.end(), [&](const Dim& candidate) {
    return candidate.size.expr->kind == ExprKind::name && candidate.size.expr->text == dim;
  });
}

std::vector<std::string> quoted(std::vector<std::string> names) {
  for (std::string& name : names) name = "`" + name + "`";
  return names;
}

/// Fills in the values of one case, each step from the ones before.
class Filling {
 public:
  Filling(const Operator& op, const Case& which, const Known& known) : op_(op), which_(which), known_(known) {}

  Values run() {
    for (const Argument& argument : op_.arguments) {
      if (!argument.schema.type.is("Tensor")) values_[argument.name()] = scalar(argument);
    }
    for (const NamedDim& dim : op_.dims) {
      if (!dim.formula && is_given(dim))
        values_[dim.name] = dim.pack ? Value(pack(dim.name)) : Value(integer(dim.name));
    }
    fill_tensors();
    for (const NamedDim& dim : op_.dims) {
      if (!dim.formula && !is_given(dim)) values_[dim.name] = value_when_absent(dim);
    }
    fill_tensors();
    for (const NamedDim& dim : op_.dims) {
      if (!dim.formula) continue;
      values_[dim.name] = evaluate(*dim.formula->expr, values_);
      fill_tensors();
    }
    return std::move(values_);
  }

 private:
  bool present(const Argument& argument) const {
    return !argument.optional_tensor || which_.find(argument.name())->second;
  }

  bool is_given(const NamedDim& dim) const {
    return std::any_of(op_.arguments.begin(), op_.arguments.end(), [&](const Argument& argument) {
      return argument.tensor && present(argument) && names(*argument.tensor, dim.name);
    });
  }

  Polynomial integer(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? Polynomial::unknown(name) : std::get<Polynomial>(found->second);
  }

  /// A list of integers named name[0], name[1], ..., when its length is known.
  std::optional<std::vector<Polynomial>> integers(const std::string& name, const std::string& length_name,
                                                  std::optional<int> length) const {
    constexpr std::int64_t longest = 64;
    std::optional<std::int64_t> count = length;
    if (const auto found = known_.find(length_name); !count && found != known_.end())
      count = std::get<Polynomial>(found->second).constant();
    if (!count || *count < 0 || *count > longest) return std::nullopt;
    std::vector<Polynomial> items;
    for (std::int64_t i = 0; i < *count; ++i) items.push_back(integer(fmt::format("{}[{}]", name, i)));
    return items;
  }

  Shape pack(const std::string& name) const {
    if (const auto found = known_.find(name); found != known_.end()) return std::get<Shape>(found->second);
    const auto sizes = integers(name, fmt::format("rank(*{})", name), std::nullopt);
    if (!sizes) return {{0, name, false}};
    Shape shape;
    for (const Polynomial& size : *sizes) shape.push_back({size, "", false});
    return shape;
  }

  Value scalar(const Argument& argument) const {
    const auto kind = kind_of(argument.schema.type);
    if (argument.ignored || !kind) return Opaque{};
    switch (*kind) {
      case Kind::integer:
        return integer(argument.name());
      case Kind::integers:
        if (const auto found = known_.find(argument.name()); found != known_.end()) return found->second;
        return Integers{
            integers(argument.name(), fmt::format("len({})", argument.name()), argument.schema.type.list_size),
            argument.name()};
      case Kind::boolean: {
        const bool value = which_.find(argument.name())->second;
        return Truth{value, value ? "true" : "false"};
      }
      case Kind::dtype: {
        const auto found = known_.find(argument.name());
        return found == known_.end() ? DtypeValue{std::nullopt, argument.name()} : std::get<DtypeValue>(found->second);
      }
      default:
        return Opaque{};
    }
  }

  Value value_when_absent(const NamedDim& dim) const {
    std::vector<std::string> givers;
    for (const Argument& argument : op_.arguments) {
      for (const auto& [name, value] : argument.dims_when_absent) {
        if (name == dim.name) return evaluate(*value.expr, values_);
      }
      if (argument.tensor && names(*argument.tensor, dim.name)) givers.push_back(argument.name());
    }
    return Undefined{fmt::format("`{}` is not known without {}", dim.name, join(quoted(givers), "or")), dim.where,
                     givers.front(), ""};
  }

  void fill_tensors() {
    for (const Argument& argument : op_.arguments) {
      if (!argument.tensor) continue;
      TensorValue tensor{.present = present(argument), .dtype = {}, .shape = {}};
      if (tensor.present) {
        auto shape = evaluate_shape(*argument.tensor, values_);
        if (const auto* undefined = std::get_if<Undefined>(&shape)) {
          values_[argument.name()] = *undefined;
          continue;
        }
        tensor.shape = std::move(std::get<Shape>(shape));
        for (Extent& extent : tensor.shape) extent.optional = extent.optional && !extent.size.constant();
        tensor.dtype = std::get<DtypeValue>(dtype_in(op_, which_, argument.tensor->dtype, known_));
      }
      values_[argument.name()] = std::move(tensor);
    }
  }

  const Operator& op_;
  const Case& which_;
  const Known& known_;
  Values values_;
};

/// An unknown that stands for something the caller chooses, not for the value of some compound expression.
bool is_chosen(const Operator& op, const std::string& unknown) {
  std::string_view name = unknown;
  if (name.starts_with("len(") || name.starts_with("rank(*")) {
    name.remove_prefix(name.find('(') + 1);
    if (name.starts_with("*")) name.remove_prefix(1);
    name.remove_suffix(1);
  } else if (name.ends_with("]")) {
    name = name.substr(0, name.find('['));
  }
  const NamedDim* dim = op.dim(name);
  return op.argument(name) != nullptr || (dim != nullptr && !dim->formula);
}

class RuleReader {
 public:
  RuleReader(const Operator& op, const Values& values, Known& known) : op_(op), values_(values), known_(known) {}

  /// Takes one new fact out of a condition that holds; says whether there was one.
  bool learn(const Expr& condition) {
    if (condition.kind == ExprKind::conditional) {
      const auto decided = truth_of(*condition.operands[0]);
      return decided && learn(*condition.operands[*decided ? 1 : 2]);
    }
    if (condition.kind != ExprKind::binary) return false;
    const Expr& left = *condition.operands[0];
    const Expr& right = *condition.operands[1];
    if (condition.text == "and") return learn(left) || learn(right);
    if (condition.text == "or") {
      if (truth_of(left) == false) return learn(right);
      return truth_of(right) == false && learn(left);
    }
    return condition.text == "==" && (set(evaluate(left, values_), evaluate(right, values_)) ||
                                      set(evaluate(right, values_), evaluate(left, values_)));
  }

 private:
  std::optional<bool> truth_of(const Expr& condition) const {
    const Value value = evaluate(condition, values_);
    const auto* truth = std::get_if<Truth>(&value);
    return truth == nullptr ? std::nullopt : truth->known;
  }

  bool set(const Value& unknown, const Value& value) {
    if (const auto* number = std::get_if<Polynomial>(&unknown)) {
      const auto name = number->single_unknown();
      const auto* other = std::get_if<Polynomial>(&value);
      if (!name || other == nullptr || !is_chosen(op_, *name) || other->mentions(*name)) return false;
      for (auto& [earlier, earlier_value] : known_) {
        if (auto* polynomial = std::get_if<Polynomial>(&earlier_value)) *polynomial = polynomial->with(*name, *other);
      }
      return known_.try_emplace(*name, *other).second;
    }
    if (const auto* dtype = std::get_if<DtypeValue>(&unknown)) {
      const auto* other = std::get_if<DtypeValue>(&value);
      if (dtype->known || other == nullptr || *dtype == *other) return false;
      for (auto& [earlier, earlier_value] : known_) {
        const auto* earlier_dtype = std::get_if<DtypeValue>(&earlier_value);
        if (earlier_dtype != nullptr && *earlier_dtype == *dtype) earlier_value = *other;
      }
      return known_.try_emplace(dtype->unknown, *other).second;
    }
    return false;
  }

  const Operator& op_;
  const Values& values_;
  Known& known_;
};

}  // namespace

std::vector<Case> cases_of(const Operator& op) {
  constexpr std::size_t most_choices = 10;
  const auto choices = choices_of(op);
  std::vector<Case> cases;
  for (const auto& differing : subsets(choices.size(), choices.size() > most_choices ? 2 : choices.size()))
    cases.push_back(make_case(choices, differing));
  return cases;
}

std::string describe(const Operator& op, const Case& which) {
  std::vector<std::string> facts;
  for (const Choice& choice : choices_of(op)) {
    const bool value = which.find(choice.name)->second;
    if (value == choice.ordinary) continue;
    const bool is_tensor = op.argument(choice.name)->optional_tensor;
    facts.push_back(fmt::format("{} is {}", choice.name, is_tensor ? "absent" : value ? "true" : "false"));
  }
  if (!facts.empty()) return "when " + join(facts, "and");
  const bool has_optional = std::any_of(op.arguments.begin(), op.arguments.end(),
                                        [](const Argument& argument) { return argument.optional_tensor; });
  return has_optional ? "when nothing is absent" : "in every call";
}

Values values_in(const Operator& op, const Case& which, const Known& known) { return Filling(op, which, known).run(); }

std::variant<Undefined, DtypeValue> dtype_in(const Operator& op, const Case& which, const DtypeRule& rule,
                                             const Known& known) {
  if (rule.from == DtypeRule::From::fixed) return DtypeValue{rule.fixed, ""};
  if (rule.from == DtypeRule::From::type_set) {
    const TypeSet& type = *op.type_set(rule.name);
    if (type.members.size() == 1) return DtypeValue{type.members.front(), ""};
    std::vector<std::string> givers;
    bool given = false;
    for (const Argument& argument : op.arguments) {
      if (!argument.tensor || argument.tensor->dtype.from != rule.from || argument.tensor->dtype.name != rule.name)
        continue;
      given = given || !argument.optional_tensor || which.find(argument.name())->second;
      givers.push_back(argument.name());
    }
    if (!given)
      return Undefined{fmt::format("the dtype `{}` is not known without {}", rule.name, join(quoted(givers), "or")),
                       rule.where, givers.empty() ? "" : givers.front()};
  }
  const auto found = known.find(rule.name);
  if (found != known.end()) return std::get<DtypeValue>(found->second);
  return DtypeValue{std::nullopt, rule.name};
}

std::variant<Undefined, bool> presence_in(const Result& result, const Values& values) {
  if (!result.when) return true;
  const Value when = evaluate(*result.when->expr, values);
  if (const auto* undefined = std::get_if<Undefined>(&when)) return *undefined;
  const auto& truth = std::get<Truth>(when);
  if (!truth.known) return Undefined{"its presence depends on sizes", result.when->expr->where};
  return *truth.known;
}

std::variant<Undefined, TensorValue> result_in(const Operator& op, const Case& which, const Result& result,
                                               const Values& values, const Known& known) {
  const auto presence = presence_in(result, values);
  if (const auto* undefined = std::get_if<Undefined>(&presence)) return *undefined;
  TensorValue tensor{.present = std::get<bool>(presence), .dtype = {}, .shape = {}};
  if (!tensor.present) return tensor;
  if (!result.like.empty()) {
    const Value& like = values.find(result.like)->second;
    if (const auto* undefined = std::get_if<Undefined>(&like)) return *undefined;
    return std::get<TensorValue>(like);
  }
  auto dtype = dtype_in(op, which, result.tensor.dtype, known);
  if (const auto* undefined = std::get_if<Undefined>(&dtype)) return *undefined;
  tensor.dtype = std::get<DtypeValue>(std::move(dtype));
  auto shape = evaluate_shape(result.tensor, values);
  if (const auto* undefined = std::get_if<Undefined>(&shape)) return *undefined;
  tensor.shape = std::get<Shape>(std::move(shape));
  return tensor;
}

Known with_rules(const Operator& op, const Case& which, Known known) {
  bool learned = true;
  while (learned) {
    learned = false;
    const Values values = values_in(op, which, known);
    RuleReader reader(op, values, known);
    for (const Rule& rule : op.rules) learned = learned || reader.learn(*rule.require.expr);
  }
  return known;
}

const Rule* broken_rule(const Operator& op, const Values& values) {
  for (const Rule& rule : op.rules) {
    const Value value = evaluate(*rule.require.expr, values);
    const auto* truth = std::get_if<Truth>(&value);
    if (truth != nullptr && truth->known == false) return &rule;
  }
  return nullptr;
}

}  // namespace opwright::model
