#include "npu/aclnn.h"

#include <ATen/ops/empty.h>
#include <dlfcn.h>

#include "runtime/error.h"

namespace opwright::aclnn {

void require_success(const std::string& function, int status) {
  if (status == 0) return;
  // Of libascendcl, which torch_npu has loaded.
  static const auto message = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "aclGetRecentErrMsg"));
  const char* text = message ? message() : nullptr;
  throw Error(function + " failed with code " + std::to_string(status) + (text ? std::string(": ") + text : ""));
}

at::Tensor workspace(std::uint64_t bytes) {
  if (bytes == 0) return {};
  return at::empty({static_cast<std::int64_t>(bytes)}, at::dtype(at::kByte).device(at::kPrivateUse1));
}

}  // namespace opwright::aclnn
