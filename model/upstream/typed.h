// An expression of upstream's YAML with types: what a snippet means, without its C++ spelling.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "decl/source.h"
#include "model/upstream/type.h"
#include "runtime/upstream/scalar_type.h"

namespace opwright::upstream {

struct Function;

enum class Operation {
  argument,     // of the schema; text: its name
  parameter,    // an earlier one of new_params; text: its name
  literal,      // boolean, int8, int32, integer, real, string or dtype; text, number, real_number or dtype
  absent,       // `nullptr`, `std::nullopt`
  convert,      // of operands[0] to `type`: `(int64_t)x`, a tensor used as its sizes or dtype, integers used as sizes
  has_value,    // of an optional
  value,        // of an optional; an error where it is absent
  value_or,     // operands: the optional, what else
  size,         // operands: tensor, dimension
  sizes,        // of a tensor
  dim,          // of a tensor
  numel,        // of a tensor
  dtype,        // of a tensor
  transpose,    // operands: tensor, dimension, dimension
  minimum,      // of two numbers
  maximum,      // of two numbers
  absolute,     // of a number
  length,       // of a list
  element,      // operands: list, index
  list,         // of sizes or integers
  negate,       // unary minus
  not_,         // unary !
  arithmetic,   // text: + - * / %
  compare,      // text: == != < <= > >=
  both,         // &&
  either,       // ||
  conditional,  // operands: condition, then, else
  call,         // of `function`
  sequence,     // operands are evaluated in order; the value of the last
};

struct Typed;
using TypedPtr = std::shared_ptr<const Typed>;

struct Typed {
  Operation operation = Operation::literal;
  Type type;
  std::vector<TypedPtr> operands;
  std::string text;
  std::int64_t number = 0;
  double real_number = 0;
  ScalarType dtype = ScalarType::Undefined;
  const Function* function = nullptr;
  SourceRange where;
};

}  // namespace opwright::upstream
