#include "runtime/torch/registry.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

namespace opwright {
namespace {

using c10::DispatchKey;

torch::Library library(torch::Library::Kind kind, std::optional<DispatchKey> key) {
  return torch::Library(kind, "npu", key, __FILE__, __LINE__);
}

/// A type's text with `SymInt` for `int`: torch_npu's releases differ in which of the two they write.
std::string text_of(const c10::TypePtr& real_type) {
  std::string text = real_type->str();
  for (std::size_t at = text.find("SymInt"); at != std::string::npos; at = text.find("SymInt", at)) {
    text.replace(at, 6, "int");
  }
  return text;
}

/// How an existing schema differs from the declared one; empty where a kernel of the latter can serve the former. Names
/// of arguments may differ: torch_npu writes `input` where the declaration says `self`.
std::string difference(const c10::FunctionSchema& existing, const c10::FunctionSchema& declared) {
  const auto compare = [&](const std::vector<c10::Argument>& theirs, const std::vector<c10::Argument>& ours,
                           const char* what) -> std::string {
    if (theirs.size() != ours.size()) {
      return "it has " + std::to_string(theirs.size()) + " " + what + "s, the declaration " +
             std::to_string(ours.size());
    }
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const std::string their_type = text_of(theirs[i].real_type());
      const std::string our_type = text_of(ours[i].real_type());
      if (their_type != our_type) {
        return std::string(what) + " " + std::to_string(i) + " is " + their_type + ", in the declaration " + our_type;
      }
    }
    return "";
  };
  const std::string text = compare(existing.arguments(), declared.arguments(), "argument");
  return text.empty() ? compare(existing.returns(), declared.returns(), "result") : text;
}

/// torch warns when a kernel is put in front of another. Here that is the very purpose.
struct NoWarnings final : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

}  // namespace

const char* RegisteredOperator::state() const {
  if (!overriding_.empty()) return "overridden";
  if (definition_) return "defined by Opwright";
  if (!kernels_.empty()) return "attached to the schema of torch_npu";
  return reason_.empty() ? "not attached" : "left out";
}

void RegisteredOperator::attach() {
  if (definition_ || !kernels_.empty()) return;
  reason_.clear();
  const auto existing = c10::Dispatcher::singleton().findSchema({"npu::" + std::string(name()), ""});
  if (existing) {
    attach_as_guest(*existing);
  } else {
    define();
  }
  if (!entry_) {
    // A fallthrough under a key that no tensor has: it is never called.
    entry_ = library(torch::Library::IMPL, DispatchKey::FPGA);
    entry_->impl(name(), torch::CppFunction::makeFallthrough());
  }
}

void RegisteredOperator::define() {
  auto definition = library(torch::Library::FRAGMENT, std::nullopt);
  definition.def(registration_.schema, {at::Tag::pt2_compliant_tag});
  definition_ = std::move(definition);
  add(kernels_, DispatchKey::CPU, registration_.cpu());
  add(kernels_, DispatchKey::Meta, registration_.meta());
  add(kernels_, DispatchKey::AutogradCPU, registration_.autograd());
  add(kernels_, DispatchKey::AutogradMeta, registration_.autograd());
  if (registration_.npu) {
    add(kernels_, DispatchKey::PrivateUse1, registration_.npu());
    add(kernels_, DispatchKey::AutogradPrivateUse1, registration_.autograd());
  }
}

void RegisteredOperator::attach_as_guest(const c10::OperatorHandle& op) {
  reason_ = difference(op.schema(), torch::jit::parseSchema(registration_.schema));
  if (!reason_.empty()) {
    reason_ = "the schema of torch_npu differs: " + reason_;
    return;
  }
  if (op.hasKernelForDispatchKey(DispatchKey::CPU)) {
    reason_ = "another library already serves it on CPU";
    return;
  }
  add(kernels_, DispatchKey::CPU, registration_.cpu());
  const auto add_missing = [&](DispatchKey key, torch::CppFunction (*kernel)()) {
    if (!op.hasKernelForDispatchKey(key)) add(kernels_, key, kernel());
  };
  add_missing(DispatchKey::AutogradCPU, registration_.autograd);
  add_missing(DispatchKey::Meta, registration_.meta);
}

void RegisteredOperator::detach() {
  overriding_.clear();
  kernels_.clear();
  definition_.reset();
}

void RegisteredOperator::override_kernels() {
  attach();
  TORCH_CHECK(reason_.empty(), "npu::", name(), " cannot be overridden: ", reason_);
  if (definition_ || !overriding_.empty()) return;
  NoWarnings handler;
  const c10::WarningUtils::WarningHandlerGuard guard(&handler);
  add(overriding_, DispatchKey::Meta, registration_.meta());
  if (registration_.npu) {
    add(overriding_, DispatchKey::PrivateUse1, registration_.npu());
    add(overriding_, DispatchKey::AutogradPrivateUse1, registration_.autograd());
  }
}

void RegisteredOperator::restore() { overriding_.clear(); }

void RegisteredOperator::add(std::vector<torch::Library>& kernels, DispatchKey key, torch::CppFunction kernel) {
  kernels.push_back(library(torch::Library::IMPL, key));
  kernels.back().impl(name(), std::move(kernel));
}

}  // namespace opwright
