// libacl_op_compiler.so: options of the operator compiler are kept; operators that would have to be compiled (aclop)
// are refused by name.
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "softnpu/runtime/report.h"
#include "softnpu/runtime/stream.h"

using namespace opwright::softnpu;

namespace {

class Options {
 public:
  void set(int option, std::string value) {
    const std::lock_guard lock(mutex_);
    values_[option] = std::move(value);
  }
  std::string get(int option) {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(option);
    return found == values_.end() ? "disable" : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::string> values_;
};

Options& options() {
  static Options options;
  return options;
}

std::string refusal(const char* op) {
  return std::string("the software NPU has no aclop operators, and ") + op + " is one";
}

}  // namespace

OPWRIGHT_EXPORT int aclSetCompileopt(int option, const char* value) {
  options().set(option, value ? value : "");
  return kSuccess;
}
OPWRIGHT_EXPORT std::size_t aclGetCompileoptSize(int option) { return options().get(option).size() + 1; }
OPWRIGHT_EXPORT int aclGetCompileopt(int option, char* value, std::size_t room) {
  const std::string kept = options().get(option);
  if (!value || room <= kept.size()) return report(kInvalidParameter, "aclGetCompileopt: the value does not fit");
  std::memcpy(value, kept.c_str(), kept.size() + 1);
  return kSuccess;
}

/// A failure of the stream, as torch_npu would end its queue for good if launching failed.
OPWRIGHT_EXPORT int aclopCompileAndExecute(const char* op, int /*inputs*/, void* /*input_descriptors*/,
                                           void* /*input_buffers*/, int /*outputs*/, void* /*output_descriptors*/,
                                           void* /*output_buffers*/, const void* /*attributes*/, int /*engine*/,
                                           int /*compile*/, const char* /*path*/, const void* stream) {
  fail_stream(stream, kNotSupported, refusal(op));
  return kSuccess;
}
/// Returns when the operator has run and the sizes of its outputs are known, so failing cannot wait. The arguments
/// behind the operator's name are of no interest to a refusal.
OPWRIGHT_EXPORT int aclopCompileAndExecuteV2(const char* op, ...) { return report(kNotSupported, refusal(op)); }

OPWRIGHT_EXPORT int aclrtCtxSetSysParamOpt(int, std::int64_t) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtSetSysParamOpt(int, std::int64_t) { return kSuccess; }
OPWRIGHT_EXPORT int aclrtGetSysParamOpt(int, std::int64_t* value) {
  if (!value) return report(kInvalidParameter, "aclrtGetSysParamOpt: value is null");
  *value = 0;
  return kSuccess;
}
