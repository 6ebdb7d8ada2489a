// The objects of the aclnn interface, which its clients only ever hold by pointer: tensors, scalars, arrays and lists.
//
// Names, argument lists and type codes are those that torch_npu calls; softnpu/PROVENANCE.md says where each was read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// A description of memory that belongs to somebody else.
struct aclTensor {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  // in elements
  std::int64_t offset = 0;            // of the first element in the storage, in elements
  int dtype = 0;                      // an opwright::softnpu::AclDtype, or a code that only an NPU computes with
  void* storage = nullptr;
};

struct aclScalar {
  int dtype = 0;
  alignas(16) std::array<std::byte, 16> value{};
};

struct aclIntArray {
  std::vector<std::int64_t> values;
};

struct aclFloatArray {
  std::vector<float> values;
};

struct aclBoolArray {
  std::vector<std::uint8_t> values;
};

/// Owns its tensors: destroying the list destroys them. An absent element is null.
struct aclTensorList {
  std::vector<const aclTensor*> tensors;
};

/// Owns its scalars.
struct aclScalarList {
  std::vector<const aclScalar*> scalars;
};

namespace opwright::softnpu {

/// The type codes of the interface that a CPU can compute with.
enum AclDtype : int {
  kFloat32 = 0,
  kFloat16 = 1,
  kInt8 = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 6,
  kInt64 = 9,
  kFloat64 = 11,
  kBool = 12,
  kComplex64 = 16,
  kComplex128 = 17,
  kBfloat16 = 27,
};

}  // namespace opwright::softnpu
