// L1: a gradient looks like its input.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "laws/example.h"
#include "laws/gradient_call.h"
#include "laws/likeness.h"
#include "laws/list.h"
#include "laws/report.h"
#include "model/names_in.h"

namespace opwright::laws {
namespace {

using model::Argument;
using model::Case;
using model::DtypeValue;
using model::Known;
using model::Operator;
using model::Result;
using model::TensorValue;
using model::Undefined;
using model::Value;
using model::Values;

constexpr std::string_view number = "L1";

/// The names that two rules mention: the sizes that matter in an example of how they differ.
std::vector<std::string> names_of(const model::TensorRule& first, const model::TensorRule& second) {
  std::vector<std::string> names;
  for (const model::TensorRule* rule : {&first, &second}) {
    for (const model::Dim& dim : rule->dims)
      model::for_each_name(*dim.size.expr, [&](const Expr& name) { names.push_back(name.text); });
  }
  return names;
}

/// A result of a gradient operator beside the argument whose gradient it is.
Compared beside(const Operator& op, const Case& which, const Result& result, const Values& values, const Known& known,
                const Value& input) {
  if (const auto* undefined = std::get_if<Undefined>(&input)) return *undefined;
  const TensorValue& tensor = std::get<TensorValue>(input);
  const auto presence = model::presence_in(result, values);
  if (const auto* undefined = std::get_if<Undefined>(&presence)) return *undefined;
  // Where one of them is absent, dtype and sizes need not be known.
  if (const bool present = std::get<bool>(presence); present != tensor.present)
    return Pair{TensorValue{.present = present, .dtype = {}, .shape = {}}, tensor};
  const auto gradient = model::result_in(op, which, result, values, known);
  if (const auto* undefined = std::get_if<Undefined>(&gradient)) return *undefined;
  return Pair{std::get<TensorValue>(gradient), tensor};
}

/// The part of a result's pattern that is at fault. The dtype of `like x` is written elsewhere.
const SourceRange& place_of(const Result& result, const Finding& finding) {
  return finding.aspect == Aspect::dtype && result.like.empty() ? result.tensor.dtype.where : result.tensor.where;
}

/// A gradient and its input as a message speaks of them.
struct Wording {
  const Operator& op;  // whose arguments and dims the message speaks of
  const Finding& finding;
  std::string gradient;
  std::string input;
  std::vector<std::string> relevant_sizes;

  /// "has the dtype of permuted_tokens, not that of probs"
  std::string difference() const {
    switch (finding.aspect) {
      case Aspect::presence: {
        const bool present = finding.example ? finding.example->pair.gradient.present
                                             : std::get<Pair>(finding.symbolic).gradient.present;
        return fmt::format("is {} {}, but {} is {}", present ? "present" : "absent", model::describe(op, finding.which),
                           input, present ? "absent" : "present");
      }
      case Aspect::dtype: {
        const auto* symbolic = std::get_if<Pair>(&finding.symbolic);
        const Pair& pair = symbolic != nullptr ? *symbolic : finding.example->pair;
        return fmt::format("has {}, not that of {}", dtype_in_words(op, finding.which, pair.gradient.dtype), input);
      }
      case Aspect::dimensions:
        return fmt::format("does not have the dimensions of {}", input);
    }
    return "";
  }

  /// "; for example probs float32 and permuted_tokens bfloat16: grad_probs is bfloat16, probs is float32"
  std::string example() const {
    if (!finding.example) return "";
    const Pair& pair = finding.example->pair;
    const auto* symbolic = std::get_if<Pair>(&finding.symbolic);
    switch (finding.aspect) {
      case Aspect::dtype:
        if (symbolic == nullptr) return "";
        return fmt::format("; for example {}: {} is {}, {} is {}",
                           example_dtypes(op, finding, {symbolic->input.dtype, symbolic->gradient.dtype}), gradient,
                           name(*pair.gradient.dtype.known), input, name(*pair.input.dtype.known));
      case Aspect::dimensions:
        return fmt::format("; for example {}: {} is {}, {} is {}", example_sizes(op, finding, relevant_sizes), gradient,
                           to_string(pair.gradient.shape), input, to_string(pair.input.shape));
      case Aspect::presence:
        if (symbolic != nullptr) return "";
        return fmt::format("; for example {}", example_sizes(op, finding, {}));
    }
    return "";
  }

  std::string message(const std::string& subject) const {
    return fmt::format("{} {}{}", subject, difference(), example());
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
  /// At the gradient operator: a result and an argument of one declaration.
  void check_gradient_of(const Operator& op, const Result& result, const Argument& input) {
    const Finding finding = compare(op, [&](const Case& which, const Known& known) {
      const Values values = model::values_in(op, which, known);
      return beside(op, which, result, values, known, values.find(input.name())->second);
    });
    const SourceRange& where =
        finding.aspect == Aspect::dtype && result.like.empty() ? result.tensor.dtype.where : result.tensor.where;
    const std::string help = fmt::format("write `{}: like {}`", result.name, input.name());
    if (finding.verdict == Verdict::proved) return;
    reported_.insert({op.name, result.name});
    if (finding.verdict == Verdict::undecided) {
      return leave_undecided(
          diagnostics_, number, where,
          fmt::format("cannot prove that {} looks like {}: {}", result.name, input.name(), finding.why), help);
    }
    const Wording wording{op, finding, result.name, input.name(), names_of(result.tensor, *input.tensor)};
    refute(diagnostics_, number, where, wording.message(result.name), help,
           {note(input.tensor->where, fmt::format("{} is declared here", input.name()))});
  }

  /// At the forward operator: what the gradient operator returns when it is called by the formula.
  void check_formula(const Operator& op, const Operator& gradient_op) {
    bool fits = true;
    for (std::size_t i = 0; i < gradient_op.arguments.size(); ++i) {
      if (gradient_op.arguments[i].tensor)
        fits = check_dtypes_taken(op, gradient_op, i) && check_passed(op, gradient_op, i) && fits;
    }
    if (!fits) return;
    for (std::size_t i = 0; i < gradient_op.results.size(); ++i) {
      if (!reported_.contains({gradient_op.name, gradient_op.results[i].name}))
        check_returned(op, gradient_op, gradient_op.results[i], *op.argument(op.gradient->of[i]));
    }
  }

  void check_returned(const Operator& op, const Operator& gradient_op, const Result& result, const Argument& input) {
    const Finding finding = compare(op, [&](const Case& which, const Known& known) -> Compared {
      const auto arguments = gradient_arguments(op, which, known);
      if (!has_required_tensors(gradient_op, arguments)) return std::monostate();
      const auto called = call(gradient_op, arguments);
      if (const auto* undefined = std::get_if<Undefined>(&called)) return *undefined;
      const Call& made = std::get<Call>(called);
      const Values values = model::values_in(op, which, known);
      return beside(gradient_op, made.which, result, made.values, made.known, values.find(input.name())->second);
    });
    if (finding.verdict == Verdict::proved) return;

    // A result that is held to another argument already is right in itself; then the formula is at fault.
    const bool is_held = std::any_of(gradient_op.gradient_of.begin(), gradient_op.gradient_of.end(),
                                     [&](const auto& entry) { return entry.first == result.name; });
    const SourceRange& where = is_held ? op.gradient->where : place_of(result, finding);
    const std::string subject =
        fmt::format("{}, which {} takes for the gradient of {},", result.name, op.name, input.name());
    if (finding.verdict == Verdict::undecided) {
      return leave_undecided(diagnostics_, number, where,
                             fmt::format("cannot prove that {} looks like {}: {}", subject, input.name(), finding.why));
    }
    const Wording wording{op, finding, result.name, input.name(), {}};
    refute(diagnostics_, number, where, wording.message(subject),
           is_held ? "the order of `of` is that of the results" : "",
           {is_held ? note(result.tensor.where, fmt::format("{} is declared here", result.name))
                    : note(op.gradient->where, fmt::format("{} calls it here", op.name)),
            note(input.tensor->where, fmt::format("{} is declared here", input.name()))});
  }

  /// The gradient operator must take what the formula passes, in every case. Returns whether it does.
  bool check_passed(const Operator& op, const Operator& gradient_op, std::size_t index) {
    const Argument& parameter = gradient_op.arguments[index];
    const Expr& expr = *op.gradient->arguments[index];
    const Finding finding = compare(op, [&](const Case& which, const Known& known) -> Compared {
      const auto arguments = gradient_arguments(op, which, known);
      const auto* passed = std::get_if<TensorValue>(&arguments[index]);
      if (passed == nullptr) return std::get<Undefined>(arguments[index]);
      if (!passed->present || !has_required_tensors(gradient_op, arguments)) return std::monostate();
      const auto called = call(gradient_op, arguments);
      if (const auto* undefined = std::get_if<Undefined>(&called)) return *undefined;
      const auto taken = expected(parameter, std::get<Call>(called), *passed);
      if (const auto* undefined = std::get_if<Undefined>(&taken)) return *undefined;
      return Pair{*passed, std::get<TensorValue>(taken)};
    });
    if (finding.verdict == Verdict::proved) return true;
    const std::string what = fmt::format("`{}` for {} of {}", to_string(expr), parameter.name(), gradient_op.name);
    if (finding.verdict == Verdict::undecided) {
      leave_undecided(diagnostics_, number, expr.where,
                      fmt::format("cannot prove that {} always fits: {}", what, finding.why));
      return true;
    }
    const bool of_dtype = finding.aspect == Aspect::dtype;
    std::string message = fmt::format("{} does not have the {} that the other arguments ask for", what,
                                      of_dtype ? "dtype" : "dimensions");
    if (const auto* symbolic = std::get_if<Pair>(&finding.symbolic); symbolic != nullptr && finding.example) {
      const Pair& pair = finding.example->pair;
      if (of_dtype) {
        message += fmt::format("; for example {}: it is {}, not {}",
                               example_dtypes(op, finding, {symbolic->gradient.dtype, symbolic->input.dtype}),
                               name(*pair.gradient.dtype.known), name(*pair.input.dtype.known));
      } else {
        message += fmt::format("; for example {}: it is {}, not {}", example_sizes(op, finding, {}),
                               to_string(pair.gradient.shape), to_string(pair.input.shape));
      }
    }
    refute(diagnostics_, number, expr.where, std::move(message), "",
           {note(parameter.tensor->where, fmt::format("{} is declared here", parameter.name()))});
    return false;
  }

  /// Every dtype that the formula may pass must be one that the gradient operator takes. Returns whether it is.
  bool check_dtypes_taken(const Operator& op, const Operator& gradient_op, std::size_t index) {
    const Argument& parameter = gradient_op.arguments[index];
    if (parameter.tensor->dtype.from != model::DtypeRule::From::type_set) return true;
    const model::TypeSet& taken = *gradient_op.type_set(parameter.tensor->dtype.name);
    const auto refused = [&](Dtype dtype) {
      return std::find(taken.members.begin(), taken.members.end(), dtype) == taken.members.end();
    };
    for (const Case& which : model::cases_of(op)) {
      const auto arguments = gradient_arguments(op, which, {});
      const auto* passed = std::get_if<TensorValue>(&arguments[index]);
      if (passed == nullptr || !passed->present) continue;
      std::vector<Dtype> dtypes;
      if (passed->dtype.known) dtypes = {*passed->dtype.known};
      if (const model::TypeSet* type = op.type_set(passed->dtype.unknown)) dtypes = type->members;
      const auto dtype = std::find_if(dtypes.begin(), dtypes.end(), refused);
      if (dtype == dtypes.end()) continue;
      const Expr& expr = *op.gradient->arguments[index];
      refute(diagnostics_, number, expr.where,
             fmt::format("`{}` may be {}, which {} does not take for {}", to_string(expr), name(*dtype),
                         gradient_op.name, parameter.name()),
             fmt::format("add {} to `{}` of {}", name(*dtype), taken.name, gradient_op.name),
             {note(taken.where, "the dtypes that it takes are declared here")});
      return false;
    }
    return true;
  }

  const model::Library& library_;
  Diagnostics& diagnostics_;
  std::set<std::pair<std::string, std::string>> reported_;  // gradient operator and result
};

constexpr std::string_view explanation = R"page(# L1: a gradient looks like its input

The gradient of a tensor has the dtype, the dimensions and the presence of that tensor.

Autograd adds a gradient to others of the same input and hands it to the optimizer. In another dtype it may overflow or
lose what training needs, and nobody is told: PyTorch converts it silently before `.grad` is seen. A gradient for an input
that was not given, or none for one that was, fails later and elsewhere.

## What is checked

At a gradient operator, `gradient_of: {grad_probs: probs}` says whose gradient a result is. At a forward operator,
`gradient: {of: …, by: …}` says which operator computes the gradients and what it is given; result i belongs to the i-th name
of `of`. For each such pair of tensors, and in each case (every optional tensor present or absent, every flag true or false):

- both are present, or both are absent;
- both have the same dtype, for every dtype that the declaration allows;
- both have the same dimensions, for all sizes that the rules allow.

Sizes are compared as polynomials, with formulas and rules such as `S == T * K` put in. At the forward operator the gradient
operator's declaration is matched against what the formula passes, so that its dims and types become the caller's; what does
not fit there is an error too.

## Verdicts

*Proved*: nothing is printed. *Refuted*: an error, with a counter-example where sizes or dtypes are needed to see it.
*Undecided*: a warning; the two may be equal, but neither a proof nor a small counter-example was found.

## Example

```yaml
operator: npu_unpermute_grad
summary: Gradients of npu_unpermute.
schema: (Tensor permuted_tokens, Tensor grad_tokens, Tensor sorted_indices, Tensor? probs=None) -> (Tensor, Tensor)
types:
  D: [float32, bfloat16]
  P: [float32, bfloat16]
arguments:
  permuted_tokens: D[R, H]
  grad_tokens: D[T, H]
  sorted_indices: int32[S]
  probs: P[T, K]
results:
  grad_permuted_tokens: like permuted_tokens
  grad_probs: D[T, K] when present(probs)
gradient_of:
  grad_permuted_tokens: permuted_tokens
  grad_probs: probs
absent:
  probs: {K: 1}
rules:
  C1: {require: S == T * K}
kernels:
  cpu: unpermute_grad
  npu: aclnnUnpermuteGrad(permuted_tokens, grad_tokens, sorted_indices, probs, grad_permuted_tokens, grad_probs)
sample:
  dims: {T: 5, K: 2, H: 6, R: 10}
  permuted_tokens: normal
  grad_tokens: normal
  sorted_indices: permutation
  probs: uniform
```

```text
tests/declarations/bad/l1_gradient_in_the_type_of_the_tokens.yaml:42:15: error: grad_probs has the dtype of permuted_tokens, not that of probs; for example probs float32 and permuted_tokens bfloat16: grad_probs is bfloat16, probs is float32 [L1]
  42 |   grad_probs: D[T, K] when present(probs)
     |               ^
  = help: write `grad_probs: like probs`
tests/declarations/bad/l1_gradient_in_the_type_of_the_tokens.yaml:39:10: note: probs is declared here
  39 |   probs: P[T, K]
     |          ^~~~~~~
```

## How to repair it

Write `like x` for a result that is the gradient of `x`. It copies dtype, dimensions and presence.
)page";

}  // namespace

const Law& gradient_law() {
  static const Law law{
      number, "a gradient looks like its input", explanation,
      [](const model::Library& library, Diagnostics& diagnostics) { GradientLaw(library, diagnostics).check(); }};
  return law;
}

}  // namespace opwright::laws
