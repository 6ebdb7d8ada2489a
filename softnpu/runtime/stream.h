// What a stream's work left behind.
#pragma once

#include <string>

namespace opwright::softnpu {

/// Notes that work of a stream failed. As on a device, whoever waits for the stream next is told; the first failure is
/// kept, and a null stream is the default stream.
__attribute__((visibility("default"))) void fail_stream(const void* stream, int code, std::string message);

}  // namespace opwright::softnpu
