// What the simulated device says of itself: its name, its cores, the version of the interface that it speaks.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>

#include "softnpu/runtime/report.h"
#include "softnpu/runtime/settings.h"

using namespace opwright::softnpu;

namespace {

constexpr std::uint32_t kCubeCores = 24;
constexpr std::uint32_t kVectorCores = 48;

/// torch_npu decides by this version which functions it may call. It is newer than every version of CANN that its 2.13
/// release asks for.
constexpr char kInterfaceVersion[] = "9.1.0";
constexpr std::size_t kVersionSize = 128;

/// Kinds of resource that a core limit is asked for.
enum Resource : int { kCubeResource = 0, kVectorResource = 1 };

int core_count(const char* function, int resource, std::uint32_t* value) {
  if (!value || (resource != kCubeResource && resource != kVectorResource))
    return report(kInvalidParameter, std::string(function) + ": unknown resource " + std::to_string(resource));
  *value = resource == kCubeResource ? kCubeCores : kVectorCores;
  return kSuccess;
}

}  // namespace

OPWRIGHT_EXPORT const char* aclrtGetSocName() { return settings().soc.c_str(); }

OPWRIGHT_EXPORT int aclGetDeviceCapability(std::uint32_t /*device*/, int capability, std::int64_t* value) {
  if (!value) return report(kInvalidParameter, "aclGetDeviceCapability: value is null");
  switch (capability) {
    case 0:
      *value = kCubeCores;
      return kSuccess;
    case 1:
      *value = kVectorCores;
      return kSuccess;
    case 2:
      *value = std::int64_t{192} << 20;
      return kSuccess;  // bytes of second-level cache
    default:
      return report(kNotSupported, "aclGetDeviceCapability: unknown capability " + std::to_string(capability));
  }
}

/// An attribute is a feature that may be missing, such as infinities and NaN as IEEE 754 has them. A CPU has those that
/// torch_npu asks for.
OPWRIGHT_EXPORT int aclGetCannAttribute(int /*attribute*/, std::int32_t* value) {
  if (!value) return report(kInvalidParameter, "aclGetCannAttribute: value is null");
  *value = 1;
  return kSuccess;
}
OPWRIGHT_EXPORT int aclGetCannAttributeList(const int** attributes, std::size_t* count) {
  static constexpr int known[] = {0, 1, 2};
  if (!attributes || !count) return report(kInvalidParameter, "aclGetCannAttributeList: no argument may be null");
  *attributes = known;
  *count = std::size(known);
  return kSuccess;
}

OPWRIGHT_EXPORT int aclrtGetDeviceResLimit(std::int32_t /*device*/, int resource, std::uint32_t* value) {
  return core_count("aclrtGetDeviceResLimit", resource, value);
}
OPWRIGHT_EXPORT int aclrtGetStreamResLimit(void* /*stream*/, int resource, std::uint32_t* value) {
  return core_count("aclrtGetStreamResLimit", resource, value);
}
OPWRIGHT_EXPORT int aclrtGetResInCurrentThread(int resource, std::uint32_t* value) {
  return core_count("aclrtGetResInCurrentThread", resource, value);
}
/// Four percentages: all idle, since nothing is measured.
OPWRIGHT_EXPORT int aclrtGetDeviceUtilizationRate(std::int32_t /*device*/, void* utilization) {
  if (!utilization) return report(kInvalidParameter, "aclrtGetDeviceUtilizationRate: utilization is null");
  std::memset(utilization, 0, 4 * sizeof(std::int32_t));
  return kSuccess;
}
/// Sixteen bytes that differ between the devices of a machine and are equal between its processes.
OPWRIGHT_EXPORT int aclrtDeviceGetUuid(std::int32_t device, void* uuid) {
  if (!uuid) return report(kInvalidParameter, "aclrtDeviceGetUuid: uuid is null");
  std::memset(uuid, 0, 16);
  static_cast<std::uint8_t*>(uuid)[15] = static_cast<std::uint8_t>(device);
  return kSuccess;
}

OPWRIGHT_EXPORT int aclsysGetVersionStr(char* /*package*/, char* version) {
  if (!version) return report(kInvalidParameter, "aclsysGetVersionStr: version is null");
  std::snprintf(version, kVersionSize, "%s", kInterfaceVersion);
  return kSuccess;
}
/// The version's text stands at the beginning of the client's struct; its other fields are not read by torch_npu.
OPWRIGHT_EXPORT int aclsysGetCANNVersion(int /*package*/, void* version) {
  if (!version) return report(kInvalidParameter, "aclsysGetCANNVersion: version is null");
  std::snprintf(static_cast<char*>(version), kVersionSize, "%s", kInterfaceVersion);
  return kSuccess;
}
