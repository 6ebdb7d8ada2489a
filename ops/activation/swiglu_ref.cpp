#include <cmath>

#include "activation/swiglu.h"
#include "ops/reference.h"

namespace opwright::reference {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// Calls body(place of the element of the half, place of a, place of b) for every element of a half.
template <class Body>
void for_each_pair(const View& self, std::int64_t dim, const Body& body) {
  const int halved = static_cast<int>(dim < 0 ? dim + self.rank() : dim);
  std::int64_t outer = 1, inner = 1;
  for (int d = 0; d < halved; ++d) outer *= self.size(d);
  for (int d = halved + 1; d < self.rank(); ++d) inner *= self.size(d);
  const std::int64_t half = self.size(halved) / 2;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t c = 0; c < half; ++c) {
      for (std::int64_t i = 0; i < inner; ++i) {
        body((o * half + c) * inner + i, (o * 2 * half + c) * inner + i, (o * 2 * half + half + c) * inner + i);
      }
    }
  }
}

}  // namespace

void swiglu(const ops::npu_swiglu& call) {
  for_each_pair(call.self, call.dim, [&](std::int64_t place, std::int64_t a, std::int64_t b) {
    const double gate = get(call.self, a);
    set(call.result, place, gate * sigmoid(gate) * get(call.self, b));
  });
}

void swiglu_backward(const ops::npu_swiglu_backward& call) {
  for_each_pair(call.self, call.dim, [&](std::int64_t place, std::int64_t a, std::int64_t b) {
    const double grad = get(call.grad_output, place), gate = get(call.self, a), s = sigmoid(gate);
    set(call.grad_self, a, grad * get(call.self, b) * (s + gate * s * (1 - s)));
    set(call.grad_self, b, grad * gate * s);
  });
}

}  // namespace opwright::reference
