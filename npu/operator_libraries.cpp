#include "npu/operator_libraries.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/error.h"

namespace opwright::aclnn {
namespace {

/// Custom operators come first: that is what the variable is for.
std::vector<std::string> library_names() {
  std::vector<std::string> names;
  if (const char* folders = std::getenv("ASCEND_CUSTOM_OPP_PATH")) {
    const std::string text = folders;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(':', begin), text.size());
      if (end > begin) names.push_back(text.substr(begin, end - begin) + "/op_api/lib/libcust_opapi.so");
      begin = end + 1;
    }
  }
  for (const char* name : {"libopapi.so", "libaclnn_ops_infer.so", "libaclnn_ops_train.so", "libaclnn_math.so",
                           "libaclnn_sparse.so", "libaclnn_fft.so", "libaclnn_rand.so"}) {
    names.emplace_back(name);
  }
  return names;
}

const std::vector<void*>& libraries() {
  static const std::vector<void*> open = [] {
    std::vector<void*> handles;
    for (const std::string& name : library_names()) {
      if (void* handle = dlopen(name.c_str(), RTLD_LAZY)) handles.push_back(handle);
    }
    return handles;
  }();
  return open;
}

}  // namespace

void* find_function(const char* name) {
  for (void* library : libraries()) {
    if (void* address = dlsym(library, name)) return address;
  }
  return nullptr;
}

void* require_function(const char* name) {
  if (void* address = find_function(name)) return address;
  std::string searched;
  for (const std::string& library : library_names()) searched += (searched.empty() ? "" : ", ") + library;
  throw Error(std::string(name) + " is in none of the operator libraries (" + searched +
              "); install a CANN that has it, or the software NPU");
}

}  // namespace opwright::aclnn
