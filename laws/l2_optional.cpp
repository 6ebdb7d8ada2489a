// L2: absence is decided wherever an optional is named.
#include <fmt/format.h>

#include "laws/gradient_call.h"
#include "laws/list.h"
#include "laws/report.h"

namespace opwright::laws {
namespace {

using model::Argument;
using model::Case;
using model::Kind;
using model::Operator;
using model::TensorValue;
using model::Undefined;
using model::Value;
using model::Values;

constexpr std::string_view number = "L2";
/// How to decide what is not.
std::string help_for(const Undefined& undefined) {
  if (undefined.missing.empty()) return "";
  const std::string guard = fmt::format("guard it with `present({})`", undefined.missing);
  if (undefined.name.empty()) return guard;
  return fmt::format("{}, or say under `absent:` what it is then: `{}: {{{}: 1}}`", guard, undefined.missing,
                     undefined.name);
}

class OptionalLaw {
 public:
  OptionalLaw(const model::Library& library, const Operator& op, Diagnostics& diagnostics)
      : library_(library), op_(op), diagnostics_(diagnostics) {}

  void check() {
    for (const Case& which : model::cases_of(op_)) check(which);
  }

 private:
  void check(const Case& which) {
    const Values values = model::values_in(op_, which, model::with_rules(op_, which, {}));
    for (const model::NamedDim& dim : op_.dims) {
      if (dim.formula)
        require(which, fmt::format("the dimension `{}`", dim.name), model::evaluate(*dim.formula->expr, values));
    }
    for (const model::Rule& rule : op_.rules) {
      const Value value = model::evaluate(*rule.require.expr, values);
      require(which, fmt::format("rule {}", rule.name), value);
      const auto* truth = std::get_if<model::Truth>(&value);
      if (truth == nullptr || truth->known == false) return;  // no call of this case gets any further
    }
    check_npu(which, values);
    check_gradient(which);
  }

  void require(const Case& which, const std::string& what, const Value& value) {
    const auto* undefined = std::get_if<Undefined>(&value);
    if (undefined == nullptr) return;
    if (is_reported_at_formula(*undefined) || is_refuted(diagnostics_, number, undefined->where)) return;
    refute(diagnostics_, number, undefined->where,
           fmt::format("{} has no value {}: {}", what, model::describe(op_, which), undefined->why),
           help_for(*undefined));
  }

  /// What uses a dim whose formula has no value is no fault of its own.
  bool is_reported_at_formula(const Undefined& undefined) const {
    const model::NamedDim* dim = op_.dim(undefined.name);
    return dim != nullptr && dim->formula;
  }

  void check_npu(const Case& which, const Values& values) {
    if (!op_.npu) return;
    for (const model::Typed& argument : op_.npu->arguments) {
      if (argument.kind == Kind::tensor) continue;
      require(which, fmt::format("`{}`", to_string(*argument.expr)), model::evaluate(*argument.expr, values));
    }
  }

  void check_gradient(const Case& which) {
    const Operator* gradient_op = gradient_operator(library_, op_);
    if (gradient_op == nullptr) return;
    const auto arguments = gradient_arguments(op_, which, model::with_rules(op_, which, {}));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Expr& expr = *op_.gradient->arguments[i];
      const Argument& parameter = gradient_op->arguments[i];
      require(which, fmt::format("`{}`", to_string(expr)), arguments[i]);
      const auto* tensor = std::get_if<TensorValue>(&arguments[i]);
      if (tensor == nullptr || tensor->present || parameter.optional_tensor) continue;
      if (is_refuted(diagnostics_, number, expr.where)) continue;
      refute(diagnostics_, number, expr.where,
             fmt::format("`{}` may be absent, but {} needs a tensor there: {} {}", to_string(expr), gradient_op->name,
                         to_string(parameter.schema.type), parameter.name()),
             fmt::format("make {} of {} optional", parameter.name(), gradient_op->name),
             {note(parameter.schema.where, "it is declared here")});
    }
  }

  const model::Library& library_;
  const Operator& op_;
  Diagnostics& diagnostics_;
};

constexpr std::string_view explanation = R"page(# L2: absence is decided wherever an optional is named

Nothing is read of a tensor that may be absent before it is known to be there, and a dimension that only an absent tensor
would give has a value or is not used.

## What is checked

Every optional argument has an entry under `absent:`; without one the declaration is not read. Then, in each case (every
optional tensor present or absent, every flag true or false), these have a value: the formulas of `dims:`, the rules, in their
order and as far as the ones before hold, what the aclnn function is passed, and what a gradient formula passes. A gradient
formula passes an absent tensor only where the gradient operator takes `Tensor?`.

Conditions decide early: in `not present(x) or size(x, 0) > 0` nothing is read of an absent `x`.

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
  weight: W[T, K]
results:
  y: D[T, H]
absent:
  weight: {}
rules:
  C1:
    require: k >= K
    fix: k counts the repetitions
kernels:
  cpu: scale
  npu: aclnnScale(x, weight, k, y)
sample:
  dims: {T: 3, H: 4, K: 1}
  x: normal
  weight: uniform
```

```text
tests/declarations/bad/l2_size_lost.yaml:16:19: error: rule C1 has no value when weight is absent: `K` is not known without `weight` [L2]
  16 |     require: k >= K
     |                   ^
  = help: guard it with `present(weight)`, or say under `absent:` what it is then: `weight: {K: 1}`
```

## How to repair it

Say under `absent:` what the dimension is then (`weight: {K: 1}`), or guard the use (`not present(weight) or k >= K`).
)page";

}  // namespace

const Law& optional_law() {
  static const Law law{number, "absence is decided wherever an optional is named", explanation,
                       [](const model::Library& library, Diagnostics& diagnostics) {
                         for (const Operator& op : library.operators) OptionalLaw(library, op, diagnostics).check();
                       }};
  return law;
}

}  // namespace opwright::laws
