#include "model/functions.h"

#include <algorithm>

namespace opwright::model {
namespace {

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      {.name = "present", .parameters = {Kind::tensor}, .result = Kind::boolean, .usage = "present(x)"},
      {.name = "rank", .parameters = {Kind::tensor}, .result = Kind::integer, .usage = "rank(x)"},
      {.name = "size", .parameters = {Kind::tensor, Kind::integer}, .result = Kind::integer, .usage = "size(x, 0)"},
      {.name = "numel", .parameters = {Kind::tensor}, .result = Kind::integer, .usage = "numel(x)"},
      {.name = "dtype", .parameters = {Kind::tensor}, .result = Kind::dtype, .usage = "dtype(x)"},
      {.name = "len", .parameters = {Kind::integers}, .result = Kind::integer, .usage = "len(list)"},
      {.name = "min",
       .parameters = {Kind::integer, Kind::integer},
       .result = Kind::integer,
       .usage = "min(a, b)",
       .variadic = true},
      {.name = "max",
       .parameters = {Kind::integer, Kind::integer},
       .result = Kind::integer,
       .usage = "max(a, b)",
       .variadic = true},
      {.name = "ceil_div",
       .parameters = {Kind::integer, Kind::integer},
       .result = Kind::integer,
       .usage = "ceil_div(a, b)"},
      {.name = "product", .parameters = {Kind::shape}, .result = Kind::integer, .usage = "product(B)"},
      {.name = "halve", .parameters = {Kind::shape, Kind::integer}, .result = Kind::shape, .usage = "halve(Z, dim)"},
      {.name = "grad",
       .parameters = {Kind::tensor},
       .result = Kind::tensor,
       .usage = "grad(result)",
       .gradient_only = true},
      {.name = "like", .parameters = {Kind::tensor}, .result = Kind::tensor, .usage = "like(x)", .gradient_only = true},
      {.name = "needs_grad",
       .parameters = {Kind::tensor},
       .result = Kind::boolean,
       .usage = "needs_grad(x)",
       .gradient_only = true},
  };
  return all;
}

}  // namespace

const Function* find_function(std::string_view name) {
  const auto& all = functions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Function& function) { return function.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> function_names(bool with_gradient) {
  std::vector<std::string> names;
  for (const Function& function : functions()) {
    if (with_gradient || !function.gradient_only) names.emplace_back(function.name);
  }
  return names;
}

}  // namespace opwright::model
