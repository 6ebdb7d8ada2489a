#include "runtime/torch/tensors.h"

#include <ATen/ops/empty.h>

#include <string>

#include "runtime/error.h"
#include "runtime/torch/dtype.h"

namespace opwright {
namespace {

template <class Int>
TensorInfo<Int> describe_with(const at::Tensor& tensor, std::span<const Int> sizes) {
  TensorInfo<Int> info{.present = true, .sizes = sizes};
  if (const auto dtype = from_torch(tensor.scalar_type())) {
    info.dtype = *dtype;
  } else {
    info.foreign_dtype = c10::toString(tensor.scalar_type());
  }
  return info;
}

template <class Data>
BasicView<Data> view_of(const at::Tensor& tensor, Data data) {
  return {.data = data,
          .dtype = from_torch(tensor.scalar_type()).value(),
          .sizes = {tensor.sizes().data(), tensor.sizes().size()},
          .strides = {tensor.strides().data(), tensor.strides().size()},
          .present = true};
}

}  // namespace

template <>
TensorInfo<std::int64_t> describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return describe_with<std::int64_t>(tensor, {tensor.sizes().data(), tensor.sizes().size()});
}

template <>
TensorInfo<c10::SymInt> describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return describe_with<c10::SymInt>(tensor, {tensor.sym_sizes().data(), tensor.sym_sizes().size()});
}

View view(const at::Tensor& tensor) { return tensor.defined() ? view_of(tensor, tensor.const_data_ptr()) : View{}; }

MutableView mutable_view(const at::Tensor& tensor) {
  return tensor.defined() ? view_of(tensor, tensor.mutable_data_ptr()) : MutableView{};
}

at::Tensor allocate(const ResultInfo<std::int64_t>& result, c10::Device device) {
  if (!result.present) return {};
  return at::empty({result.sizes.data(), result.sizes.size()}, at::dtype(to_torch(result.dtype)).device(device));
}

at::Tensor allocate(const ResultInfo<c10::SymInt>& result, c10::Device device) {
  if (!result.present) return {};
  return at::empty_symint({result.sizes.data(), result.sizes.size()}, at::dtype(to_torch(result.dtype)).device(device));
}

void require_device(const char* op, const char* argument, const at::Tensor& tensor, const char* like,
                    c10::Device device) {
  if (!tensor.defined() || tensor.device() == device) return;
  throw Error(op + (": " + std::string(argument)) + " must be on " + device.str() + " as " + like + " is, got " +
              tensor.device().str());
}

}  // namespace opwright
