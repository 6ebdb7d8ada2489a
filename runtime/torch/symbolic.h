// Inference over torch's symbolic integers. A required relation between symbolic sizes becomes a guard or a run-time
// assertion on that relation; no size is ever replaced by a number.
#pragma once

#include <c10/core/SymBool.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

#include "runtime/integer.h"

namespace opwright {

template <>
struct Integer<c10::SymInt> {
  static std::optional<std::int64_t> number(const c10::SymInt& value) { return value.maybe_as_int(); }
  static std::string text(const c10::SymInt& value) {
    std::ostringstream text;
    text << value;
    return text.str();
  }
  static bool expect_eq(const c10::SymInt& a, const c10::SymInt& b) { return expect(a.sym_eq(b)); }
  static bool expect_ne(const c10::SymInt& a, const c10::SymInt& b) { return expect(a.sym_ne(b)); }
  static bool expect_lt(const c10::SymInt& a, const c10::SymInt& b) { return expect(a.sym_lt(b)); }
  static bool expect_le(const c10::SymInt& a, const c10::SymInt& b) { return expect(a.sym_le(b)); }
  /// Not by comparison: a symbolic minimum stays one expression, and no case is chosen.
  static c10::SymInt minimum(const c10::SymInt& a, const c10::SymInt& b) { return a.min(b); }
  static c10::SymInt maximum(const c10::SymInt& a, const c10::SymInt& b) { return a.max(b); }

 private:
  static bool expect(const c10::SymBool& condition) { return condition.expect_true(__FILE__, __LINE__); }
};

}  // namespace opwright
