// The hand-written half of generated autograd: a node of the graph, and what it keeps of the forward call.
//
// A node of our own, because torch::autograd::Function does not work under torch.func.grad and costs a microsecond even
// when nothing requires a gradient.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace opwright::autograd {

using torch::autograd::variable_list;

/// An operator, to be called through the dispatcher.
template <class Signature>
c10::TypedOperatorHandle<Signature> handle(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

inline at::Tensor tensor_or_undefined(const std::optional<at::Tensor>& tensor) { return tensor.value_or(at::Tensor()); }

/// An undefined tensor as the absent argument that it is.
inline std::optional<at::Tensor> optional_tensor(at::Tensor tensor) {
  return tensor.defined() ? std::optional(std::move(tensor)) : std::nullopt;
}

/// A kept `int[]?` as an argument.
inline at::OptionalIntArrayRef optional_list(const std::optional<std::vector<std::int64_t>>& list) {
  return list ? at::OptionalIntArrayRef(*list) : std::nullopt;
}

/// A list as a node keeps it.
inline std::vector<std::int64_t> kept(at::IntArrayRef list) { return list.vec(); }
inline std::optional<std::vector<std::int64_t>> kept(at::OptionalIntArrayRef list) {
  return list ? std::optional(list->vec()) : std::nullopt;
}

inline bool present(const std::optional<at::Tensor>& tensor) { return tensor && tensor->defined(); }

inline bool needs_grad(const at::Tensor& tensor) { return tensor.defined() && tensor.requires_grad(); }
inline bool needs_grad(const std::optional<at::Tensor>& tensor) { return tensor && needs_grad(*tensor); }

/// Whether a call needs a node at all.
template <class... Tensors>
bool records(const Tensors&... tensors) {
  return at::GradMode::is_enabled() && (needs_grad(tensors) || ...);
}

/// Throws when a tensor carries a forward-mode tangent, which would be lost silently.
void refuse_tangent(const char* op, const at::Tensor& tensor);
inline void refuse_tangent(const char* op, const std::optional<at::Tensor>& tensor) {
  if (tensor) refuse_tangent(op, *tensor);
}
template <class... Tensors>
void refuse_tangents(const char* op, const Tensors&... tensors) {
  (refuse_tangent(op, tensors), ...);
}

/// The sizes, dtype and device of a tensor. Nothing of its memory is kept.
class Like {
 public:
  Like() = default;
  explicit Like(const at::Tensor& tensor) {
    if (tensor.defined()) look_ = torch::autograd::TypeAndSize(tensor);
  }

  /// A tensor that looks like it: one zero, expanded. Absent like an absent one.
  at::Tensor zeros() const;
  /// A gradient of it; where none came, zeros.
  at::Tensor grad_or_zeros(const at::Tensor& grad) const { return grad.defined() ? grad : zeros(); }

 private:
  std::optional<torch::autograd::TypeAndSize> look_;
};

/// A tensor of the forward call that its gradient is computed from.
class Saved {
 public:
  Saved() = default;
  /// With its values. A result of the node's own call is unpacked with the node.
  static Saved argument(const at::Tensor& tensor) { return Saved({tensor, false}, false); }
  static Saved result(const at::Tensor& tensor) { return Saved({tensor, true}, true); }
  /// Without values: only sizes, dtype and device are read by the gradient.
  static Saved look(const at::Tensor& tensor);

  at::Tensor unpack(torch::autograd::Node* node) const;
  void release() { variable_.reset_data(); }

 private:
  Saved(torch::autograd::SavedVariable variable, bool is_result)
      : variable_(std::move(variable)), is_result_(is_result) {}

  torch::autograd::SavedVariable variable_;
  bool is_result_ = false;
  Like look_;  // where no values are kept
  bool only_look_ = false;
};

/// Base of generated nodes. `Derived` has `op`, its operator's name; `saved()`, a tuple of references to the tensors
/// that it keeps; and `backward(grads)`, which computes gradients from gradients.
template <class Derived>
class Node : public torch::autograd::Node {
 public:
  variable_list apply(variable_list&& grads) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const at::Tensor& grad : grads) {
      if (grad.defined()) return static_cast<Derived*>(this)->backward(grads);
    }
    return variable_list(num_outputs());
  }
  std::string name() const override { return std::string(Derived::op) + "_backward"; }
  void release_variables() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::apply([](auto&... tensor) { (tensor.release(), ...); }, static_cast<Derived*>(this)->saved());
  }
};

/// A node whose edges lead to the arguments.
template <class Derived, class... Tensors>
c10::intrusive_ptr<Derived> make_node(const Tensors&... arguments) {
  auto node = c10::make_intrusive<Derived>();
  node->set_next_edges(torch::autograd::collect_next_edges(arguments...));
  return node;
}

/// Makes `node` the history of the results, in the order of the gradients that it takes.
template <class... Tensors>
void set_history(const c10::intrusive_ptr<torch::autograd::Node>& node, const Tensors&... results) {
  (torch::autograd::set_history(results, node), ...);
}

/// The node of an operator that has no gradient, and says why when one is asked for.
class NoGradient final : public torch::autograd::Node {
 public:
  void explain(const char* op, const char* reason) {
    op_ = op;
    reason_ = reason;
  }
  variable_list apply(variable_list&& grads) override;
  std::string name() const override { return std::string(op_) + "_has_no_gradient"; }

 private:
  const char* op_ = "";
  const char* reason_ = "";
};

}  // namespace opwright::autograd
