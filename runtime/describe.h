// What inference reads of a view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/checks.h"
#include "runtime/error.h"
#include "runtime/views.h"

namespace opwright {

inline TensorInfo<std::int64_t> describe(const View& view) {
  return {.present = view.present, .dtype = view.dtype, .sizes = view.sizes};
}

/// A dimension of a tensor whose rank is not checked yet; `what` begins the message.
inline std::int64_t size_of(const View& view, const char* what, std::size_t dimension) {
  if (dimension < view.sizes.size()) return view.sizes[dimension];
  throw Error(what + (" must have more than " + std::to_string(dimension)) + " dimensions, got " +
              std::to_string(view.sizes.size()));
}

}  // namespace opwright
