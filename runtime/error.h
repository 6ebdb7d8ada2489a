// The one exception of kernels and generated checks. Each border (torch, aclnn) turns it into its own kind of error.
#pragma once

#include <stdexcept>
#include <string>

namespace opwright {

/// A wrong input. The message names the operator, the argument, what it got, what it takes, and the fix:
///
///     npu_moe_token_unpermute: probs must be [T, K], got 1 dimension [8]; ...
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace opwright
