#include "model/upstream/conversions.h"

#include <utility>

namespace opwright::upstream {
namespace {

/// Numbers in the order in which C++ promotes them.
std::optional<int> rank_of(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return 0;
    case Kind::int8:
      return 1;
    case Kind::int32:
      return 2;
    case Kind::integer:
      return 3;
    case Kind::size:
      return 4;
    case Kind::real32:
      return 5;
    case Kind::real:
      return 6;
    default:
      return std::nullopt;
  }
}

std::optional<int> kind_cost(Kind from, Kind to) {
  if (from == to) return 0;
  const auto from_rank = rank_of(from);
  const auto to_rank = rank_of(to);
  if (from_rank && to_rank) return *from_rank < *to_rank ? *to_rank - *from_rank : 10 + *from_rank - *to_rank;
  if (to == Kind::scalar && from_rank) return 5;
  // A list is made of one number, as at::ArrayRef is.
  if (to == Kind::integers && (from == Kind::int32 || from == Kind::integer)) return 3;
  if (from == Kind::integers && to == Kind::sizes) return 1;
  if (from == Kind::sizes && to == Kind::integers) return 2;
  if (from == Kind::tensors && to == Kind::optional_tensors) return 1;
  return std::nullopt;
}

}  // namespace

bool is_number(const Type& type) { return !type.optional && rank_of(type.kind).has_value(); }

TypedPtr make_typed(Operation operation, Type type, std::vector<TypedPtr> operands, const SourceRange& where,
                    std::string text) {
  Typed typed;
  typed.operation = operation;
  typed.type = type;
  typed.operands = std::move(operands);
  typed.text = std::move(text);
  typed.where = where;
  return std::make_shared<const Typed>(std::move(typed));
}

std::optional<int> conversion_cost(const Typed& expression, const Type& to) {
  if (expression.operation == Operation::absent && to.optional) return 0;
  const Type& from = expression.type;
  if (from.optional && !to.optional) return std::nullopt;
  const std::optional<int> cost = kind_cost(from.kind, to.kind);
  if (!cost) return std::nullopt;
  return *cost + (from.optional == to.optional ? 0 : 1);
}

TypedPtr converted(const TypedPtr& expression, const Type& to) {
  if (expression->operation == Operation::absent && to.optional) {
    return make_typed(Operation::absent, to, {}, expression->where);
  }
  const std::optional<int> cost = conversion_cost(*expression, to);
  if (!cost) return nullptr;
  return *cost == 0 ? expression : make_typed(Operation::convert, to, {expression}, expression->where);
}

std::optional<Type> common_type(const Type& a, const Type& b) {
  if (a == b) return a;
  if (a.kind == Kind::other || b.kind == Kind::other) return std::nullopt;
  const Type optional_a{a.kind, a.optional || b.optional};
  const Type optional_b{b.kind, a.optional || b.optional};
  const auto a_to_b = kind_cost(a.kind, b.kind);
  const auto b_to_a = kind_cost(b.kind, a.kind);
  if (!a_to_b && !b_to_a) return std::nullopt;
  if (!b_to_a) return optional_b;
  if (!a_to_b) return optional_a;
  return *a_to_b <= *b_to_a ? optional_b : optional_a;
}

}  // namespace opwright::upstream
