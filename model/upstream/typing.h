// From snippets to typed expressions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "decl/upstream/snippet.h"
#include "model/upstream/typed.h"

namespace opwright::upstream {

/// What the names of an expression are.
struct Scope {
  std::map<std::string, Type, std::less<>> arguments;
  std::map<std::string, Type, std::less<>> parameters;  // the earlier ones of new_params
};

/// Why a snippet has no type, at the smallest part of it that has none.
struct Untyped {
  std::string why;  // one sentence without full stop: "`foo` is no function that has a rule"
  SourceRange where;
};

struct TypingResult {
  TypedPtr typed;  // null where `untyped` says why
  Untyped untyped;
};

TypingResult type_snippet(const Snippet& snippet, const Scope& scope);

/// As the value of `size:` or `dtype:`, where a tensor stands for its own.
TypingResult type_size(const Snippet& snippet, const Scope& scope);
TypingResult type_dtype(const Snippet& snippet, const Scope& scope);

}  // namespace opwright::upstream
