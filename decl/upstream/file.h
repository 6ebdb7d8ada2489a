// op_plugin_functions.yaml and derivatives.yaml in memory: what stands in them and where, before any law is applied.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/document.h"
#include "decl/schema.h"
#include "decl/upstream/snippet.h"

namespace opwright::upstream {

/// A C++ expression of the file. Without a snippet it is opaque: not understood, and exempt from the laws.
struct Expression {
  SnippetPtr snippet;
  SourceRange where;
};

/// One result of a generated operator: `out: {size: …, dtype: …}`.
struct ResultRule {
  std::string name;
  SourceRange where;
  std::optional<Expression> size;
  std::optional<Expression> dtype;
};

struct NewParameter {
  std::string name;
  SourceRange where;
  Expression value;
};

/// A word with its place.
struct Word {
  std::string text;
  SourceRange where;
};

/// `exec: aclnnX` or `exec: aclnnX, a, b, out`.
struct Exec {
  Word function;
  std::optional<std::vector<Word>> arguments;
};

/// `gen_opapi`: the operator whose C++ upstream generates.
struct Generated {
  std::vector<ResultRule> results;
  std::vector<NewParameter> new_parameters;
  std::optional<Exec> exec;
  std::optional<Word> inherits;  // `structured_inherit`
  SourceRange where;

  const NewParameter* new_parameter(std::string_view name) const;
};

struct Operator {
  Schema schema;
  std::string section;
  std::optional<Generated> generated;
  std::optional<Word> delegate;  // `structured_delegate`
  bool structured = false;       // sizes and dtypes come from ATen's own inference
  SourceRange where;

  std::string name() const;  // with its overload
  /// Neither writes an argument nor an `out`: its results are new tensors.
  bool is_functional() const;
};

struct FunctionsFile {
  std::vector<std::string> versions;
  std::vector<Operator> operators;

  /// The entry of this name that generates code if there is one, otherwise any.
  const Operator* find(std::string_view name_with_overload) const;
  /// By name alone: the functional overload with a `gen_opapi` if there is one.
  const Operator* find_called(std::string_view name) const;
};

/// `a, b: formula` of an entry of derivatives.yaml.
struct Formula {
  std::vector<Word> inputs;
  Expression value;
};

struct Derivative {
  Schema forward;
  std::vector<Formula> formulas;
  std::vector<std::string> output_differentiability;  // as written; empty when it is not given
};

struct DerivativesFile {
  std::vector<std::string> versions;
  std::vector<Derivative> derivatives;
};

/// Reads a file; bad form and bad version ranges (L7) are reported, expressions that are not understood as warnings.
FunctionsFile read_functions(const SourceFilePtr& file, Diagnostics& diagnostics);
DerivativesFile read_derivatives(const SourceFilePtr& file, Diagnostics& diagnostics);

}  // namespace opwright::upstream
