// The three functions of torch_npu that a launch needs: its current stream, and its task queue, which keeps operators
// in order. They are looked up in the loaded torch_npu, so that nothing is linked to it.
#pragma once

#include <c10/core/Device.h>

#include <functional>
#include <string>

namespace opwright::aclnn {

/// The stream of the calling thread as the operator libraries take it.
void* current_stream(c10::DeviceIndex device);

/// Runs `launch`, which returns an aclnn error code, behind what has been enqueued before; perhaps on another thread.
void enqueue(const std::string& name, const std::function<int()>& launch);

}  // namespace opwright::aclnn
