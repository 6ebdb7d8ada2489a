#include "activation/swiglu.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "kernels/contiguous.h"
#include "kernels/parallel.h"
#include "kernels/pointwise.h"

namespace opwright::ops {
namespace {

/// A dense tensor seen as `outer` pairs of halves, each of `length` elements that lie side by side.
struct Halves {
  std::int64_t outer = 1, length = 0;
};

Halves halves_of(const View& whole, std::int64_t dim) {
  Halves halves;
  const auto halved = static_cast<int>(dim < 0 ? dim + whole.rank() : dim);
  for (int d = 0; d < halved; ++d) halves.outer *= whole.size(d);
  if (halves.outer > 0) halves.length = whole.numel() / halves.outer / 2;
  return halves;
}

/// Calls body(i, j, n) for runs of n elements that cover the halves: they begin at element i of the dense tensor of one
/// half, and at elements j and j + length of the dense tensor of both.
void for_each_run(const Halves& halves, Store store,
                  const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& body) {
  constexpr std::int64_t block = 4096;  // whole cache lines, as streamed stores want them
  const std::int64_t n = halves.outer * halves.length;
  parallel_for((n + block - 1) / block, 4, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t last = std::min(n, end * block);
    for (std::int64_t i = begin * block, run; i < last; i += run) {
      const std::int64_t row = i / halves.length, column = i % halves.length;
      run = std::min(last - i, halves.length - column);
      body(i, row * 2 * halves.length + column, run);
    }
    finish(store);
  });
}

}  // namespace

void swiglu(const npu_swiglu& call) {
  const Dense self(call.self);
  const Halves halves = halves_of(call.self, call.dim);
  const std::int64_t bytes = size_of(call.self.dtype);
  const Store store = store_for(call.result.data, halves.outer, halves.length * bytes);
  for_each_run(halves, store, [&](std::int64_t i, std::int64_t j, std::int64_t n) {
    const auto* a = self.as<std::byte>() + j * bytes;
    opwright::swiglu(call.self.dtype, a, a + halves.length * bytes, n, call.result.as<std::byte>() + i * bytes, store);
  });
}

void swiglu_backward(const npu_swiglu_backward& call) {
  const Dense self(call.self), grad(call.grad_output);
  const Halves halves = halves_of(call.self, call.dim);
  const std::int64_t bytes = size_of(call.self.dtype);
  const Store store = store_for(call.grad_self.data, halves.outer * 2, halves.length * bytes);
  for_each_run(halves, store, [&](std::int64_t i, std::int64_t j, std::int64_t n) {
    const auto* a = self.as<std::byte>() + j * bytes;
    auto* grad_a = call.grad_self.as<std::byte>() + j * bytes;
    opwright::swiglu_backward(call.self.dtype, grad.as<std::byte>() + i * bytes, a, a + halves.length * bytes, n,
                              grad_a, grad_a + halves.length * bytes, store);
  });
}

}  // namespace opwright::ops
