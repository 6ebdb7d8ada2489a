// Threads for kernels. The host (torch, or the software NPU) provides them; the result never depends on how many.
#pragma once

#include <cstdint>
#include <functional>

namespace opwright {

/// Runs body(begin, end) over disjoint pieces that cover [0, n). Pieces hold at least `grain` items where n allows.
/// Rethrows the first exception of a piece after all pieces have ended. May run everything on the calling thread.
void parallel_for(std::int64_t n, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& body);

/// How parallel_for is carried out: by the host's threads, or, with null and at first, by one small pool of
/// std::thread. Set once, when a library is loaded.
using ParallelFor = void (*)(std::int64_t n, std::int64_t grain,
                             const std::function<void(std::int64_t, std::int64_t)>& body);
void set_parallel_for(ParallelFor implementation);

}  // namespace opwright
