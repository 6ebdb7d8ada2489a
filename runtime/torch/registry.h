// Operators in torch's dispatcher, beside torch_npu or alone.
//
// The name `npu` belongs to torch_npu. Where it has defined an operator we are its guest: our CPU kernel and autograd
// attach to the existing schema. Where it has not, we define the operator. When torch_npu is imported later, our
// definitions make room for its own. Everything happens in calls, never in static initialisers, whose exceptions would
// end the process.
#pragma once

#include <torch/library.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace opwright {

/// One operator as generated code hands it over. Makers, because a kernel object can be registered once only.
struct Registration {
  const char* name;
  const char* summary;
  const char* schema;  // with the name in front
  torch::CppFunction (*cpu)();
  torch::CppFunction (*meta)();
  torch::CppFunction (*npu)();  // null where the declaration has no `npu:` kernel
  torch::CppFunction (*autograd)();
};

/// The operators of all families; the definition is generated.
std::vector<Registration> all_operators();

class RegisteredOperator {
 public:
  explicit RegisteredOperator(const Registration& registration) : registration_(registration) {}

  const char* name() const { return registration_.name; }
  const char* summary() const { return registration_.summary; }
  /// "defined by Opwright", "attached to the schema of torch_npu", "overridden", "left out", or "not attached".
  const char* state() const;
  /// Why it was left out; empty otherwise.
  const std::string& reason() const { return reason_; }

  /// Defines the operator, or attaches to the definition that is there. Does nothing the second time.
  void attach();
  /// Drops definition and kernels, so that torch_npu can define the operator. The dispatcher keeps its entry, because
  /// Python and C++ hold handles of it.
  void detach();
  /// Puts our Meta, NPU wrapper and autograd in front of those that are there, until `restore`.
  void override_kernels();
  void restore();

 private:
  void define();
  void attach_as_guest(const c10::OperatorHandle& op);
  void add(std::vector<torch::Library>& kernels, c10::DispatchKey key, torch::CppFunction kernel);

  Registration registration_;
  std::optional<torch::Library> entry_;  // keeps the dispatcher's entry alive while nobody defines the operator
  std::optional<torch::Library> definition_;
  std::vector<torch::Library> kernels_;
  std::vector<torch::Library> overriding_;
  std::string reason_;
};

}  // namespace opwright
