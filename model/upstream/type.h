// The types of upstream's expressions.
#pragma once

#include <string>

#include "decl/schema.h"

namespace opwright::upstream {

enum class Kind {
  boolean,
  int8,     // `int8_t`
  int32,    // `int`: a literal without `L`
  integer,  // `int64_t`: an attribute, never symbolic
  size,     // a number of elements along a dimension; symbolic under Meta
  real32,   // `float`
  real,     // `double`
  string,
  dtype,   // at::ScalarType
  scalar,  // at::Scalar
  tensor,
  tensors,           // Tensor[]
  optional_tensors,  // Tensor?[]
  integers,          // int[]: never symbolic
  sizes,             // SymInt[], and the sizes of a tensor
  sizes_list,        // several results' sizes: `x[0]`, `std::get<0>(x)`
  booleans,          // bool[3]
  reals,             // float[]
  scalars,           // Scalar[]
  other,             // Generator, MemoryFormat, Layout, Device, …: handed on, never looked into
};

struct Type {
  Kind kind = Kind::other;
  bool optional = false;
  friend bool operator==(const Type&, const Type&) = default;
};

/// Of an argument of a schema.
Type type_of(const SchemaType& type);

/// As messages say it: "an optional tensor", "sizes".
std::string to_string(const Type& type);

}  // namespace opwright::upstream
