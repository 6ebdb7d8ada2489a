// Kernels on torch's threads, so that torch.set_num_threads() holds for them too.
#pragma once

namespace opwright {

void use_torch_threads();

}  // namespace opwright
