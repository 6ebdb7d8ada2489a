// Descriptors of the older single-operator interface (aclop). They can be made and asked, as torch_npu does on its way
// to an error message; executing an operator with them is refused (compile.cpp).
#include <cstdint>
#include <string>
#include <vector>

#include "softnpu/runtime/report.h"

using namespace opwright::softnpu;

struct aclDataBuffer {
  void* data;
  std::size_t size;
};

struct aclTensorDesc {
  int dtype;
  int format;
  std::vector<std::int64_t> sizes;
  std::string name;
};

struct aclopAttr {};

OPWRIGHT_EXPORT aclDataBuffer* aclCreateDataBuffer(void* data, std::size_t size) {
  return new aclDataBuffer{data, size};
}
OPWRIGHT_EXPORT int aclDestroyDataBuffer(const aclDataBuffer* buffer) {
  delete buffer;
  return kSuccess;
}

OPWRIGHT_EXPORT aclTensorDesc* aclCreateTensorDesc(int dtype, int rank, const std::int64_t* sizes, int format) {
  return new aclTensorDesc{dtype, format, {sizes, sizes + rank}, {}};
}
OPWRIGHT_EXPORT void aclDestroyTensorDesc(const aclTensorDesc* descriptor) { delete descriptor; }
OPWRIGHT_EXPORT void aclSetTensorDescName(aclTensorDesc* descriptor, const char* name) {
  descriptor->name = name ? name : "";
}
OPWRIGHT_EXPORT int aclSetTensorFormat(aclTensorDesc*, int) { return kSuccess; }
OPWRIGHT_EXPORT int aclSetTensorShape(aclTensorDesc*, int, const std::int64_t*) { return kSuccess; }
OPWRIGHT_EXPORT int aclSetTensorPlaceMent(aclTensorDesc*, int) { return kSuccess; }
OPWRIGHT_EXPORT std::size_t aclGetTensorDescNumDims(const aclTensorDesc* descriptor) {
  return descriptor->sizes.size();
}
OPWRIGHT_EXPORT int aclGetTensorDescType(const aclTensorDesc* descriptor) { return descriptor->dtype; }
OPWRIGHT_EXPORT int aclGetTensorDescFormat(const aclTensorDesc* descriptor) { return descriptor->format; }
OPWRIGHT_EXPORT int aclGetTensorDescDimV2(const aclTensorDesc* descriptor, std::size_t dim, std::int64_t* size) {
  if (dim >= descriptor->sizes.size() || !size)
    return report(kInvalidParameter, "aclGetTensorDescDimV2: there is no dimension " + std::to_string(dim));
  *size = descriptor->sizes[dim];
  return kSuccess;
}

OPWRIGHT_EXPORT aclopAttr* aclopCreateAttr() { return new aclopAttr; }
OPWRIGHT_EXPORT void aclopDestroyAttr(const aclopAttr* attributes) { delete attributes; }
OPWRIGHT_EXPORT int aclopSetAttrBool(aclopAttr*, const char*, std::uint8_t) { return kSuccess; }
OPWRIGHT_EXPORT int aclopSetAttrInt(aclopAttr*, const char*, std::int64_t) { return kSuccess; }
OPWRIGHT_EXPORT int aclopSetAttrFloat(aclopAttr*, const char*, float) { return kSuccess; }
OPWRIGHT_EXPORT int aclopSetAttrString(aclopAttr*, const char*, const char*) { return kSuccess; }
OPWRIGHT_EXPORT int aclopSetAttrDataType(aclopAttr*, const char*, int) { return kSuccess; }
OPWRIGHT_EXPORT int aclopSetAttrListInt(aclopAttr*, const char*, int, const std::int64_t*) { return kSuccess; }
OPWRIGHT_EXPORT int aclopSetAttrListFloat(aclopAttr*, const char*, int, const float*) { return kSuccess; }
OPWRIGHT_EXPORT int aclopSetAttrListBool(aclopAttr*, const char*, int, const std::uint8_t*) { return kSuccess; }
OPWRIGHT_EXPORT int aclopSetAttrListListInt(aclopAttr*, const char*, int, const int*, const std::int64_t* const*) {
  return kSuccess;
}
