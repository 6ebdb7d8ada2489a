// What the entry points of the software NPU are written with.
//
// An operator is called in two phases. Phase one, on the caller's thread, takes the arguments: it wraps and checks them
// and returns an executor. Phase two, perhaps on another thread, computes. Between and after them the client destroys
// its tensor descriptors as it likes, so everything that phase two needs is copied into the executor's `Call`:
//
//     OPWRIGHT_EXPORT int aclnnSwiGluGetWorkspaceSize(const aclTensor* self, std::int64_t dim, aclTensor* result,
//                                                std::uint64_t* workspace_size, aclOpExecutor** executor) {
//       return opwright::softnpu::prepare("aclnnSwiGlu", workspace_size, executor, [&](opwright::softnpu::Call& call) {
//         opwright::ops::npu_swiglu arguments;
//         arguments.self = call.argument(self);
//         ...  // infer: every check, and the result's dtype and sizes
//         arguments.result = call.result(result, "npu_swiglu", "result", dtype, sizes);
//         return [arguments] { opwright::ops::swiglu(arguments); };
//       });
//     }
//     OPWRIGHT_EXPORT int aclnnSwiGlu(void*, std::uint64_t, aclOpExecutor* executor, aclrtStream stream) {
//       return opwright::softnpu::launch(executor, stream);
//     }
//
// Errors: an opwright::Error thrown in phase one becomes an error code, and its text, unchanged, what
// aclGetRecentErrMsg returns; torch_npu raises a RuntimeError with it. One thrown in phase two, which concerns values,
// is told to whoever waits for the stream next, as a device would. Calls need no workspace of the client's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/dtype.h"
#include "runtime/views.h"
#include "softnpu/opapi/objects.h"
#include "softnpu/runtime/report.h"

using aclrtStream = void*;
struct aclOpExecutor;

namespace opwright::softnpu {

/// The dtype of a type code; an Error for codes that a CPU has no kernels for. `what` begins the message.
Dtype dtype_of(int acl_dtype, std::string_view what);

/// One prepared call: owns the sizes, strides and lists that its views and spans point to.
class Call {
 public:
  Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// An argument; a null pointer is an absent optional tensor. `name` is for messages: "npu_swiglu: self".
  View argument(const aclTensor* tensor, std::string_view op, std::string_view name);

  /// A result that inference says is present: an Error unless the client gave a contiguous tensor of this dtype and
  /// these sizes. Memory of another floating-point dtype is taken too, because torch_npu 2.13.0 passes such for
  /// gradients of probs: then the view is memory of ours, and `store_results` rounds it once. For a result that is
  /// absent, leave the view as it is and ignore the client's tensor, which may be a placeholder.
  MutableView result(const aclTensor* tensor, std::string_view op, std::string_view name, Dtype dtype,
                     std::span<const std::int64_t> sizes);

  /// Rounds results to client memory of other dtypes; to be called when all is computed.
  void store_results() const;

  /// A list of integers; a null pointer is an absent list.
  std::optional<std::span<const std::int64_t>> ints(const aclIntArray* array);

  /// A string; a null pointer is the empty string.
  std::string_view text(const char* string);

 private:
  template <class T>
  std::span<const T> copy(const T* values, std::size_t count);

  struct Conversion {
    MutableView from;
    MutableView to;
  };

  std::vector<Conversion> conversions_;
  std::array<std::byte, 1024> inline_memory_;  // enough for most calls, so that they do not allocate
  std::pmr::monotonic_buffer_resource memory_{inline_memory_.data(), inline_memory_.size()};
};

/// The computation that phase two carries out.
using Compute = std::function<void()>;

/// Phase one: runs `plan`, and keeps its Call and what it returns as an executor. `entry_point` must outlive the call
/// (a literal).
__attribute__((visibility("default"))) int prepare(const char* entry_point, std::uint64_t* workspace_size,
                                                   aclOpExecutor** executor, const std::function<Compute(Call&)>& plan);

/// Phase two: carries out the computation and destroys the executor. In dry mode nothing is computed. A failure is the
/// stream's (fail_stream): torch_npu would end its queue for good if launching failed.
__attribute__((visibility("default"))) int launch(aclOpExecutor* executor, aclrtStream stream);

}  // namespace opwright::softnpu
