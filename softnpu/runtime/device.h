// Which device a thread works on.
#pragma once

namespace opwright::softnpu {

/// The calling thread's device, or -1 before it has chosen one.
int current_device();

}  // namespace opwright::softnpu
