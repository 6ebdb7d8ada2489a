// What Python calls of libopwright.so. Plain C, because it is called through ctypes: a function that can fail returns
// null, or the text of the error, which stays valid until the thread's next call.
#include <exception>
#include <string>
#include <vector>

#include "runtime/torch/parallel.h"
#include "runtime/torch/registry.h"

#define OPWRIGHT_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using opwright::RegisteredOperator;

/// Never destroyed: at the end of the process the dispatcher may be gone before us.
std::vector<RegisteredOperator>& operators() {
  static auto* const all = [] {
    auto* list = new std::vector<RegisteredOperator>;
    for (const opwright::Registration& registration : opwright::all_operators()) list->emplace_back(registration);
    return list;
  }();
  return *all;
}

template <class Body>
const char* error_of(Body body) {
  thread_local std::string text;
  try {
    body();
    return nullptr;
  } catch (const c10::Error& error) {
    text = error.what_without_backtrace();
  } catch (const std::exception& error) {
    text = error.what();
  }
  return text.c_str();
}

}  // namespace

OPWRIGHT_EXPORT const char* opwright_attach() {
  return error_of([] {
    opwright::use_torch_threads();
    for (RegisteredOperator& op : operators()) op.attach();
  });
}

OPWRIGHT_EXPORT const char* opwright_detach() {
  return error_of([] {
    for (RegisteredOperator& op : operators()) op.detach();
  });
}

OPWRIGHT_EXPORT int opwright_operator_count() { return static_cast<int>(operators().size()); }
OPWRIGHT_EXPORT const char* opwright_operator_name(int i) { return operators().at(i).name(); }
OPWRIGHT_EXPORT const char* opwright_operator_summary(int i) { return operators().at(i).summary(); }
OPWRIGHT_EXPORT const char* opwright_operator_state(int i) { return operators().at(i).state(); }
OPWRIGHT_EXPORT const char* opwright_operator_reason(int i) { return operators().at(i).reason().c_str(); }
OPWRIGHT_EXPORT const char* opwright_override(int i) {
  return error_of([i] { operators().at(i).override_kernels(); });
}
OPWRIGHT_EXPORT const char* opwright_restore(int i) {
  return error_of([i] { operators().at(i).restore(); });
}
