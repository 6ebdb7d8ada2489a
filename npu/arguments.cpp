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

}  // namespace

int convert(at::ScalarType type) {
  for (const TypeCode& line : type_codes) {
    if (line.type == type) return line.code;
  }
  throw Error(std::string("an NPU has no tensors of ") + c10::toString(type));
}

std::shared_ptr<const aclTensor> convert(const at::Tensor& tensor) {
  if (!tensor.defined()) return nullptr;
  using Create = aclTensor*(const std::int64_t* sizes, std::uint64_t rank, int type, const std::int64_t* strides,
                            std::int64_t offset, int format, const std::int64_t* storage_sizes,
                            std::uint64_t storage_rank, void* storage);
  static const auto create = require_function<Create>("aclCreateTensor");
  static const auto destroy = require_function<int(const aclTensor*)>("aclDestroyTensor");
  const std::int64_t elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.itemsize());
  aclTensor* const made =
      create(tensor.sizes().data(), tensor.sizes().size(), convert(tensor.scalar_type()), tensor.strides().data(),
             tensor.storage_offset(), format_nd, &elements, 1, const_cast<void*>(tensor.storage().data()));
  return {made, [](const aclTensor* object) { destroy(object); }};
}

std::shared_ptr<const aclTensor> convert(const std::optional<at::Tensor>& tensor) {
  return tensor ? convert(*tensor) : nullptr;
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
