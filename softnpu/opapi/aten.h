// Between the objects of the aclnn interface and those of ATen, for entry points that ATen computes.
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "softnpu/opapi/entry.h"

namespace opwright::softnpu::aten {

at::ScalarType scalar_type(int acl_dtype);

/// A tensor over the client's memory, with its sizes, strides and offset; undefined for null.
at::Tensor tensor(const aclTensor* tensor);
std::optional<at::Tensor> optional_tensor(const aclTensor* tensor);
std::vector<at::Tensor> tensors(const aclTensorList* list);
/// Indices, one for each dimension; torch_npu passes a tensor without elements for a dimension that is not indexed.
std::vector<std::optional<at::Tensor>> optional_tensors(const aclTensorList* list);

at::Scalar scalar(const aclScalar* scalar);
std::optional<at::Scalar> optional_scalar(const aclScalar* scalar);
std::vector<at::Scalar> scalars(const aclScalarList* list);

/// Empty for null, which to ATen's reductions means all dimensions, as it does to the interface.
std::vector<std::int64_t> integers(const aclIntArray* array);

/// Booleans that become an array of whatever size ATen takes.
class Booleans {
 public:
  explicit Booleans(const aclBoolArray* array);
  template <std::size_t N>
  operator std::array<bool, N>() const {
    if (values_.size() != N) throw_wrong_size(N);
    std::array<bool, N> array;
    std::copy(values_.begin(), values_.end(), array.begin());
    return array;
  }

 private:
  [[noreturn]] void throw_wrong_size(std::size_t wanted) const;
  std::vector<bool> values_;
};
inline Booleans booleans(const aclBoolArray* array) { return Booleans(array); }

inline std::string text(const char* string) { return string ? string : ""; }

/// A result whose sizes depend on values: the client gave memory for the largest, and asks for the sizes afterwards.
class ResizedTensor {
 public:
  explicit ResizedTensor(aclTensor* tensor) : tensor_(tensor) {}
  void store(const at::Tensor& result) const;

 private:
  aclTensor* tensor_;
};
inline ResizedTensor resized_tensor(aclTensor* tensor) { return ResizedTensor(tensor); }

/// Writes a result to the memory that the client gave for it, converted to its dtype. A result or memory that is absent
/// (undefined) is passed over: clients leave out what they do not want.
void store(const at::Tensor& result, const at::Tensor& out);
void store(bool result, const at::Tensor& out);
void store(const std::vector<at::Tensor>& results, const std::vector<at::Tensor>& outs);
inline void store(const at::Tensor& result, const ResizedTensor& out) { out.store(result); }

template <class... Results, class... Outs>
void store(const std::tuple<Results...>& results, const Outs&... outs) {
  static_assert(sizeof...(Results) == sizeof...(Outs));
  std::apply([&](const auto&... result) { (store(result, outs), ...); }, results);
}

/// Runs a computation on plain CPU tensors, whatever the calling thread's modes (autograd, autocast, vmap ...) are; an
/// error of ATen becomes an opwright::Error with the same text.
void run(const std::function<void()>& body);

/// What an entry point returns to phase one.
template <class Body>
Compute compute(Body body) {
  return [body = std::move(body)] { run(body); };
}

}  // namespace opwright::softnpu::aten
