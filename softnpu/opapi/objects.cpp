#include "softnpu/opapi/objects.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "softnpu/runtime/report.h"

using opwright::softnpu::kInvalidParameter;
using opwright::softnpu::kSuccess;
using opwright::softnpu::report;

namespace {

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= sizes[dim];
  }
  return strides;
}

/// Bytes of a scalar's value; 0 for the type codes that torch has no scalars of.
std::size_t scalar_size(int dtype) {
  using namespace opwright::softnpu;
  switch (dtype) {
    case kInt8:
    case kUint8:
    case kBool:
      return 1;
    case kFloat16:
    case kBfloat16:
    case kInt16:
      return 2;
    case kFloat32:
    case kInt32:
      return 4;
    case kFloat64:
    case kInt64:
    case kComplex64:
      return 8;
    case kComplex128:
      return 16;
    default:
      return 0;
  }
}

template <class Object>
int destroy(const Object* object) {
  delete object;
  return kSuccess;
}

}  // namespace

OPWRIGHT_EXPORT aclTensor* aclCreateTensor(const std::int64_t* view_sizes, std::uint64_t rank, int dtype,
                                           const std::int64_t* strides, std::int64_t offset, int /*format*/,
                                           const std::int64_t* /*storage_sizes*/, std::uint64_t /*storage_rank*/,
                                           void* storage) {
  auto* tensor = new aclTensor;
  tensor->sizes.assign(view_sizes, view_sizes + rank);
  tensor->strides = strides ? std::vector<std::int64_t>(strides, strides + rank) : contiguous_strides(tensor->sizes);
  tensor->offset = offset;
  tensor->dtype = dtype;
  tensor->storage = storage;
  return tensor;
}

OPWRIGHT_EXPORT aclScalar* aclCreateScalar(void* value, int dtype) {
  const std::size_t size = scalar_size(dtype);
  if (!value || size == 0) {
    report(kInvalidParameter, "aclCreateScalar: the aclDataType " + std::to_string(dtype) + " is not supported");
    return nullptr;
  }
  auto* scalar = new aclScalar;
  scalar->dtype = dtype;
  std::memcpy(scalar->value.data(), value, size);
  return scalar;
}

OPWRIGHT_EXPORT aclIntArray* aclCreateIntArray(const std::int64_t* values, std::uint64_t count) {
  return new aclIntArray{{values, values + count}};
}
OPWRIGHT_EXPORT aclFloatArray* aclCreateFloatArray(const float* values, std::uint64_t count) {
  return new aclFloatArray{{values, values + count}};
}
OPWRIGHT_EXPORT aclBoolArray* aclCreateBoolArray(const bool* values, std::uint64_t count) {
  return new aclBoolArray{{values, values + count}};
}
OPWRIGHT_EXPORT aclTensorList* aclCreateTensorList(const aclTensor* const* tensors, std::uint64_t count) {
  return new aclTensorList{{tensors, tensors + count}};
}
OPWRIGHT_EXPORT aclScalarList* aclCreateScalarList(const aclScalar* const* scalars, std::uint64_t count) {
  return new aclScalarList{{scalars, scalars + count}};
}

OPWRIGHT_EXPORT int aclDestroyTensor(const aclTensor* tensor) { return destroy(tensor); }
OPWRIGHT_EXPORT int aclDestroyScalar(const aclScalar* scalar) { return destroy(scalar); }
OPWRIGHT_EXPORT int aclDestroyIntArray(const aclIntArray* array) { return destroy(array); }
OPWRIGHT_EXPORT int aclDestroyFloatArray(const aclFloatArray* array) { return destroy(array); }
OPWRIGHT_EXPORT int aclDestroyBoolArray(const aclBoolArray* array) { return destroy(array); }
OPWRIGHT_EXPORT int aclDestroyTensorList(const aclTensorList* list) {
  if (list) std::ranges::for_each(list->tensors, aclDestroyTensor);
  return destroy(list);
}
OPWRIGHT_EXPORT int aclDestroyScalarList(const aclScalarList* list) {
  if (list) std::ranges::for_each(list->scalars, aclDestroyScalar);
  return destroy(list);
}

/// The sizes of a view, in an array that the client frees with delete[].
OPWRIGHT_EXPORT int aclGetViewShape(const aclTensor* tensor, std::int64_t** sizes, std::uint64_t* rank) {
  if (!tensor || !sizes || !rank) return report(kInvalidParameter, "aclGetViewShape: no argument may be null");
  *rank = tensor->sizes.size();
  *sizes = new std::int64_t[tensor->sizes.size()];
  std::ranges::copy(tensor->sizes, *sizes);
  return kSuccess;
}

OPWRIGHT_EXPORT int aclnnInit(const char* /*config*/) { return kSuccess; }
OPWRIGHT_EXPORT int aclnnFinalize() { return kSuccess; }
