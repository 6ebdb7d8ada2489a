// Which types C++ takes where others are wanted, in upstream's expressions.
#pragma once

#include <optional>

#include "model/upstream/typed.h"

namespace opwright::upstream {

bool is_number(const Type& type);

/// A node for an operation whose operands stand at `where`.
TypedPtr make_typed(Operation operation, Type type, std::vector<TypedPtr> operands, const SourceRange& where,
                    std::string text = {});

/// How far an expression is from being of type `to`: 0 where it is, nothing where C++ would not convert.
std::optional<int> conversion_cost(const Typed& expression, const Type& to);

/// The expression as `to`; null where C++ would not convert.
TypedPtr converted(const TypedPtr& expression, const Type& to);

/// The type of `condition ? a : b`, and of `a + b` among numbers.
std::optional<Type> common_type(const Type& a, const Type& b);

}  // namespace opwright::upstream
