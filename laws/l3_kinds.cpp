// L3: every value has the kind that is needed where it goes.
//
// Within one operator, names and kinds are settled when the declaration is read. What is left is between operators:
// what a gradient formula passes.
#include "laws/gradient_call.h"
#include "laws/list.h"
#include "laws/report.h"

namespace opwright::laws {
namespace {

constexpr std::string_view number = "L3";

void check_all(const model::Library& library, Diagnostics& diagnostics) {
  for (const model::Operator& op : library.operators) {
    if (!op.gradient || op.gradient->form != model::Gradient::Form::by) continue;
    const model::Operator* gradient_op = library.find(op.gradient->op);
    if (gradient_op == nullptr) continue;
    for (const Misfit& misfit : misfits(op, *gradient_op)) {
      refute(diagnostics, number, op.gradient->arguments[misfit.index]->where, misfit.message,
             "the order is that of its schema",
             {note(gradient_op->schema.arguments[misfit.index].where, "the argument is declared here")});
    }
  }
}

constexpr std::string_view explanation = R"page(# L3: every value has the kind that is needed where it goes

A name means one thing of one kind: an integer, a boolean, a dtype, a pack of dimensions, a list of integers, a
floating-point number, a string or a tensor; and it goes where that kind is needed.

## What is checked

Within one operator this is settled when the declaration is read: unknown names, a boolean where an integer is needed, a
dtype compared with a number, an entry beyond the end of a list are errors without a law. L3 is what is left between
operators: each argument of a gradient formula has the kind that the gradient operator's schema asks for in its place.

## Example

```yaml
operator: npu_unpermute
summary: Bring rows back into token order, weighted by probs.
schema: (Tensor permuted_tokens, Tensor sorted_indices, Tensor? probs=None) -> Tensor
types:
  D: [float32, bfloat16]
  P: [float32, bfloat16]
arguments:
  permuted_tokens: D[R, H]
  sorted_indices: int32[S]
  probs: P[T, K]
results:
  tokens: D[T, H]
absent:
  probs: {K: 1, T: S}
rules:
  C1: {require: S == T * K}
gradient:
  of: [permuted_tokens, probs]
  not_differentiable: [tokens]
  by: npu_unpermute_grad(permuted_tokens, T, sorted_indices, probs)
kernels:
  cpu: unpermute
  npu: aclnnUnpermute(permuted_tokens, sorted_indices, probs, tokens)
sample:
  dims: {T: 5, K: 2, H: 6, R: 10}
  permuted_tokens: normal
  sorted_indices: permutation
  probs: uniform
```

```text
tests/declarations/bad/l3_gradient_kinds.yaml:20:43: error: `T` is an integer, but npu_unpermute_grad takes a tensor there: Tensor grad_tokens [L3]
  20 |   by: npu_unpermute_grad(permuted_tokens, T, sorted_indices, probs)
     |                                           ^
  = help: the order is that of its schema
tests/declarations/bad/l3_gradient_kinds.yaml:32:34: note: the argument is declared here
  32 | schema: (Tensor permuted_tokens, Tensor grad_tokens, Tensor sorted_indices, Tensor? probs=None) -> (Tensor, Te...
     |                                  ^~~~~~~~~~~~~~~~~~
```

## How to repair it

Arguments are passed in the order of the gradient operator's schema; compare with it, one by one.
)page";

}  // namespace

const Law& kinds_law() {
  static const Law law{number, "every value has the kind that is needed where it goes", explanation, check_all};
  return law;
}

}  // namespace opwright::laws
