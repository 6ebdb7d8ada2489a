// PyTorch's signature strings: `name.overload(Tensor a, int? b=None, *, Tensor(a!) out) -> (Tensor, Tensor y)`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/document.h"

namespace opwright {

/// Tensor, int, SymInt, float, bool, str, Scalar, ScalarType, Device, Layout, MemoryFormat, Generator, Dimname, ...
/// with the list and optional suffixes as written: `Tensor?[]` is base Tensor, elements optional, a list.
struct SchemaType {
  std::string base;
  bool optional = false;           // `X?` or `X[]?`
  bool list = false;               // `X[]`, `X[2]`
  bool optional_elements = false;  // `X?[]`
  std::optional<int> list_size;    // the 2 of `int[2]`
  std::string alias;               // the `a!` of `Tensor(a!)`; empty when there is none
  bool is(std::string_view name) const { return base == name && !list; }
};

std::string to_string(const SchemaType& type);

struct SchemaArgument {
  SchemaType type;
  std::string name;
  std::optional<std::string> default_value;  // as written
  bool keyword_only = false;
  SourceRange where;
};

struct SchemaReturn {
  SchemaType type;
  std::string name;  // may be empty
  SourceRange where;
};

struct Schema {
  std::string name;      // without overload; empty in the native form, where `operator:` gives it
  std::string overload;  // may be empty
  std::vector<SchemaArgument> arguments;
  std::vector<SchemaReturn> returns;
  SourceRange where;

  const SchemaArgument* find(std::string_view argument) const;
};

/// Parses a scalar node's text. `named` says whether a name stands in front of the arguments.
/// On bad syntax, reports it at its exact place and returns nothing.
std::optional<Schema> parse_schema(const Node& node, bool named, Diagnostics& diagnostics);

/// The schema in PyTorch's own spelling, so that parsing and printing round-trip.
std::string to_string(const Schema& schema);

}  // namespace opwright
