// L2: absence is decided wherever an optional is named.
#include <fmt/format.h>

#include "laws/gradient_call.h"
#include "laws/list.h"
#include "laws/report.h"

namespace opwright::laws {
namespace {

using model::Argument;
using model::Case;
using model::Operator;
using model::TensorValue;
using model::Undefined;
using model::Value;
using model::Values;

constexpr std::string_view number = "L2";
constexpr std::string_view help =
    "guard it with `present(x)`, or say under `absent:` what the dimension is then: `x: {K: 1}`";

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
    refute(diagnostics_, number, undefined->where,
           fmt::format("{} has no value when {}: {}", what, model::describe(op_, which), undefined->why),
           std::string(help));
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
      refute(diagnostics_, number, expr.where,
             fmt::format("`{}` is absent when {}, but {} needs a tensor there: {} {}", to_string(expr),
                         model::describe(op_, which), gradient_op->name, to_string(parameter.schema.type),
                         parameter.name()),
             fmt::format("make {} of {} optional", parameter.name(), gradient_op->name),
             {note(parameter.schema.where, "it is declared here")});
    }
  }

  using Kind = model::Kind;

  const model::Library& library_;
  const Operator& op_;
  Diagnostics& diagnostics_;
};

constexpr std::string_view explanation = R"(PLACEHOLDER
)";

}  // namespace

const Law& optional_law() {
  static const Law law{number, "absence is decided wherever an optional is named", explanation,
                       [](const model::Library& library, Diagnostics& diagnostics) {
                         for (const Operator& op : library.operators) OptionalLaw(library, op, diagnostics).check();
                       }};
  return law;
}

}  // namespace opwright::laws
