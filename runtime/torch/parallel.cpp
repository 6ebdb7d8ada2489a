#include "runtime/torch/parallel.h"

#include <ATen/Parallel.h>

#include "kernels/parallel.h"

namespace opwright {

void use_torch_threads() {
  set_parallel_for([](std::int64_t n, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& body) {
    at::parallel_for(0, n, grain, body);
  });
}

}  // namespace opwright
