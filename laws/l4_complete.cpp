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

std::string help_for(const model::Result& result, const Undefined& undefined) {
  if (undefined.missing.empty()) return "";
  std::string help = fmt::format("say when it is present: `{}: … when present({})`", result.name, undefined.missing);
  if (!undefined.name.empty())
    help += fmt::format(", or under `absent:` what the dimension is then: `{}: {{{}: 1}}`", undefined.missing,
                        undefined.name);
  return help;
}

void check_case(const Operator& op, const Case& which, Diagnostics& diagnostics) {
  const model::Known known = model::with_rules(op, which, {});
  const model::Values values = model::values_in(op, which, known);
  if (model::broken_rule(op, values) != nullptr) return;
  const auto report = [&](std::string_view what, const model::Result& result, const Undefined& undefined) {
    const model::NamedDim* dim = op.dim(undefined.name);
    const bool is_fault_of_formula = dim != nullptr && dim->formula;
    if (is_fault_of_formula || is_refuted(diagnostics, number, undefined.where)) return;
    refute(
        diagnostics, number, undefined.where,
        fmt::format("the {} of {} cannot be told {}: {}", what, result.name, model::describe(op, which), undefined.why),
        help_for(result, undefined));
  };
  for (const model::Result& result : op.results) {
    if (!result.like.empty()) continue;
    if (result.when) {
      const Value when = model::evaluate(*result.when->expr, values);
      if (const auto* undefined = std::get_if<Undefined>(&when)) {
        report("presence", result, *undefined);
        continue;
      }
      if (std::get<model::Truth>(when).known == false) continue;
    }
    if (const auto dtype = model::dtype_in(op, which, result.tensor.dtype, known);
        std::holds_alternative<Undefined>(dtype))
      report("dtype", result, std::get<Undefined>(dtype));
    if (const auto shape = model::evaluate_shape(result.tensor, values); std::holds_alternative<Undefined>(shape))
      report("size", result, std::get<Undefined>(shape));
  }
}

constexpr std::string_view explanation = R"page(# L4: every result has presence, dtype and sizes

Whatever a caller passes, as long as it keeps the rules, the declaration tells what comes back before anything is computed:
which results there are, of which dtype, and how large. `torch.compile`, FakeTensor and the allocation of results need it.

## What is checked

In each case (every optional tensor present or absent, every flag true or false) that the rules allow: the condition behind
`when` has a value; and of each result that is present, the dtype and every dimension do.

## Example

```yaml
operator: npu_scale
summary: Scale the rows of a matrix.
schema: (Tensor x, Tensor? weight=None, int k=1) -> Tensor
types:
  D: [float32, bfloat16]
  W: [float32, bfloat16]
arguments:
  x: D[T, H]
  weight: W[T]
results:
  y: W[T, H]
absent:
  weight: {}
rules:
  C1:
    require: k >= 1
    fix: k counts the repetitions
kernels:
  cpu: scale
  npu: aclnnScale(x, weight, k, y)
sample:
  dims: {T: 3, H: 4}
  x: normal
  weight: uniform
```

```text
tests/declarations/bad/l4_dtype_of_result.yaml:11:6: error: the dtype of y cannot be told when weight is absent: the dtype `W` is not known without `weight` [L4]
  11 |   y: W[T, H]
     |      ^
  = help: say when it is present: `y: … when present(weight)`
```

## How to repair it

Say when the result is present (`y: W[T, H] when present(weight)`), what a dimension is without the tensor that gives it
(`absent: {weight: {K: 1}}`), or use a type or dimension that a required argument gives.
)page";

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
