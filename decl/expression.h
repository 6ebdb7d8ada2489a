// The small total language of declarations: integers, booleans, names, arithmetic, comparisons, `if … then … else …`,
// calls, indexing and lists. Parsing only: what a name means is decided in model/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/document.h"

namespace opwright {

enum class ExprKind {
  integer,      // value
  boolean,      // value 0 or 1
  name,         // text
  unary,        // text: "-", "not"; operands: 1
  binary,       // text: + - * / % == != < <= > >= and or ; "or" between an optional and a list is its default
  conditional,  // operands: condition, then, else
  call,         // text: function; operands: arguments
  index,        // operands: base, index
  list,         // operands: items
  spread,       // `*B`, only inside the dims of a tensor; operands: 1
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  ExprKind kind = ExprKind::integer;
  std::int64_t value = 0;
  std::string text;
  std::vector<ExprPtr> operands;
  SourceRange where;
};

/// Parses the whole text of a scalar node as one expression; on bad syntax reports it at its place and returns null.
/// Nesting is limited to 64.
///
/// Precedence, loosest first: if-then-else, or, and, not, comparisons (not chained), + -, * / %, unary -, call/index.
ExprPtr parse_expression(const Node& node, Diagnostics& diagnostics);

/// A tensor as declarations write it: `D[T, K?]`, `P[*B, k] when present(probs)`, `like probs`, `int32[S]`.
struct TensorPattern {
  std::string dtype;  // a type of `types:`, a dtype's name, or a ScalarType argument; empty for `like`
  SourceRange dtype_where;
  struct Dim {
    ExprPtr size;           // a name, an integer, any integer expression (results), or a spread
    bool optional = false;  // `K?`: a trailing dimension that may be left out; its size is then 1
  };
  std::vector<Dim> dims;
  std::string like;  // the argument that the result looks like
  ExprPtr when;      // the condition of a result that may be absent
  SourceRange where;
};

std::optional<TensorPattern> parse_tensor_pattern(const Node& node, Diagnostics& diagnostics);

/// Prints back to text that parses to the same tree, with no more parentheses than needed.
std::string to_string(const Expr& expr);
std::string to_string(const TensorPattern& pattern);

}  // namespace opwright
