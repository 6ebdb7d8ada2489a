#include "model/kinds.h"

namespace opwright::model {

std::string_view with_article(Kind kind) {
  switch (kind) {
    case Kind::integer:
      return "an integer";
    case Kind::boolean:
      return "a boolean";
    case Kind::dtype:
      return "a dtype";
    case Kind::shape:
      return "a pack of dimensions";
    case Kind::integers:
      return "a list of integers";
    case Kind::floating:
      return "a floating-point number";
    case Kind::string:
      return "a string";
    case Kind::tensor:
      return "a tensor";
  }
  return "";
}

std::optional<Kind> kind_of(const SchemaType& type) {
  const bool is_integer = type.base == "int" || type.base == "SymInt";
  if (type.optional_elements || !type.alias.empty()) return std::nullopt;
  if (type.list) return is_integer ? std::optional(Kind::integers) : std::nullopt;
  if (is_integer) return Kind::integer;
  if (type.base == "Tensor") return Kind::tensor;
  if (type.base == "bool") return Kind::boolean;
  if (type.base == "float") return Kind::floating;
  if (type.base == "str") return Kind::string;
  if (type.base == "ScalarType") return Kind::dtype;
  return std::nullopt;
}

}  // namespace opwright::model
