#include "emit/cpp_types.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <vector>

#include "emit/code_writer.h"

namespace opwright::emit {
namespace {

/// One line of the table below: a type of schemas and its spelling in each place, without optionality.
struct Spelling {
  std::string_view schema;
  std::string_view field;
  std::string_view inference;
  std::string_view torch;
  std::string_view member;
  std::string_view entry_point;
};

constexpr Spelling spellings[] = {
    {"Tensor", "View", "TensorInfo<Int>", "at::Tensor", "Saved", "const aclTensor*"},
    {"int", "std::int64_t", "Int", "std::int64_t", "std::int64_t", "std::int64_t"},
    {"SymInt", "std::int64_t", "Int", "c10::SymInt", "c10::SymInt", "std::int64_t"},
    {"float", "double", "double", "double", "double", "double"},
    {"bool", "bool", "bool", "bool", "bool", "bool"},
    {"str", "std::string_view", "std::string_view", "std::string_view", "std::string", "const char*"},
    {"ScalarType", "Dtype", "Dtype", "at::ScalarType", "at::ScalarType", "int"},
    {"int[]", "std::span<const std::int64_t>", "std::span<const std::int64_t>", "at::IntArrayRef",
     "std::vector<std::int64_t>", "const aclIntArray*"},
};

const Spelling& spelling(const SchemaType& type) {
  const std::string name = type.base + (type.list ? "[]" : "");
  for (const Spelling& line : spellings) {
    if (line.schema == name) return line;
  }
  throw std::logic_error("arguments of type " + name + " have no C++ spelling; the model refuses them");
}

std::string optional(std::string_view type, bool is_optional) {
  return is_optional ? fmt::format("std::optional<{}>", type) : std::string(type);
}

}  // namespace

std::string field_type(const model::Argument& argument) {
  const SchemaType& type = argument.schema.type;
  const bool may_be_absent = type.optional && !argument.when_absent && !type.is("Tensor");
  return optional(spelling(type).field, may_be_absent);
}

std::string inference_type(const model::Argument& argument) {
  const SchemaType& type = argument.schema.type;
  // An absent tensor says so itself.
  const std::string value = optional(spelling(type).inference, type.optional && !type.is("Tensor"));
  const bool by_value = !type.list && (type.is("bool") || type.is("float") || type.is("str") || type.is("ScalarType"));
  return by_value || type.list ? value : "const " + value + "&";
}

std::string torch_type(const SchemaType& type) {
  if (type.list && type.optional) return "at::OptionalIntArrayRef";
  const std::string value = optional(spelling(type).torch, type.optional);
  return type.is("Tensor") ? "const " + value + "&" : value;
}

std::string torch_result_type(const model::Operator& op) {
  if (op.results.size() == 1) return "at::Tensor";
  return "std::tuple<" + join(std::vector<std::string>(op.results.size(), "at::Tensor")) + ">";
}

std::string member_type(const SchemaType& type) {
  return optional(spelling(type).member, type.optional && !type.is("Tensor"));
}

std::string entry_point_type(const SchemaType& type) { return std::string(spelling(type).entry_point); }

std::string spelled(Dtype dtype) {
  return dtype == Dtype::bool_ ? "Dtype::bool_" : fmt::format("Dtype::{}", name(dtype));
}

}  // namespace opwright::emit
