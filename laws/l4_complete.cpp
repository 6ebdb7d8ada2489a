// L4: every result has presence, dtype and sizes, in every case.
#include <fmt/format.h>

#include "laws/list.h"
#include "laws/report.h"
#include "model/cases.h"

namespace opwright::laws {
namespace {

using model::Case;
using model::Operator;
using model::Undefined;
using model::Value;

constexpr std::string_view number = "L4";

void check_case(const Operator& op, const Case& which, Diagnostics& diagnostics) {
  const model::Known known = model::with_rules(op, which, {});
  const model::Values values = model::values_in(op, which, known);
  if (model::broken_rule(op, values) != nullptr) return;
  const auto report = [&](std::string_view what, const model::Result& result, const Undefined& undefined,
                          std::string help) {
    refute(diagnostics, number, undefined.where,
           fmt::format("the {} of {} cannot be told when {}: {}", what, result.name, model::describe(op, which),
                       undefined.why),
           std::move(help));
  };
  for (const model::Result& result : op.results) {
    if (!result.like.empty()) continue;
    if (result.when) {
      const Value when = model::evaluate(*result.when->expr, values);
      if (const auto* undefined = std::get_if<Undefined>(&when)) {
        report("presence", result, *undefined, "guard it with `present(x)`");
        continue;
      }
      if (std::get<model::Truth>(when).known == false) continue;
    }
    const std::string when_help = fmt::format("say when it is present: `{}: … when present(x)`", result.name);
    if (const auto dtype = model::dtype_in(op, which, result.tensor.dtype, known);
        std::holds_alternative<Undefined>(dtype))
      report("dtype", result, std::get<Undefined>(dtype), when_help);
    if (const auto shape = model::evaluate_shape(result.tensor, values); std::holds_alternative<Undefined>(shape))
      report("size", result, std::get<Undefined>(shape), when_help + ", or under `absent:` what the dimension is then");
  }
}

constexpr std::string_view explanation = R"(PLACEHOLDER
)";

}  // namespace

const Law& complete_law() {
  static const Law law{number, "every result has presence, dtype and sizes", explanation,
                       [](const model::Library& library, Diagnostics& diagnostics) {
                         for (const Operator& op : library.operators) {
                           for (const Case& which : model::cases_of(op)) check_case(op, which, diagnostics);
                         }
                       }};
  return law;
}

}  // namespace opwright::laws
