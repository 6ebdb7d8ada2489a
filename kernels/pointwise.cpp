#include "kernels/pointwise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

// The code below the next two includes is compiled once for each CPU target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pointwise.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace opwright {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE FloatVector constant(float value) { return hn::Set(Floats(), value); }

/// 2^n for -126 <= n <= 127.
HWY_INLINE FloatVector power_of_two(hn::Vec<hn::RebindToSigned<Floats>> n) {
  const hn::RebindToSigned<Floats> d;
  return hn::BitCast(Floats(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(d, 127))));
}

/// e^x to about one unit in the last place. x = n ln 2 + r with |r| <= ln(2) / 2; a polynomial gives e^r, and 2^n is
/// multiplied in two halves, so that denormal results and those next to infinity come out right. NaN stays NaN.
HWY_INLINE FloatVector exp(FloatVector x) {
  const FloatVector least = constant(-104.f), greatest = constant(89.f);  // beyond them the result is 0 or infinite
  x = hn::IfThenElse(hn::Lt(x, least), least, x);
  x = hn::IfThenElse(hn::Gt(x, greatest), greatest, x);
  const FloatVector n = hn::Round(hn::Mul(x, constant(1.44269504f)));
  // ln 2 in two parts; the first has so few bits that its product with n is exact.
  const FloatVector r = hn::Sub(hn::Sub(x, hn::Mul(n, constant(0.693359375f))), hn::Mul(n, constant(-2.12194440e-4f)));
  FloatVector tail = constant(1.9875691500e-4f);
  for (const float coefficient : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 0.5f}) {
    tail = hn::Add(hn::Mul(tail, r), constant(coefficient));
  }
  const FloatVector e_to_r = hn::Add(hn::Add(hn::Mul(tail, hn::Mul(r, r)), r), constant(1.f));
  const auto whole = hn::ConvertTo(hn::RebindToSigned<Floats>(), n);
  const auto half = hn::ShiftRight<1>(whole);
  return hn::Mul(hn::Mul(e_to_r, power_of_two(half)), power_of_two(hn::Sub(whole, half)));
}

/// 1 / (1 + e^-x)
HWY_INLINE FloatVector one_plus_exp_minus(FloatVector x) { return hn::Add(constant(1.f), exp(hn::Neg(x))); }

template <class T>
void swiglu_of(const T* a, const T* b, std::size_t n, T* out, Store store) {
  for (std::size_t at = 0; at < n; at += lanes) {
    const std::size_t count = std::min(lanes, n - at);
    const FloatVector gate = load_first(a + at, count);
    const FloatVector silu = hn::Div(gate, one_plus_exp_minus(gate));
    save_first(hn::Mul(silu, load_first(b + at, count)), out + at, count, store);
  }
}

template <class T>
void swiglu_backward_of(const T* grad, const T* a, const T* b, std::size_t n, T* grad_a, T* grad_b, Store store) {
  const FloatVector one = constant(1.f);
  for (std::size_t at = 0; at < n; at += lanes) {
    const std::size_t count = std::min(lanes, n - at);
    const FloatVector g = load_first(grad + at, count), gate = load_first(a + at, count);
    const FloatVector sigmoid = hn::Div(one, one_plus_exp_minus(gate));
    const FloatVector slope = hn::Mul(sigmoid, hn::Add(one, hn::Mul(gate, hn::Sub(one, sigmoid))));
    save_first(hn::Mul(hn::Mul(g, load_first(b + at, count)), slope), grad_a + at, count, store);
    save_first(hn::Mul(g, hn::Mul(gate, sigmoid)), grad_b + at, count, store);
  }
}

/// Calls body(T{}) with the element type, which is not float64.
template <class Body>
HWY_INLINE void visit_narrow(Dtype dtype, const Body& body) {
  switch (dtype) {
    case Dtype::float16:
      return body(float16{});
    case Dtype::bfloat16:
      return body(bfloat16{});
    default:
      return body(float{});
  }
}

void Swiglu(Dtype dtype, const void* a, const void* b, std::size_t n, void* out, Store store) {
  visit_narrow(dtype, [&]<class T>(T) {
    swiglu_of(static_cast<const T*>(a), static_cast<const T*>(b), n, static_cast<T*>(out), store);
  });
}

void SwigluBackward(Dtype dtype, const void* grad, const void* a, const void* b, std::size_t n, void* grad_a,
                    void* grad_b, Store store) {
  visit_narrow(dtype, [&]<class T>(T) {
    swiglu_backward_of(static_cast<const T*>(grad), static_cast<const T*>(a), static_cast<const T*>(b), n,
                       static_cast<T*>(grad_a), static_cast<T*>(grad_b), store);
  });
}

template <class T>
float softmax_terms_of(const T* x, std::size_t n, float* logits, float* out) {
  FloatVector greatest = constant(-std::numeric_limits<float>::infinity());
  for (std::size_t at = 0; at < n; at += lanes) {
    const std::size_t count = std::min(lanes, n - at);
    save_first(load_first(x + at, count), logits + at, count, Store::cached);
    // A shorter rest is padded with zeros, which must not count.
    greatest = count == lanes ? hn::Max(greatest, load(logits + at))
                              : hn::Max(greatest, constant(*std::max_element(logits + at, logits + n)));
  }
  greatest = hn::MaxOfLanes(Floats(), greatest);
  PartialSums sums = no_sums();
  for (std::size_t at = 0; at < n; at += lanes) {
    const std::size_t count = std::min(lanes, n - at);
    save_first(exp(hn::Sub(load_first(logits + at, count), greatest)), out + at, count, Store::cached);
    auto& sum = sums[at / lanes % sum_vectors];
    sum = hn::Add(sum, load_first(out + at, count));
  }
  return total(sums);
}

void SoftmaxTerms(Dtype dtype, const void* x, std::size_t n, float* logits, float* out, float& sum) {
  visit_narrow(dtype, [&]<class T>(T) { sum = softmax_terms_of(static_cast<const T*>(x), n, logits, out); });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace opwright
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace opwright {

HWY_EXPORT(Swiglu);
HWY_EXPORT(SwigluBackward);
HWY_EXPORT(SoftmaxTerms);

void swiglu(Dtype dtype, const void* a, const void* b, std::int64_t n, void* out, Store store) {
  if (dtype != Dtype::float64) {
    HWY_DYNAMIC_DISPATCH(Swiglu)(dtype, a, b, static_cast<std::size_t>(n), out, store);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const double gate = static_cast<const double*>(a)[i];
    static_cast<double*>(out)[i] = gate / (1 + std::exp(-gate)) * static_cast<const double*>(b)[i];
  }
}

void swiglu_backward(Dtype dtype, const void* grad, const void* a, const void* b, std::int64_t n, void* grad_a,
                     void* grad_b, Store store) {
  if (dtype != Dtype::float64) {
    HWY_DYNAMIC_DISPATCH(SwigluBackward)(dtype, grad, a, b, static_cast<std::size_t>(n), grad_a, grad_b, store);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const double g = static_cast<const double*>(grad)[i], gate = static_cast<const double*>(a)[i];
    const double sigmoid = 1 / (1 + std::exp(-gate));
    static_cast<double*>(grad_a)[i] = g * static_cast<const double*>(b)[i] * sigmoid * (1 + gate * (1 - sigmoid));
    static_cast<double*>(grad_b)[i] = g * gate * sigmoid;
  }
}

float softmax_terms(Dtype dtype, const void* x, std::int64_t n, float* logits, float* out) {
  float sum = 0;
  HWY_DYNAMIC_DISPATCH(SoftmaxTerms)(dtype, x, static_cast<std::size_t>(n), logits, out, sum);
  return sum;
}

}  // namespace opwright

#endif  // HWY_ONCE
