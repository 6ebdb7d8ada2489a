#include "model/upstream/type.h"

#include <array>
#include <string_view>

namespace opwright::upstream {
namespace {

struct Entry {
  std::string_view base;
  Kind one;
  Kind list;
};

constexpr std::array<Entry, 7> kTable = {{
    {"Tensor", Kind::tensor, Kind::tensors},
    {"int", Kind::integer, Kind::integers},
    {"SymInt", Kind::size, Kind::sizes},
    {"float", Kind::real, Kind::reals},
    {"bool", Kind::boolean, Kind::booleans},
    {"Scalar", Kind::scalar, Kind::scalars},
    {"str", Kind::string, Kind::other},
}};

std::string_view text_of(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "a boolean";
    case Kind::int8:
      return "an 8-bit integer";
    case Kind::int32:
      return "a 32-bit integer";
    case Kind::integer:
      return "an integer";
    case Kind::size:
      return "a size";
    case Kind::real32:
      return "a 32-bit real number";
    case Kind::real:
      return "a real number";
    case Kind::string:
      return "a string";
    case Kind::dtype:
      return "a dtype";
    case Kind::scalar:
      return "a scalar";
    case Kind::tensor:
      return "a tensor";
    case Kind::tensors:
      return "a list of tensors";
    case Kind::optional_tensors:
      return "a list of optional tensors";
    case Kind::integers:
      return "a list of integers";
    case Kind::sizes:
      return "sizes";
    case Kind::sizes_list:
      return "several sizes";
    case Kind::booleans:
      return "a list of booleans";
    case Kind::reals:
      return "a list of real numbers";
    case Kind::scalars:
      return "a list of scalars";
    case Kind::other:
      return "something that no rule looks into";
  }
  return "";
}

}  // namespace

Type type_of(const SchemaType& type) {
  if (type.base == "ScalarType" && !type.list) return {Kind::dtype, type.optional};
  if (type.base == "Tensor" && type.optional_elements) return {Kind::optional_tensors, type.optional};
  for (const Entry& entry : kTable) {
    if (entry.base == type.base) return {type.list ? entry.list : entry.one, type.optional};
  }
  return {Kind::other, type.optional};
}

std::string to_string(const Type& type) {
  const std::string text(text_of(type.kind));
  return type.optional ? text + " that may be absent" : text;
}

}  // namespace opwright::upstream
