// What expressions evaluate to when not everything is known: the same values serve proofs (sizes are unknowns),
// counter- examples and samples (sizes are numbers).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "decl/source.h"
#include "model/polynomial.h"
#include "runtime/dtype.h"

namespace opwright::model {

/// There is no value: it would be read off an absent tensor, or divided by zero.
struct Undefined {
  std::string why;           // "`K` is not known without `probs`"
  SourceRange where;         // the part of the expression that cannot be computed
  std::string missing = {};  // the absent tensor, where there is one
  std::string name = {};     // where the part is a name that has no value itself: that name
};

struct Truth {
  std::optional<bool> known;
  std::string text;  // what two unknown ones are compared by
};

struct DtypeValue {
  std::optional<Dtype> known;
  std::string unknown;  // the type set or the argument that decides
  friend bool operator==(const DtypeValue&, const DtypeValue&) = default;
};

/// One dimension, or a pack of unknown length.
struct Extent {
  Polynomial size;
  std::string pack;       // "Z", "halve(Z, dim)"; empty for one dimension
  bool optional = false;  // may be left out
  friend bool operator==(const Extent&, const Extent&) = default;
};

using Shape = std::vector<Extent>;

struct Integers {
  std::optional<std::vector<Polynomial>> items;  // when their number is known
  std::string name;                              // of the argument
};

struct TensorValue {
  bool present = true;
  DtypeValue dtype;
  Shape shape;
};

/// A value that is passed on and never looked into: a float, a string, an absent list.
struct Opaque {};

using Value = std::variant<Undefined, Polynomial, Truth, DtypeValue, Shape, Integers, TensorValue, Opaque>;

/// Names and what they stand for.
using Values = std::map<std::string, Value, std::less<>>;

}  // namespace opwright::model
