#include "npu/arguments.h"

#include "npu/operator_libraries.h"
#include "runtime/error.h"

namespace opwright::aclnn {
namespace {

constexpr int format_nd = 2;  // plain strides, any number of dimensions

struct TypeCode {
  at::ScalarType type;
  int code;
};

constexpr TypeCode type_codes[] = {
    {at::ScalarType::Float, 0},         {at::ScalarType::Half, 1},           {at::ScalarType::Char, 2},
    {at::ScalarType::Int, 3},           {at::ScalarType::Byte, 4},           {at::ScalarType::Short, 6},
    {at::ScalarType::Long, 9},          {at::ScalarType::Double, 11},        {at::ScalarType::Bool, 12},
    {at::ScalarType::ComplexFloat, 16}, {at::ScalarType::ComplexDouble, 17}, {at::ScalarType::BFloat16, 27},
};

/// `create` and `destroy` of a list that owns its items.
template <class List, class Item>
std::shared_ptr<const List> owning_list(List* (*create)(const Item* const*, std::uint64_t), int (*destroy)(const List*),
                                        const std::vector<const Item*>& items) {
  return {create(items.data(), items.size()), [destroy](const List* object) { destroy(object); }};
}

}  // namespace

int convert(at::ScalarType type) {
  for (const TypeCode& line : type_codes) {
    if (line.type == type) return line.code;
  }
  throw Error(std::string("an NPU has no tensors of ") + c10::toString(type));
}

namespace {

/// Null where the tensor is undefined. Who gets it destroys it.
aclTensor* make_tensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return nullptr;
  using Create = aclTensor*(const std::int64_t* sizes, std::uint64_t rank, int type, const std::int64_t* strides,
                            std::int64_t offset, int format, const std::int64_t* storage_sizes,
                            std::uint64_t storage_rank, void* storage);
  static const auto create = require_function<Create>("aclCreateTensor");
  const std::int64_t elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.itemsize());
  return create(tensor.sizes().data(), tensor.sizes().size(), convert(tensor.scalar_type()), tensor.strides().data(),
                tensor.storage_offset(), format_nd, &elements, 1, const_cast<void*>(tensor.storage().data()));
}

/// Who gets it destroys it.
aclScalar* make_scalar(const at::Scalar& scalar) {
  static const auto create = require_function<aclScalar*(void* value, int type)>("aclCreateScalar");
  const auto made = [](auto value, at::ScalarType type) { return create(&value, convert(type)); };
  if (scalar.isBoolean()) return made(scalar.toBool(), at::ScalarType::Bool);
  if (scalar.isComplex()) return made(scalar.toComplexDouble(), at::ScalarType::ComplexDouble);
  if (scalar.isFloatingPoint()) return made(scalar.toDouble(), at::ScalarType::Double);
  return made(scalar.toLong(), at::ScalarType::Long);
}

std::shared_ptr<const aclTensorList> make_list(const std::vector<const aclTensor*>& tensors) {
  static const auto create =
      require_function<aclTensorList*(const aclTensor* const* items, std::uint64_t count)>("aclCreateTensorList");
  static const auto destroy = require_function<int(const aclTensorList*)>("aclDestroyTensorList");
  return owning_list(create, destroy, tensors);
}

}  // namespace

std::shared_ptr<const aclTensor> convert(const at::Tensor& tensor) {
  static const auto destroy = require_function<int(const aclTensor*)>("aclDestroyTensor");
  aclTensor* const made = make_tensor(tensor);
  if (!made) return nullptr;
  return {made, [](const aclTensor* object) { destroy(object); }};
}

std::shared_ptr<const aclTensor> convert(const std::optional<at::Tensor>& tensor) {
  return tensor ? convert(*tensor) : nullptr;
}

std::shared_ptr<const aclScalar> convert(const at::Scalar& scalar) {
  static const auto destroy = require_function<int(const aclScalar*)>("aclDestroyScalar");
  return {make_scalar(scalar), [](const aclScalar* object) { destroy(object); }};
}

std::shared_ptr<const aclScalar> convert(const std::optional<at::Scalar>& scalar) {
  return scalar ? convert(*scalar) : nullptr;
}

std::shared_ptr<const aclScalarList> convert(at::ArrayRef<at::Scalar> list) {
  static const auto create =
      require_function<aclScalarList*(const aclScalar* const* items, std::uint64_t count)>("aclCreateScalarList");
  static const auto destroy = require_function<int(const aclScalarList*)>("aclDestroyScalarList");
  std::vector<const aclScalar*> scalars;
  for (const at::Scalar& scalar : list) scalars.push_back(make_scalar(scalar));
  return owning_list(create, destroy, scalars);
}

std::shared_ptr<const aclTensorList> convert(at::TensorList list) {
  std::vector<const aclTensor*> tensors;
  for (const at::Tensor& tensor : list) tensors.push_back(make_tensor(tensor));
  return make_list(tensors);
}

std::shared_ptr<const aclTensorList> convert(const c10::List<std::optional<at::Tensor>>& list) {
  std::vector<const aclTensor*> tensors;
  for (const std::optional<at::Tensor>& tensor : list) tensors.push_back(tensor ? make_tensor(*tensor) : nullptr);
  return make_list(tensors);
}

std::shared_ptr<const aclFloatArray> convert(at::ArrayRef<double> list) {
  static const auto create =
      require_function<aclFloatArray*(const float* values, std::uint64_t count)>("aclCreateFloatArray");
  static const auto destroy = require_function<int(const aclFloatArray*)>("aclDestroyFloatArray");
  const std::vector<float> values(list.begin(), list.end());
  return {create(values.data(), values.size()), [](const aclFloatArray* object) { destroy(object); }};
}

std::shared_ptr<const aclBoolArray> convert(at::ArrayRef<bool> list) {
  static const auto create =
      require_function<aclBoolArray*(const bool* values, std::uint64_t count)>("aclCreateBoolArray");
  static const auto destroy = require_function<int(const aclBoolArray*)>("aclDestroyBoolArray");
  return {create(list.data(), list.size()), [](const aclBoolArray* object) { destroy(object); }};
}

std::shared_ptr<const aclIntArray> convert(at::IntArrayRef list) {
  static const auto create =
      require_function<aclIntArray*(const std::int64_t* values, std::uint64_t count)>("aclCreateIntArray");
  static const auto destroy = require_function<int(const aclIntArray*)>("aclDestroyIntArray");
  return {create(list.data(), list.size()), [](const aclIntArray* object) { destroy(object); }};
}

std::shared_ptr<const aclIntArray> convert(at::OptionalIntArrayRef list) { return list ? convert(*list) : nullptr; }

std::vector<std::int64_t> list_or(at::OptionalIntArrayRef list, std::initializer_list<std::int64_t> otherwise) {
  return list ? list->vec() : std::vector<std::int64_t>(otherwise);
}

}  // namespace opwright::aclnn
