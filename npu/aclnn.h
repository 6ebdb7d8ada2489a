// A call of an aclnn function on the calling thread's stream: `function(x, k, result)`.
//
// Phase one, here: arguments are converted and the library plans. Phase two, behind torch_npu's task queue: it
// launches.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "npu/arguments.h"
#include "npu/operator_libraries.h"
#include "npu/torch_npu.h"

struct aclOpExecutor;

namespace opwright::aclnn {

/// Throws Error with the library's own words if `status` is not success.
void require_success(const std::string& function, int status);

/// Memory that a launch works in, on the current device.
at::Tensor workspace(std::uint64_t bytes);

class Function {
 public:
  /// `name` without `GetWorkspaceSize`. Throws Error where no operator library has it.
  explicit Function(const char* name)
      : name_(name),
        plan_(require_function((name_ + "GetWorkspaceSize").c_str())),
        launch_(require_function<Launch>(name)) {}

  template <class... Arguments>
  void operator()(const Arguments&... arguments) const {
    call(std::make_tuple(convert(arguments)...), std::index_sequence_for<Arguments...>());
  }

 private:
  using Launch = int(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, void* stream);

  template <class... Converted, std::size_t... I>
  void call(std::tuple<Converted...> arguments, std::index_sequence<I...>) const {
    using Plan = int(decltype(pass(std::declval<const Converted&>()))..., std::uint64_t*, aclOpExecutor**);
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    require_success(name_, reinterpret_cast<Plan*>(plan_)(pass(std::get<I>(arguments))..., &bytes, &executor));
    // Memory is reused in stream order, so the queue needs to keep only descriptions, and the workspace until then.
    const at::Tensor memory = workspace(bytes);
    enqueue(name_, [launch = launch_, name = name_, arguments = std::move(arguments), memory, bytes, executor,
                    stream = current_stream(/*device=*/-1)] {
      const int status = launch(bytes > 0 ? memory.mutable_data_ptr() : nullptr, bytes, executor, stream);
      require_success(name, status);
      return status;
    });
  }

  std::string name_;
  void* plan_;
  Launch* launch_;
};

}  // namespace opwright::aclnn
