// plan/OPERATOR.json: what the checker calls an operator with. It holds the facts of the declaration as text, which the
// checker evaluates by itself, and the cases: every mix of dtypes, every set of absent tensors, sizes 0 and 1, strides.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "emit/emitters.h"
#include "emit/inference.h"

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
/// are mixed in all ways, because that is where faults were.
class Cases {
 public:
  explicit Cases(const Operator& op) : op_(op) {
    for (const model::TypeSet& type : op.types) ordinary_["types"][type.name] = std::string(name(type.members.front()));
    for (const auto& [dim, sizes] : op.sample.dims) {
      if (op.dim(dim)->pack) {
        ordinary_["dims"][dim] = sizes;
      } else {
        ordinary_["dims"][dim] = sizes.front();
      }
    }
    ordinary_["absent"] = Json::array();
    ordinary_["layout"] = "contiguous";
  }

  Json all() {
    mix_dtypes(0, ordinary_);
    leave_out();
    vary_sizes();
    vary_layouts();
    return std::move(cases_);
  }

 private:
  void mix_dtypes(std::size_t next, Json mix) {
    if (next == op_.types.size()) {
      cases_.push_back(std::move(mix));
      return;
    }
    for (const Dtype member : op_.types[next].members) {
      mix["types"][op_.types[next].name] = std::string(name(member));
      mix_dtypes(next + 1, mix);
    }
  }

  void leave_out() {
    std::vector<std::string> optional;
    for (const Argument& argument : op_.arguments) {
      if (argument.optional_tensor) optional.push_back(argument.name());
    }
    for (std::size_t set = 1; set < std::size_t{1} << optional.size(); ++set) {
      Json absent = Json::array();
      for (std::size_t i = 0; i < optional.size(); ++i) {
        if (set >> i & 1) absent.push_back(optional[i]);
      }
      add("absent", std::move(absent));
    }
  }

  void vary_sizes() {
    for (const auto& [dim, sizes] : op_.sample.dims) {
      for (const int size : {0, 1}) {
        Json dims = ordinary_["dims"];
        if (op_.dim(dim)->pack) {
          dims[dim] = std::vector<int>(sizes.size(), size);
        } else {
          dims[dim] = size;
        }
        add("dims", std::move(dims));
      }
    }
  }

  void vary_layouts() {
    for (const char* layout : {"transposed", "sliced", "expanded", "offset"}) add("layout", layout);
  }

  void add(const std::string& respect, Json value) {
    Json varied = ordinary_;
    varied[respect] = std::move(value);
    cases_.push_back(std::move(varied));
  }

  const Operator& op_;
  Json ordinary_;
  Json cases_ = Json::array();
};

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
  return {fmt::format("plan/{}.json", op.name), plan.dump(1) + "\n"};
}

}  // namespace opwright::emit
