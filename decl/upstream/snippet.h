// The C++ expressions of upstream's YAML: `size:`, `dtype:`, `new_params:` and the formulas of derivatives. The subset
// that stands there (names, members, calls, `?:`, arithmetic, initialiser lists, casts), parsed without knowing any
// name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/document.h"

namespace opwright::upstream {

enum class SnippetKind {
  name,         // text, with its qualifiers and template arguments: `at::kFloat`, `c10::SmallVector<int64_t, SIZE>`
  number,       // text as written: `8L`, `1e-5`
  string,       // text as written, quotes included
  unary,        // text: ! -
  binary,       // text: * / % + - < <= > >= == != && ||
  conditional,  // operands: condition, then, else
  call,         // operands: what is called, arguments
  member,       // text: the member; operands: 1
  arrow,        // `x->y`, as member
  index,        // operands: base, index
  list,         // `{a, b}`
  construct,    // `T{a, b}`; text: the type
  cast,         // `(int64_t)x`; text: the type
  sequence,     // `(a, b, c)`: the value of the last
};

struct Snippet;
using SnippetPtr = std::shared_ptr<const Snippet>;

struct Snippet {
  SnippetKind kind = SnippetKind::name;
  std::string text;
  std::vector<SnippetPtr> operands;
  SourceRange where;
};

/// Parses a scalar's whole text; reports what it does not understand and returns null. Nesting is limited to 64.
SnippetPtr parse_snippet(const Node& node, Diagnostics& diagnostics);

/// Prints back to text that parses to the same tree, with no more parentheses than needed.
std::string to_string(const Snippet& snippet);

/// A name without its namespaces and template arguments: `get` of `std::get<0>`.
std::string_view unqualified(std::string_view name);

/// The unqualified name called by `f(…)`, and empty for any other snippet.
std::string called_function(const Snippet& snippet);

/// The member called by `x.m(…)` or `x->m(…)`, and empty for any other snippet.
std::string called_member(const Snippet& snippet);

}  // namespace opwright::upstream
