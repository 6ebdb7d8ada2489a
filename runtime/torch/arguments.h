// Scalars and lists at the border to torch.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/core/SymInt.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstdint>
#include <optional>
#include <span>

#include "runtime/dtype.h"

namespace opwright {

/// A SymInt where tensors have data, so that it is a number.
inline std::int64_t number(const c10::SymInt& value) { return value.guard_int(__FILE__, __LINE__); }
inline std::optional<std::int64_t> number(const std::optional<c10::SymInt>& value) {
  return value ? std::optional(number(*value)) : std::nullopt;
}

inline std::span<const std::int64_t> ints(c10::IntArrayRef list) { return {list.data(), list.size()}; }
inline std::optional<std::span<const std::int64_t>> optional_ints(c10::OptionalIntArrayRef list) {
  return list ? std::optional(ints(*list)) : std::nullopt;
}

/// Throws Error where declarations have no name for the dtype.
Dtype dtype_argument(const char* op, const char* argument, c10::ScalarType type);

}  // namespace opwright
