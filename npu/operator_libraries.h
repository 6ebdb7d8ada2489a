// The libraries that hold aclnn functions, searched in the order in which torch_npu searches them.
#pragma once

namespace opwright::aclnn {

/// The address of a function, or null. Thread-safe; libraries are opened once and stay open.
void* find_function(const char* name);

/// The same for a function without which nothing works; throws Error that names it and where it was looked for.
void* require_function(const char* name);

template <class Signature>
Signature* require_function(const char* name) {
  return reinterpret_cast<Signature*>(require_function(name));
}

}  // namespace opwright::aclnn
