#include "runtime/torch/autograd.h"

#include <ATen/ops/zeros.h>

namespace opwright::autograd {

void refuse_tangent(const char* op, const at::Tensor& tensor) {
  TORCH_CHECK_NOT_IMPLEMENTED(!torch::autograd::isFwGradDefined(tensor), op,
                              ": forward-mode differentiation is not implemented; use reverse mode (backward)");
}

at::Tensor Like::zeros() const {
  return look_ ? at::zeros({}, look_->options).expand_symint(look_->sym_sizes) : at::Tensor();
}

Saved Saved::look(const at::Tensor& tensor) {
  Saved saved;
  saved.look_ = Like(tensor);
  saved.only_look_ = true;
  return saved;
}

at::Tensor Saved::unpack(torch::autograd::Node* node) const {
  if (only_look_) return look_.zeros();
  return variable_.unpack(is_result_ ? node->getptr() : nullptr);
}

variable_list NoGradient::apply(variable_list&&) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, op_, ": has no gradient: ", reason_);
}

}  // namespace opwright::autograd
