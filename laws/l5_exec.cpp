// L5: the call of the aclnn function passes what the function takes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "laws/list.h"
#include "laws/report.h"
#include "model/kinds.h"

namespace opwright::laws {
namespace {

using model::Argument;
using model::Kind;
using model::NpuBinding;
using model::Operator;
using model::Typed;

constexpr std::string_view number = "L5";

/// The C type of a kind in the aclnn interface; empty where there is none.
std::string_view c_type(Kind kind) {
  switch (kind) {
    case Kind::tensor:
      return "aclTensor*";
    case Kind::integers:
      return "aclIntArray*";
    case Kind::integer:
      return "int64_t";
    case Kind::boolean:
      return "bool";
    case Kind::floating:
      return "double";
    case Kind::string:
      return "char*";
    case Kind::dtype:
      return "aclDataType";
    case Kind::shape:
      return "";
  }
  return "";
}

class Binding {
 public:
  Binding(const Operator& op, Diagnostics& diagnostics) : op_(op), binding_(*op.npu), diagnostics_(diagnostics) {}

  void check() {
    for (const Typed& argument : binding_.arguments) check_kind(argument);
    for (const Argument& argument : op_.arguments) {
      if (argument.tensor) check_tensor(argument);
    }
    check_results();
  }

 private:
  void fail(const SourceRange& where, std::string message, std::string help = "") {
    refute(diagnostics_, number, where, std::move(message), std::move(help));
  }

  void check_kind(const Typed& argument) {
    const std::string text = to_string(*argument.expr);
    if (c_type(argument.kind).empty())
      return fail(argument.expr->where,
                  fmt::format("`{}` is {}, which no aclnn function takes", text, model::with_article(argument.kind)));
    const Argument* named = argument.expr->kind == ExprKind::name ? op_.argument(argument.expr->text) : nullptr;
    const bool may_be_null =
        argument.kind == Kind::tensor || argument.kind == Kind::integers || argument.kind == Kind::string;
    if (named != nullptr && named->ignored && !may_be_null) {
      fail(argument.expr->where, fmt::format("`{}` may be absent, but {} cannot be", text, c_type(argument.kind)),
           fmt::format("say under `absent:` what stands for it: `{}: 0`", text));
    }
  }

  /// The places where a tensor is passed by its name.
  std::vector<const Expr*> passed(std::string_view name) const {
    std::vector<const Expr*> places;
    for (const Typed& argument : binding_.arguments) {
      if (argument.expr->kind == ExprKind::name && argument.expr->text == name) places.push_back(argument.expr.get());
    }
    return places;
  }

  void check_tensor(const Argument& argument) {
    const auto places = passed(argument.name());
    if (places.size() > 1) fail(places[1]->where, fmt::format("`{}` is passed twice", argument.name()));
    if (places.empty() && !argument.only_sizes && !argument.ignored) {
      fail(binding_.where, fmt::format("the tensor `{}` is not passed to {}", argument.name(), binding_.function),
           fmt::format("pass it, or, if kernels read no value of it, say `only_sizes_of: [{}]` under `kernels:`",
                       argument.name()));
    }
    if (!places.empty() && argument.only_sizes)
      fail(places[0]->where,
           fmt::format("`{}` is passed, though `only_sizes_of` says that no value of it is read", argument.name()));
  }

  void check_results() {
    const Expr* last = nullptr;
    std::string last_name;
    for (const model::Result& result : op_.results) {
      const auto places = passed(result.name);
      if (places.empty()) {
        fail(binding_.where,
             fmt::format("the result `{}` is not passed to {}, so nothing writes it", result.name, binding_.function),
             "pass each result once, in the order of the schema");
        continue;
      }
      if (places.size() > 1) fail(places[1]->where, fmt::format("the result `{}` is passed twice", result.name));
      if (last != nullptr && places[0]->where.begin < last->where.begin) {
        fail(places[0]->where,
             fmt::format("the result `{}` is passed before `{}`, against their order in the schema", result.name,
                         last_name),
             "results have the same types, so a wrong order is not noticed later");
      }
      last = places[0];
      last_name = result.name;
    }
  }

  const Operator& op_;
  const NpuBinding& binding_;
  Diagnostics& diagnostics_;
};

/// One C function has one signature, whichever operators call it.
void check_same_signature(const NpuBinding& first, const NpuBinding& other, Diagnostics& diagnostics) {
  const std::vector<Diagnostic> notes = {note(first.where, "the other call is here")};
  if (first.arguments.size() != other.arguments.size()) {
    refute(diagnostics, number, other.where,
           fmt::format("{} is called with {} arguments here and with {} elsewhere", other.function,
                       other.arguments.size(), first.arguments.size()),
           "", notes);
    return;
  }
  for (std::size_t i = 0; i < first.arguments.size(); ++i) {
    const Typed& here = other.arguments[i];
    const Typed& there = first.arguments[i];
    if (here.kind == there.kind) continue;
    refute(diagnostics, number, here.expr->where,
           fmt::format("argument {} of {} is {} here and {} elsewhere", i + 1, other.function,
                       model::with_article(here.kind), model::with_article(there.kind)),
           "", {note(there.expr->where, "the other call is here")});
  }
}

void check_all(const model::Library& library, Diagnostics& diagnostics) {
  std::map<std::string, const NpuBinding*> first;
  for (const Operator& op : library.operators) {
    if (!op.npu) continue;
    Binding(op, diagnostics).check();
    const auto [known, is_new] = first.try_emplace(op.npu->function, &*op.npu);
    if (!is_new) check_same_signature(*known->second, *op.npu, diagnostics);
  }
}

constexpr std::string_view explanation = R"page(# L5: the aclnn function gets what it takes

`kernels: {npu: aclnnX(…)}` is a call of a C function through a pointer. No compiler checks it: too few arguments, or two
results in the wrong order, read or write memory that is not theirs.

## What is checked

- Each argument is of a kind that the interface has: a tensor (`aclTensor*`), a list (`aclIntArray*`), an integer
  (`int64_t`), a boolean, a floating-point number (`double`), a string, a dtype (`aclDataType`). A number that may be absent
  has a value under `absent:`, because there is no null for it.
- Each tensor argument is passed exactly once. Those of which kernels read sizes and dtype alone stand in
  `only_sizes_of:`, and are not passed.
- Each result is passed exactly once, in the order of the schema.
- Operators that call the same function agree in the number and the kinds of its arguments.

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
  grad_probs: like probs
gradient_of:
  grad_permuted_tokens: permuted_tokens
  grad_probs: probs
absent:
  probs: {K: 1}
rules:
  C1: {require: S == T * K}
kernels:
  cpu: unpermute_grad
  npu: aclnnUnpermuteGrad(permuted_tokens, grad_tokens, sorted_indices, probs, grad_probs, grad_permuted_tokens)
sample:
  dims: {T: 5, K: 2, H: 6, R: 10}
  permuted_tokens: normal
  grad_tokens: normal
  sorted_indices: permutation
  probs: uniform
```

```text
tests/declarations/bad/l5_order_of_results.yaml:52:80: error: the result `grad_probs` is passed before `grad_permuted_tokens`, against their order in the schema [L5]
  52 | ...npu: aclnnUnpermuteGrad(permuted_tokens, grad_tokens, sorted_indices, probs, grad_probs, grad_permuted_tokens)
     |                                                                                 ^~~~~~~~~~
  = help: results have the same types, so a wrong order is not noticed later
```

## How to repair it

Compare with the function's signature, argument by argument; results come last, in the order of the schema.
)page";

}  // namespace

const Law& exec_law() {
  static const Law law{number, "the aclnn function gets what it takes", explanation, check_all};
  return law;
}

}  // namespace opwright::laws
