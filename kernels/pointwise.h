// Functions of single elements that need exp: computed in float32 (float64 for float64), rounded once, with the same
// bits on every CPU.
#pragma once

#include <cstdint>

#include "kernels/rows.h"
#include "runtime/dtype.h"

namespace opwright {

/// out = silu(a) * b, where silu(a) = a / (1 + exp(-a)).
void swiglu(Dtype dtype, const void* a, const void* b, std::int64_t n, void* out, Store store);

/// The gradients of a and b, given that of silu(a) * b.
void swiglu_backward(Dtype dtype, const void* grad, const void* a, const void* b, std::int64_t n, void* grad_a,
                     void* grad_b, Store store);

/// out = exp(x - max(x)) for a row x, which is widened to `logits` on the way; returns the sum of `out`. Their
/// quotients are the softmax.
float softmax_terms(Dtype dtype, const void* x, std::int64_t n, float* logits, float* out);

}  // namespace opwright
