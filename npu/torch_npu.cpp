#include "npu/torch_npu.h"

#include <c10/core/Stream.h>
#include <dlfcn.h>

#include "runtime/error.h"

namespace opwright::aclnn {
namespace {

/// Laid out and returned as torch_npu's class of this name: one c10::Stream, and a destructor of its own.
class NPUStream {
 public:
  ~NPUStream() {}

 private:
  c10::Stream stream_;
};

void* require_symbol(const char* mangled) {
  // torch_npu is a Python extension, so its symbols are not global; but its library is loaded under this name.
  static void* const library = dlopen("libtorch_npu.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) throw Error("torch_npu is not loaded; import torch_npu to use tensors on an NPU");
  if (void* address = dlsym(library, mangled)) return address;
  throw Error(std::string(mangled) + " is not in this release of torch_npu; Opwright supports 2.13.0");
}

}  // namespace

void* current_stream(c10::DeviceIndex device) {
  // c10_npu::getCurrentNPUStream(c10::DeviceIndex)
  static const auto get_stream =
      reinterpret_cast<NPUStream (*)(c10::DeviceIndex)>(require_symbol("_ZN7c10_npu19getCurrentNPUStreamEa"));
  // c10_npu::NPUStream::stream(bool wait_for_queue) const
  static const auto stream_of =
      reinterpret_cast<void* (*)(const NPUStream*, bool)>(require_symbol("_ZNK7c10_npu9NPUStream6streamEb"));
  const NPUStream stream = get_stream(device);
  return stream_of(&stream, false);
}

void enqueue(const std::string& name, const std::function<int()>& launch) {
  // at_npu::native::OpCommand::RunOpApiV2(const std::string&, const std::function<int()>&, bool sync)
  static const auto run = reinterpret_cast<void (*)(const std::string&, const std::function<int()>&, bool)>(
      require_symbol("_ZN6at_npu6native9OpCommand10RunOpApiV2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERK"
                     "St8functionIFivEEb"));
  run(name, launch, false);
}

}  // namespace opwright::aclnn
