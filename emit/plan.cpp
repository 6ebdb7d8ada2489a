// plan/OPERATOR.json: what the checker calls an operator with. It holds the facts of the declaration as text, which the
// checker evaluates by itself, and the cases: every mix of dtypes, every set of absent tensors, sizes 0 and 1, strides.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "emit/code_writer.h"
#include "emit/emitters.h"
#include "emit/inference.h"
#include "emit/sample.h"

namespace opwright::emit {
namespace {

using model::Argument;
using model::Operator;
using Json = nlohmann::ordered_json;

std::vector<std::string> names(const std::vector<Dtype>& dtypes) {
  std::vector<std::string> texts;
  for (const Dtype dtype : dtypes) texts.emplace_back(name(dtype));
  return texts;
}

Json arguments(const Operator& op) {
  Json list = Json::array();
  for (const Argument& argument : op.arguments) {
    Json entry = {{"name", argument.name()}, {"type", to_string(argument.schema.type)}};
    if (argument.tensor) entry["pattern"] = pattern_text(*argument.tensor);
    if (argument.when_absent) entry["absent"] = to_string(*argument.when_absent->expr);
    for (const auto& [dim, value] : argument.dims_when_absent) entry["absent"][dim] = to_string(*value.expr);
    for (const model::SampleValue& value : op.sample.values) {
      if (value.name == argument.name()) entry["sample"] = value.recipe;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json results(const Operator& op) {
  Json list = Json::array();
  for (const model::Result& result : op.results) {
    Json entry = {{"name", result.name}, {"pattern", pattern_text(result.tensor)}};
    if (result.when) entry["when"] = to_string(*result.when->expr);
    for (const auto& [gradient, of] : op.gradient_of) {
      if (gradient == result.name) entry["gradient_of"] = of;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

/// The cases differ from the ordinary one, with everything present and the sample's sizes, in one respect each; dtypes
/// are mixed in all ways, because that is where faults were. Calls that a rule forbids are left out.
class Cases {
 public:
  explicit Cases(const Operator& op)
      : op_(op), present_(model::cases_of(op).front()), chosen_(chosen_sizes(op)), types_(Json::object()) {
    for (const model::TypeSet& type : op.types) types_[type.name] = std::string(name(type.members.front()));
  }

  Json all() {
    mix_dtypes(0, types_);
    leave_out();
    vary_sizes();
    for (const char* layout : {"transposed", "sliced", "expanded", "offset"}) add(types_, present_, chosen_, layout);
    return std::move(cases_);
  }

 private:
  void mix_dtypes(std::size_t next, Json mix) {
    if (next == op_.types.size()) {
      add(mix, present_, chosen_);
      return;
    }
    for (const Dtype member : op_.types[next].members) {
      mix[op_.types[next].name] = std::string(name(member));
      mix_dtypes(next + 1, mix);
    }
  }

  void leave_out() {
    std::vector<std::string> optional;
    for (const Argument& argument : op_.arguments) {
      if (argument.optional_tensor) optional.push_back(argument.name());
    }
    for (std::size_t set = 1; set < std::size_t{1} << optional.size(); ++set) {
      model::Case which = present_;
      for (std::size_t i = 0; i < optional.size(); ++i) which[optional[i]] = (set >> i & 1) == 0;
      add(types_, which, chosen_);
    }
  }

  void vary_sizes() {
    for (const auto& [dim, sizes] : chosen_) {
      for (const std::int64_t size : {0, 1}) {
        Sizes varied = chosen_;
        varied[dim] = std::vector<std::int64_t>(sizes.size(), size);
        add(types_, present_, varied);
      }
    }
  }

  /// All dims that have a value in the case, those with formulas aside.
  Json dims(const model::Values& values) const {
    Json sizes = Json::object();
    for (const model::NamedDim& dim : op_.dims) {
      const auto found = values.find(dim.name);
      if (dim.formula || found == values.end()) continue;
      if (const auto* size = std::get_if<model::Polynomial>(&found->second)) {
        if (size->constant()) sizes[dim.name] = *size->constant();
      } else if (const auto* pack = std::get_if<model::Shape>(&found->second)) {
        sizes[dim.name] = Json::array();
        for (const model::Extent& extent : *pack) sizes[dim.name].push_back(extent.size.constant().value_or(0));
      }
    }
    return sizes;
  }

  void add(const Json& types, const model::Case& which, const Sizes& chosen, const char* layout = "contiguous") {
    const auto values = sample_values(op_, which, chosen);
    if (!values) return;
    Json absent = Json::array();
    for (const Argument& argument : op_.arguments) {
      if (argument.optional_tensor && !which.find(argument.name())->second) absent.push_back(argument.name());
    }
    cases_.push_back({{"types", types}, {"dims", dims(*values)}, {"absent", absent}, {"layout", layout}});
  }

  const Operator& op_;
  model::Case present_;
  Sizes chosen_;
  Json types_;
  Json cases_ = Json::array();
};

/// One line an entry, two levels deep, so that a difference shows.
std::string lines_of(const Json& plan) {
  std::vector<std::string> entries;
  for (const auto& [key, value] : plan.items()) {
    std::vector<std::string> items;
    for (const auto& [name, item] : value.items()) {
      items.push_back("  " + (value.is_object() ? Json(name).dump() + ": " : "") + item.dump());
    }
    const bool nested = value.is_structured() && !items.empty();
    const std::string text = !nested             ? value.dump()
                             : value.is_object() ? "{\n" + join(items, ",\n") + "\n }"
                                                 : "[\n" + join(items, ",\n") + "\n ]";
    entries.push_back(fmt::format(" {}: {}", Json(key).dump(), text));
  }
  return "{\n" + join(entries, ",\n") + "\n}\n";
}

}  // namespace

Artefact plan(const Operator& op) {
  Json plan = {{"operator", op.name},
               {"declared", fmt::format("{}:{}", op.path, op.where.begin.line)},
               {"schema", to_string(op.schema)}};
  plan["types"] = Json::object();
  for (const model::TypeSet& type : op.types) plan["types"][type.name] = names(type.members);
  plan["arguments"] = arguments(op);
  plan["dims"] = Json::object();
  for (const model::NamedDim& dim : op.dims) {
    if (dim.formula) plan["dims"][dim.name] = to_string(*dim.formula->expr);
  }
  plan["rules"] = Json::object();
  for (const model::Rule& rule : op.rules) plan["rules"][rule.name] = to_string(*rule.require.expr);
  plan["results"] = results(op);
  plan["cases"] = Cases(op).all();
  return {fmt::format("plan/{}.json", op.name), lines_of(plan)};
}

}  // namespace opwright::emit
