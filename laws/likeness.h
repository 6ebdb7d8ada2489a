// The one question behind law L1: do two tensors look alike, in every call?
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "laws/laws.h"
#include "model/cases.h"

namespace opwright::laws {

/// Two tensors as they are in one case; or nothing, where there is nothing to compare; or why they cannot be told.
struct Pair {
  model::TensorValue gradient;
  model::TensorValue input;
};
using Compared = std::variant<Pair, std::monostate, model::Undefined>;

/// Computes the pair from a case of an operator and what is known of its unknowns.
using Tensors = std::function<Compared(const model::Case&, const model::Known&)>;

enum class Aspect { presence, dtype, dimensions };

/// Sizes and dtypes, allowed by all rules, with which the two differ.
struct CounterExample {
  model::Known known;
  Pair pair;
};

struct Finding {
  Verdict verdict = Verdict::proved;
  Aspect aspect = Aspect::presence;  // in which they differ, or may differ
  model::Case which;                 // the case in which they do
  Compared symbolic;                 // how they are there, over unknown sizes and dtypes
  std::optional<CounterExample> example;
  std::string why;  // undecided: what is in the way
};

/// Proves that the tensors look alike in every case that the rules of `op` allow, over all sizes and dtypes; or finds a
/// counter-example by trying small sizes and mixed dtypes; or gives up.
Finding compare(const model::Operator& op, const Tensors& tensors);

}  // namespace opwright::laws
