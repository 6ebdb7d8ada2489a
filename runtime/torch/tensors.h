// Tensors at the border to torch: what inference reads of them, what kernels see of them, and results.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "runtime/checks.h"
#include "runtime/torch/symbolic.h"
#include "runtime/views.h"

namespace opwright {

/// What inference reads of an argument; `Int` is std::int64_t for tensors with data, c10::SymInt for Meta.
template <class Int>
TensorInfo<Int> describe(const at::Tensor& tensor);
template <>
TensorInfo<std::int64_t> describe(const at::Tensor& tensor);
template <>
TensorInfo<c10::SymInt> describe(const at::Tensor& tensor);

template <class Int>
TensorInfo<Int> describe(const std::optional<at::Tensor>& tensor) {
  return tensor ? describe<Int>(*tensor) : TensorInfo<Int>{};
}

/// What a kernel sees of an argument.
View view(const at::Tensor& tensor);
inline View view(const std::optional<at::Tensor>& tensor) { return tensor ? view(*tensor) : View{}; }
/// What a kernel sees of a result.
MutableView mutable_view(const at::Tensor& tensor);

/// A new result on a device; an undefined tensor for an absent one.
at::Tensor allocate(const ResultInfo<std::int64_t>& result, c10::Device device);
at::Tensor allocate(const ResultInfo<c10::SymInt>& result, c10::Device device);

/// Throws Error unless a tensor is absent or lives on `device`. `like` names the argument that decided on the device.
void require_device(const char* op, const char* argument, const at::Tensor& tensor, const char* like,
                    c10::Device device);
inline void require_device(const char* op, const char* argument, const std::optional<at::Tensor>& tensor,
                           const char* like, c10::Device device) {
  if (tensor) require_device(op, argument, *tensor, like, device);
}

}  // namespace opwright
