// L1: a gradient looks like its input.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "laws/gradient_call.h"
#include "laws/likeness.h"
#include "laws/list.h"
#include "laws/report.h"
#include "model/keys.h"
#include "model/names_in.h"

namespace opwright::laws {
namespace {

using model::Argument;
using model::Case;
using model::DtypeValue;
using model::Known;
using model::Operator;
using model::Polynomial;
using model::Result;
using model::TensorValue;
using model::Undefined;
using model::Value;

constexpr std::string_view number = "L1";

/// The argument of `op` that shows in an example which dtype an unknown one is.
std::string dtype_giver(const Operator& op, const Case& which, const std::string& unknown) {
  for (const Argument& argument : op.arguments) {
    const bool present = argument.tensor && (!argument.optional_tensor || which.find(argument.name())->second);
    if (present && argument.tensor->dtype.from == model::DtypeRule::From::type_set &&
        argument.tensor->dtype.name == unknown)
      return argument.name();
  }
  return unknown;
}

std::string text(const Operator& op, const Case& which, const DtypeValue& dtype) {
  return dtype.known ? fmt::format("dtype {}", name(*dtype.known))
                     : fmt::format("the dtype of {}", dtype_giver(op, which, dtype.unknown));
}

/// "probs float32 and permuted_tokens bfloat16": the dtypes of an example, those that matter.
std::string example_dtypes(const Operator& op, const Finding& finding, const std::vector<std::string>& unknowns) {
  std::vector<std::string> facts;
  for (const std::string& unknown : unknowns) {
    const auto found = finding.example.find(unknown);
    if (found == finding.example.end()) continue;
    const auto* dtype = std::get_if<DtypeValue>(&found->second);
    if (dtype != nullptr && dtype->known)
      facts.push_back(fmt::format("{} {}", dtype_giver(op, finding.which, unknown), name(*dtype->known)));
  }
  return model::join(facts, "and");
}

/// "T = 2 and K = 3"
std::string example_sizes(const Operator& op, const Finding& finding) {
  std::vector<std::string> facts;
  const auto add = [&](const std::string& name) {
    const auto found = finding.example.find(name);
    if (found == finding.example.end()) return;
    const auto* size = std::get_if<Polynomial>(&found->second);
    if (size != nullptr && size->constant()) facts.push_back(fmt::format("{} = {}", name, *size->constant()));
  };
  for (const model::NamedDim& dim : op.dims) add(dim.name);
  for (const Argument& argument : op.arguments) add(argument.name());
  return model::join(facts, "and");
}

/// What differs, in one clause: "has the dtype of permuted_tokens, not that of probs".
struct Wording {
  std::string gradient;  // "grad_probs"
  std::string input;     // "probs"
  const Operator& op;    // whose dims and types the example speaks of
  const Finding& finding;
  const DtypeValue& symbolic;  // the gradient's dtype before numbers were put in

  std::string difference() const {
    const Pair& pair = finding.pair;
    switch (finding.aspect) {
      case Aspect::presence:
        return fmt::format("is {} when {}, but {} is {}", pair.gradient.present ? "present" : "absent",
                           model::describe(op, finding.which), input, pair.input.present ? "present" : "absent");
      case Aspect::dtype:
        return fmt::format("has {}, not that of {}", text(op, finding.which, symbolic), input);
      case Aspect::dimensions:
        return fmt::format("does not have the dimensions of {}", input);
    }
    return "";
  }

  std::string example(const std::vector<std::string>& dtype_unknowns) const {
    const Pair& pair = finding.pair;
    if (finding.example.empty()) return "";
    if (finding.aspect == Aspect::dtype) {
      return fmt::format("for example {}: {} is {}, {} is {}", example_dtypes(op, finding, dtype_unknowns), gradient,
                         name(*pair.gradient.dtype.known), input, name(*pair.input.dtype.known));
    }
    if (finding.aspect == Aspect::dimensions) {
      return fmt::format("for example {}: {} is {}, {} is {}", example_sizes(op, finding), gradient,
                         to_string(pair.gradient.shape), input, to_string(pair.input.shape));
    }
    return "";
  }
};

class GradientLaw {
 public:
  GradientLaw(const model::Library& library, Diagnostics& diagnostics) : library_(library), diagnostics_(diagnostics) {}

  void check() {
    for (const Operator& op : library_.operators) {
      for (const auto& [result, input] : op.gradient_of) check_gradient_of(op, *op.result(result), *op.argument(input));
    }
    for (const Operator& op : library_.operators) {
      if (const Operator* gradient_op = gradient_operator(library_, op)) check_formula(op, *gradient_op);
    }
  }

 private:
  /// At the gradient operator: result and argument of one declaration.
  void check_gradient_of(const Operator& op, const Result& result, const Argument& input) {
    const auto tensors = [&](const Case& which, const Known& known) -> Compared {
      const model::Values values = model::values_in(op, which, known);
      return pair_of(model::result_in(op, which, result, values, known), values.find(input.name())->second);
    };
    report(op, compare(op, tensors), tensors, place_of(result), result.name, input, result.name, {op.name, result.name},
           fmt::format("write `{}: like {}`", result.name, input.name()));
  }

  /// At the forward operator: what the gradient operator returns when called by the formula.
  void check_formula(const Operator& op, const Operator& gradient_op) {
    bool fits = true;
    for (std::size_t i = 0; i < gradient_op.arguments.size(); ++i) {
      if (gradient_op.arguments[i].tensor) fits = check_passed(op, gradient_op, i) && fits;
    }
    if (!fits) return;
    for (std::size_t i = 0; i < gradient_op.results.size(); ++i) {
      const Result& result = gradient_op.results[i];
      const Argument& input = *op.argument(op.gradient->of[i]);
      if (refuted_.contains({gradient_op.name, result.name})) continue;
      const auto tensors = [&](const Case& which, const Known& known) -> Compared {
        const auto called = call(gradient_op, gradient_arguments(op, which, known));
        if (const auto* undefined = std::get_if<Undefined>(&called)) return *undefined;
        const Call& made = std::get<Call>(called);
        const model::Values values = model::values_in(op, which, known);
        return pair_of(model::result_in(gradient_op, made.which, result, made.values, made.known),
                       values.find(input.name())->second);
      };
      report(op, compare(op, tensors), tensors, place_of(result), result.name, input,
             fmt::format("{}, which {} takes for the gradient of {},", result.name, op.name, input.name()),
             {gradient_op.name, result.name},
             fmt::format("give it the dtype, dimensions and presence of {}, or change the formula", input.name()));
    }
  }

  /// The gradient operator must take what the formula passes, in every case. Returns whether it does.
  bool check_passed(const Operator& op, const Operator& gradient_op, std::size_t index) {
    const Argument& parameter = gradient_op.arguments[index];
    const Expr& passed_expr = *op.gradient->arguments[index];
    if (!check_dtypes_taken(op, gradient_op, index)) return false;
    const auto tensors = [&](const Case& which, const Known& known) -> Compared {
      const auto arguments = gradient_arguments(op, which, known);
      const auto* passed = std::get_if<TensorValue>(&arguments[index]);
      if (passed == nullptr) return std::get<Undefined>(arguments[index]);
      if (!passed->present) return std::monostate();  // law L2 asks whether it may be absent
      const auto called = call(gradient_op, arguments);
      if (const auto* undefined = std::get_if<Undefined>(&called)) return *undefined;
      const auto tensor = expected(parameter, std::get<Call>(called), *passed);
      if (const auto* undefined = std::get_if<Undefined>(&tensor)) return *undefined;
      return Pair{*passed, std::get<TensorValue>(tensor)};
    };
    const Finding finding = compare(op, tensors);
    if (finding.verdict == Verdict::proved) return true;
    const std::string what =
        fmt::format("`{}` for the argument {} of {}", to_string(passed_expr), parameter.name(), gradient_op.name);
    if (finding.verdict == Verdict::undecided) {
      leave_undecided(diagnostics_, number, passed_expr.where,
                      fmt::format("cannot prove that {} always fits: {}", what, finding.why));
      return true;
    }
    const bool of_dtype = finding.aspect == Aspect::dtype;
    const auto describe = [&](const TensorValue& tensor) {
      return of_dtype ? (tensor.dtype.known ? std::string(name(*tensor.dtype.known)) : tensor.dtype.unknown)
                      : to_string(tensor.shape);
    };
    std::vector<Diagnostic> notes = {
        note(parameter.tensor->where, fmt::format("{} is declared here", parameter.name()))};
    if (!finding.example.empty()) {
      notes.push_back(note(
          op.where, fmt::format("for example {}: {} is passed, {} is expected",
                                of_dtype ? example_dtypes(op, finding, all_dtypes(op)) : example_sizes(op, finding),
                                describe(finding.pair.gradient), describe(finding.pair.input))));
    }
    refute(diagnostics_, number, passed_expr.where,
           fmt::format("{} does not have the {} that it takes", what, of_dtype ? "dtype" : "dimensions"), "",
           std::move(notes));
    return false;
  }

  /// Every dtype of the forward operator must be one that the gradient operator takes.
  bool check_dtypes_taken(const Operator& op, const Operator& gradient_op, std::size_t index) {
    const Argument& parameter = gradient_op.arguments[index];
    const model::TypeSet* taken = parameter.tensor->dtype.from == model::DtypeRule::From::type_set
                                      ? gradient_op.type_set(parameter.tensor->dtype.name)
                                      : nullptr;
    if (taken == nullptr) return true;
    for (const Case& which : model::cases_of(op)) {
      const auto arguments = gradient_arguments(op, which, {});
      const auto* passed = std::get_if<TensorValue>(&arguments[index]);
      if (passed == nullptr || !passed->present) continue;
      std::vector<Dtype> dtypes;
      if (passed->dtype.known) dtypes = {*passed->dtype.known};
      if (const model::TypeSet* type = op.type_set(passed->dtype.unknown)) dtypes = type->members;
      for (const Dtype dtype : dtypes) {
        if (std::find(taken->members.begin(), taken->members.end(), dtype) != taken->members.end()) continue;
        const Expr& expr = *op.gradient->arguments[index];
        refute(diagnostics_, number, expr.where,
               fmt::format("`{}` may be {}, which {} does not take for {}", to_string(expr), name(dtype),
                           gradient_op.name, parameter.name()),
               fmt::format("add {} to `{}` of {}", name(dtype), taken->name, gradient_op.name),
               {note(taken->where, "the dtypes that it takes are declared here")});
        return false;
      }
    }
    return true;
  }

  static Compared pair_of(const std::variant<Undefined, TensorValue>& gradient, const Value& input) {
    if (const auto* undefined = std::get_if<Undefined>(&gradient)) return *undefined;
    if (const auto* undefined = std::get_if<Undefined>(&input)) return *undefined;
    return Pair{std::get<TensorValue>(gradient), std::get<TensorValue>(input)};
  }

  static SourceRange place_of(const Result& result) { return result.tensor.where; }

  static std::vector<std::string> all_dtypes(const Operator& op) {
    std::vector<std::string> names;
    for (const model::TypeSet& type : op.types) names.push_back(type.name);
    for (const Argument& argument : op.arguments) {
      if (argument.schema.type.is("ScalarType")) names.push_back(argument.name());
    }
    return names;
  }

  void report(const Operator& op, const Finding& finding, const Tensors& tensors, const SourceRange& where,
              const std::string& gradient, const Argument& input, const std::string& subject,
              const std::pair<std::string, std::string>& key, const std::string& help) {
    if (finding.verdict == Verdict::proved) return;
    if (finding.verdict == Verdict::undecided) {
      return leave_undecided(diagnostics_, number, where,
                             fmt::format("cannot prove that {} looks like {}: {}", subject, input.name(), finding.why),
                             help);
    }
    refuted_.insert(key);
    // The dtypes as the declaration says them, without the numbers of the example.
    const Compared symbolic = tensors(finding.which, model::with_rules(op, finding.which, {}));
    const auto* pair = std::get_if<Pair>(&symbolic);
    const DtypeValue dtype = pair == nullptr ? DtypeValue{} : pair->gradient.dtype;
    const Wording wording{gradient, input.name(), op, finding, dtype};
    std::vector<std::string> unknowns;
    if (pair != nullptr) unknowns = {pair->input.dtype.unknown, pair->gradient.dtype.unknown};
    std::vector<Diagnostic> notes = {note(input.tensor->where, fmt::format("{} is declared here", input.name()))};
    std::string message = fmt::format("{} {}", subject, wording.difference());
    if (std::string example = wording.example(unknowns); !example.empty()) message += "; " + example;
    refute(diagnostics_, number, where, std::move(message), help, std::move(notes));
  }

  const model::Library& library_;
  Diagnostics& diagnostics_;
  std::set<std::pair<std::string, std::string>> refuted_;  // gradient operator and result
};

constexpr std::string_view explanation = R"(L1: a gradient looks like its input.

PLACEHOLDER
)";

}  // namespace

const Law& gradient_law() {
  static const Law law{
      number, "a gradient looks like its input", explanation,
      [](const model::Library& library, Diagnostics& diagnostics) { GradientLaw(library, diagnostics).check(); }};
  return law;
}

}  // namespace opwright::laws
