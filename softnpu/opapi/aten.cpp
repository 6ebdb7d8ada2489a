#include "softnpu/opapi/aten.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "runtime/error.h"

namespace opwright::softnpu::aten {
namespace {

template <class To, class List, class Convert>
std::vector<To> convert_all(const List& list, Convert convert) {
  std::vector<To> converted;
  converted.reserve(list.size());
  for (const auto& element : list) converted.push_back(convert(element));
  return converted;
}

template <class T>
T value_of(const aclScalar& scalar) {
  T value;
  std::memcpy(&value, scalar.value.data(), sizeof(T));
  return value;
}

std::string text_of(at::IntArrayRef sizes) {
  std::ostringstream text;
  text << sizes;
  return text.str();
}

at::Tensor over_memory(const aclTensor& tensor, std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
  const at::ScalarType dtype = scalar_type(tensor.dtype);
  auto* storage = static_cast<std::byte*>(tensor.storage);
  void* data = storage ? storage + tensor.offset * static_cast<std::int64_t>(c10::elementSize(dtype)) : nullptr;
  return at::from_blob(data, sizes, strides, at::TensorOptions().dtype(dtype));
}

}  // namespace

at::ScalarType scalar_type(int acl_dtype) {
  switch (acl_dtype) {
    case kFloat32:
      return at::kFloat;
    case kFloat16:
      return at::kHalf;
    case kInt8:
      return at::kChar;
    case kInt32:
      return at::kInt;
    case kUint8:
      return at::kByte;
    case kInt16:
      return at::kShort;
    case kInt64:
      return at::kLong;
    case kFloat64:
      return at::kDouble;
    case kBool:
      return at::kBool;
    case kComplex64:
      return at::kComplexFloat;
    case kComplex128:
      return at::kComplexDouble;
    case kBfloat16:
      return at::kBFloat16;
    default:
      throw Error("the software NPU cannot compute with the aclDataType " + std::to_string(acl_dtype));
  }
}

at::Tensor tensor(const aclTensor* tensor) {
  return tensor ? over_memory(*tensor, tensor->sizes, tensor->strides) : at::Tensor();
}

std::optional<at::Tensor> optional_tensor(const aclTensor* pointer) {
  if (!pointer) return std::nullopt;
  return tensor(pointer);
}

std::vector<at::Tensor> tensors(const aclTensorList* list) {
  if (!list) return {};
  return convert_all<at::Tensor>(list->tensors, [](const aclTensor* element) { return tensor(element); });
}

std::vector<std::optional<at::Tensor>> optional_tensors(const aclTensorList* list) {
  if (!list) return {};
  return convert_all<std::optional<at::Tensor>>(list->tensors, optional_tensor);
}

at::Scalar scalar(const aclScalar* scalar) {
  if (!scalar) throw Error("a scalar is missing");
  switch (scalar->dtype) {
    case kFloat64:
      return value_of<double>(*scalar);
    case kFloat32:
      return value_of<float>(*scalar);
    case kFloat16:
      return static_cast<float>(value_of<at::Half>(*scalar));
    case kBfloat16:
      return static_cast<float>(value_of<at::BFloat16>(*scalar));
    case kInt64:
      return value_of<std::int64_t>(*scalar);
    case kInt32:
      return value_of<std::int32_t>(*scalar);
    case kInt16:
      return value_of<std::int16_t>(*scalar);
    case kInt8:
      return value_of<std::int8_t>(*scalar);
    case kUint8:
      return value_of<std::uint8_t>(*scalar);
    case kBool:
      return value_of<bool>(*scalar);
    case kComplex64:
      return value_of<c10::complex<float>>(*scalar);
    case kComplex128:
      return value_of<c10::complex<double>>(*scalar);
    default:
      throw Error("the software NPU has no scalars of the aclDataType " + std::to_string(scalar->dtype));
  }
}

std::optional<at::Scalar> optional_scalar(const aclScalar* pointer) {
  if (!pointer) return std::nullopt;
  return scalar(pointer);
}

std::vector<at::Scalar> scalars(const aclScalarList* list) {
  if (!list) return {};
  return convert_all<at::Scalar>(list->scalars, scalar);
}

std::vector<std::int64_t> integers(const aclIntArray* array) {
  if (!array) return {};
  return array->values;
}

Booleans::Booleans(const aclBoolArray* array) {
  if (array) values_.assign(array->values.begin(), array->values.end());
}

void Booleans::throw_wrong_size(std::size_t wanted) const {
  throw Error("a list of " + std::to_string(wanted) + " booleans is needed, got " + std::to_string(values_.size()));
}

void ResizedTensor::store(const at::Tensor& result) const {
  if (!tensor_ || !result.defined()) return;
  const std::int64_t room = over_memory(*tensor_, tensor_->sizes, tensor_->strides).numel();
  if (result.numel() > room)
    throw Error("the result has the sizes " + text_of(result.sizes()) + ", got memory for " + std::to_string(room) +
                " elements");
  tensor_->sizes = result.sizes().vec();
  tensor_->strides = at::empty(result.sizes(), at::kMeta).strides().vec();
  over_memory(*tensor_, tensor_->sizes, tensor_->strides).copy_(result);
}

void store(const at::Tensor& result, const at::Tensor& out) {
  if (!result.defined() || !out.defined()) return;
  if (result.sizes() == out.sizes()) {
    out.copy_(result);
    return;
  }
  if (result.numel() != out.numel())
    throw Error("the result has the sizes " + text_of(result.sizes()) + ", got memory for " + text_of(out.sizes()));
  out.copy_(result.reshape(out.sizes()));
}

void store(bool result, const at::Tensor& out) { out.fill_(result); }

void store(const std::vector<at::Tensor>& results, const std::vector<at::Tensor>& outs) {
  if (results.size() != outs.size())
    throw Error("there are " + std::to_string(results.size()) + " results, got memory for " +
                std::to_string(outs.size()));
  for (std::size_t i = 0; i < results.size(); ++i) store(results[i], outs[i]);
}

void run(const std::function<void()>& body) {
  c10::impl::PODLocalDispatchKeySet plain{};
  plain.set_excluded(c10::autograd_dispatch_keyset_with_ADInplaceOrView | c10::autocast_dispatch_keyset);
  const c10::impl::ForceDispatchKeyGuard only_cpu(c10::impl::LocalDispatchKeySet{plain});
  const at::NoGradGuard no_grad;
  try {
    body();
  } catch (const c10::Error& error) {
    throw Error(error.what_without_backtrace());
  }
}

}  // namespace opwright::softnpu::aten
