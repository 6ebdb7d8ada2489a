// Errors at the border to torch: opwright::Error becomes c10::Error with exactly the same text.
#pragma once

#include <c10/util/Exception.h>

#include "runtime/error.h"

namespace opwright {

/// Runs the body of a wrapper.
template <class Body>
auto with_torch_errors(Body body) {
  try {
    return body();
  } catch (const Error& error) {
    C10_THROW_ERROR(Error, error.what());
  }
}

}  // namespace opwright
