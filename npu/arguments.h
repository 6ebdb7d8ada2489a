// Arguments of aclnn functions: tensors, lists and strings become objects of the operator library, scalars pass by
// value.
#pragma once

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Opaque: only the operator libraries know what is in them.
struct aclTensor;
struct aclScalar;
struct aclIntArray;
struct aclFloatArray;
struct aclBoolArray;
struct aclTensorList;
struct aclScalarList;

namespace opwright::aclnn {

/// Objects are shared, because a queued launch needs them until it has run.
std::shared_ptr<const aclTensor> convert(const at::Tensor& tensor);
std::shared_ptr<const aclTensor> convert(const std::optional<at::Tensor>& tensor);
std::shared_ptr<const aclIntArray> convert(at::IntArrayRef list);
std::shared_ptr<const aclIntArray> convert(at::OptionalIntArrayRef list);
/// A number keeps the kind that Python gave it: double, int64, bool or complex128.
std::shared_ptr<const aclScalar> convert(const at::Scalar& scalar);
std::shared_ptr<const aclScalar> convert(const std::optional<at::Scalar>& scalar);
std::shared_ptr<const aclScalarList> convert(at::ArrayRef<at::Scalar> list);
std::shared_ptr<const aclTensorList> convert(at::TensorList list);
/// Absent tensors keep their places, as null.
std::shared_ptr<const aclTensorList> convert(const c10::List<std::optional<at::Tensor>>& list);
/// Real numbers are 64 bits wide in a schema and 32 in an operator library.
std::shared_ptr<const aclFloatArray> convert(at::ArrayRef<double> list);
std::shared_ptr<const aclBoolArray> convert(at::ArrayRef<bool> list);
template <std::size_t N>
std::shared_ptr<const aclBoolArray> convert(const std::array<bool, N>& list) {
  return convert(at::ArrayRef<bool>(list));
}
int convert(at::ScalarType type);
inline std::shared_ptr<const aclIntArray> convert(const std::vector<std::int64_t>& list) {
  return convert(at::IntArrayRef(list));
}
inline std::int64_t convert(std::int64_t value) { return value; }
inline std::int32_t convert(std::int32_t value) { return value; }
inline std::int8_t convert(std::int8_t value) { return value; }
inline double convert(double value) { return value; }
inline float convert(float value) { return value; }
inline bool convert(bool value) { return value; }
inline std::string convert(std::string_view text) { return std::string(text); }

/// What the C function takes of a converted argument.
template <class T>
const T* pass(const std::shared_ptr<const T>& object) {
  return object.get();
}
inline const char* pass(const std::string& text) { return text.c_str(); }
inline std::int64_t pass(std::int64_t value) { return value; }
inline std::int8_t pass(std::int8_t value) { return value; }
inline double pass(double value) { return value; }
inline float pass(float value) { return value; }
inline bool pass(bool value) { return value; }
inline int pass(int value) { return value; }

/// `list or [1]`
std::vector<std::int64_t> list_or(at::OptionalIntArrayRef list, std::initializer_list<std::int64_t> otherwise);

}  // namespace opwright::aclnn
