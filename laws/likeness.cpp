#include "laws/likeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace opwright::laws {
namespace {

using model::Case;
using model::DtypeValue;
using model::Extent;
using model::Known;
using model::Operator;
using model::Polynomial;
using model::Shape;
using model::TensorValue;
using model::Undefined;
using model::Value;
using model::Values;

std::optional<Aspect> difference(const Pair& pair) {
  if (pair.gradient.present != pair.input.present) return Aspect::presence;
  if (!pair.gradient.present) return std::nullopt;
  if (pair.gradient.dtype != pair.input.dtype) return Aspect::dtype;
  if (pair.gradient.shape != pair.input.shape) return Aspect::dimensions;
  return std::nullopt;
}

bool is_number(const Extent& extent) { return extent.pack.empty() && extent.size.constant().has_value(); }

/// Whether a difference in this aspect is one for sure, and not two spellings of the same.
bool is_certain(Aspect aspect, const Pair& pair) {
  switch (aspect) {
    case Aspect::presence:
      return true;
    case Aspect::dtype:
      return pair.gradient.dtype.known && pair.input.dtype.known;
    case Aspect::dimensions: {
      const auto all_numbers = [](const Shape& shape) { return std::all_of(shape.begin(), shape.end(), is_number); };
      return all_numbers(pair.gradient.shape) && all_numbers(pair.input.shape);
    }
  }
  return false;
}

bool keeps_all_rules(const Operator& op, const Values& values) {
  return std::all_of(op.rules.begin(), op.rules.end(), [&](const model::Rule& rule) {
    const Value value = model::evaluate(*rule.require.expr, values);
    const auto* truth = std::get_if<model::Truth>(&value);
    return truth != nullptr && truth->known == true;
  });
}

/// The dtypes that an unknown one may be, those first that make the plainest example.
std::vector<Dtype> dtypes_of(const Operator& op, const std::string& unknown, bool of_gradient) {
  std::vector<Dtype> dtypes;
  if (const model::TypeSet* type = op.type_set(unknown)) {
    dtypes = type->members;
  } else {
    dtypes = {Dtype::float32, Dtype::bfloat16, Dtype::float16, Dtype::float64};
  }
  const Dtype preferred = of_gradient ? Dtype::bfloat16 : Dtype::float32;
  std::stable_partition(dtypes.begin(), dtypes.end(), [&](Dtype dtype) { return dtype == preferred; });
  return dtypes;
}

/// Looks for sizes and dtypes, allowed by all rules, with which the two tensors certainly differ: in the given aspect,
/// or in any where none is given.
class Search {
 public:
  Search(const Operator& op, const Case& which, const Tensors& tensors, std::optional<Aspect> aspect,
         const Pair* symbolic)
      : op_(op), which_(which), tensors_(tensors), aspect_(aspect), symbolic_(symbolic) {}

  std::optional<CounterExample> run() {
    for (const Known& dtypes : dtype_choices()) {
      for (const std::int64_t rank : {2, 1, 3}) {
        if (auto found = try_sizes(with_lengths(dtypes, rank))) return found;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr int most_tries = 3000;

  std::vector<Known> dtype_choices() const {
    Known others;
    for (const model::TypeSet& type : op_.types) {
      if (type.members.size() > 1) others[type.name] = DtypeValue{type.members.front(), ""};
    }
    for (const model::Argument& argument : op_.arguments) {
      if (argument.schema.type.is("ScalarType")) others[argument.name()] = DtypeValue{Dtype::float32, ""};
    }
    if (aspect_ != Aspect::dtype) return {others};
    const DtypeValue& gradient_dtype = symbolic_->gradient.dtype;
    const DtypeValue& input_dtype = symbolic_->input.dtype;
    std::vector<Known> choices;
    for (const Dtype gradient : candidates(gradient_dtype, true)) {
      for (const Dtype input : candidates(input_dtype, false)) {
        if (gradient == input) continue;
        Known choice = others;
        if (!gradient_dtype.known) choice[gradient_dtype.unknown] = DtypeValue{gradient, ""};
        if (!input_dtype.known) choice[input_dtype.unknown] = DtypeValue{input, ""};
        choices.push_back(std::move(choice));
      }
    }
    return choices;
  }

  std::vector<Dtype> candidates(const DtypeValue& dtype, bool of_gradient) const {
    if (dtype.known) return {*dtype.known};
    return dtypes_of(op_, dtype.unknown, of_gradient);
  }

  /// Ranks of packs and lengths of lists; those that the rules say are kept.
  Known with_lengths(Known known, std::int64_t length) const {
    const Known said = model::with_rules(op_, which_, known);
    const auto set = [&](const std::string& name) {
      const auto found = said.find(name);
      known[name] = found == said.end() ? Value(Polynomial(length)) : found->second;
    };
    for (const model::NamedDim& dim : op_.dims) {
      if (dim.pack) set("rank(*" + dim.name + ")");
    }
    for (const model::Argument& argument : op_.arguments) {
      if (argument.schema.type.list && !argument.ignored && !argument.schema.type.list_size)
        set("len(" + argument.name() + ")");
    }
    return known;
  }

  /// What is still open once the rules have been taken into account.
  std::vector<std::string> open_sizes(const Known& known) const {
    const Values values = model::values_in(op_, which_, model::with_rules(op_, which_, known));
    std::set<std::string> names;
    const auto add = [&](const Polynomial& size) {
      for (std::string& name : size.unknowns()) {
        if (name.find('(') == std::string::npos) names.insert(std::move(name));
      }
    };
    for (const auto& [name, value] : values) {
      if (const auto* size = std::get_if<Polynomial>(&value)) add(*size);
      if (const auto* shape = std::get_if<Shape>(&value)) {
        for (const Extent& extent : *shape) add(extent.size);
      }
      const auto* list = std::get_if<model::Integers>(&value);
      if (list != nullptr && list->items) {
        for (const Polynomial& item : *list->items) add(item);
      }
    }
    return {names.begin(), names.end()};
  }

  std::optional<CounterExample> try_sizes(const Known& fixed) {
    const auto open = open_sizes(fixed);
    // Distinct sizes first: they tell apart what equal ones would hide.
    static constexpr std::int64_t distinct[] = {2, 3, 4, 5, 6, 7, 8, 9};
    static constexpr std::int64_t small[] = {2, 3, 1, 4, 0, -1};
    Known numbers = fixed;
    for (std::size_t i = 0; i < open.size(); ++i) numbers[open[i]] = Polynomial(distinct[i % std::size(distinct)]);
    if (auto found = try_numbers(numbers)) return found;
    std::vector<std::size_t> digits(open.size(), 0);
    for (int tries = 0; tries < most_tries; ++tries) {
      for (std::size_t i = 0; i < open.size(); ++i) numbers[open[i]] = Polynomial(small[digits[i]]);
      if (auto found = try_numbers(numbers)) return found;
      std::size_t at = 0;
      while (at < digits.size() && ++digits[at] == std::size(small)) digits[at++] = 0;
      if (at == digits.size()) break;
    }
    return std::nullopt;
  }

  std::optional<CounterExample> try_numbers(const Known& numbers) {
    const Known known = model::with_rules(op_, which_, numbers);
    const Values values = model::values_in(op_, which_, known);
    if (has_negative_dim(values) || !keeps_all_rules(op_, values)) return std::nullopt;
    const Compared compared = tensors_(which_, known);
    const auto* pair = std::get_if<Pair>(&compared);
    if (pair == nullptr) return std::nullopt;
    const auto found = difference(*pair);
    if (!found || (aspect_ && found != aspect_) || !is_certain(*found, *pair)) return std::nullopt;
    return CounterExample{known, *pair};
  }

  bool has_negative_dim(const Values& values) const {
    return std::any_of(op_.dims.begin(), op_.dims.end(), [&](const model::NamedDim& dim) {
      const Value& value = values.find(dim.name)->second;
      const auto* size = std::get_if<Polynomial>(&value);
      if (size != nullptr) return size->constant().value_or(0) < 0;
      const auto* shape = std::get_if<Shape>(&value);
      return shape != nullptr && std::any_of(shape->begin(), shape->end(), [](const Extent& extent) {
               return extent.size.constant().value_or(0) < 0;
             });
    });
  }

  const Operator& op_;
  const Case& which_;
  const Tensors& tensors_;
  std::optional<Aspect> aspect_;
  const Pair* symbolic_;
};

/// Two dtypes that no rule ties together differ in some call, found or not; sizes may be equal for reasons beyond this
/// proof.
bool differs_without_example(Aspect aspect, const Pair& pair) {
  return aspect != Aspect::dimensions || pair.gradient.shape.size() != pair.input.shape.size();
}

/// One case: proved, refuted or undecided in it.
Finding compare_in(const Operator& op, const Case& which, const Known& known, const Tensors& tensors) {
  Finding finding{.verdict = Verdict::proved,
                  .aspect = {},
                  .which = which,
                  .symbolic = tensors(which, known),
                  .example = {},
                  .why = ""};
  if (std::holds_alternative<std::monostate>(finding.symbolic)) return finding;
  const auto* pair = std::get_if<Pair>(&finding.symbolic);
  const auto aspect = pair == nullptr ? std::nullopt : difference(*pair);
  if (pair != nullptr && !aspect) return finding;

  finding.example = Search(op, which, tensors, aspect, pair).run();
  if (finding.example) {
    finding.verdict = Verdict::refuted;
    finding.aspect = *difference(finding.example->pair);
  } else if (pair != nullptr && differs_without_example(*aspect, *pair)) {
    finding.verdict = Verdict::refuted;
    finding.aspect = *aspect;
  } else {
    finding.verdict = Verdict::undecided;
    finding.why = pair == nullptr ? std::get<Undefined>(finding.symbolic).why
                                  : fmt::format("no proof that {} is {}, and no counter-example with small sizes",
                                                to_string(pair->gradient.shape), to_string(pair->input.shape));
  }
  return finding;
}

}  // namespace

Finding compare(const Operator& op, const Tensors& tensors) {
  Finding worst;
  for (const Case& which : model::cases_of(op)) {
    const Known known = model::with_rules(op, which, {});
    if (model::broken_rule(op, model::values_in(op, which, known)) != nullptr) continue;
    Finding finding = compare_in(op, which, known, tensors);
    if (finding.verdict == Verdict::refuted) return finding;
    if (finding.verdict == Verdict::undecided && worst.verdict == Verdict::proved) worst = std::move(finding);
  }
  return worst;
}

}  // namespace opwright::laws
