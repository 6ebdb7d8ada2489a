// An operator while it is read: each step below reads one part of the document and may use what earlier steps read.
//
// A step reports what is wrong and goes on, so that one run shows every error. A part with an error stays out of the
// draft; what depends on it is then left unread rather than reported a second time.
#pragma once

#include <set>
#include <string>

#include "decl/document.h"
#include "model/operator.h"
#include "model/typing.h"

namespace opwright::model {

struct Draft {
  Operator op;
  const Node& document;
  Diagnostics& diagnostics;
  /// The schema was read and every name in it is known, so names can be judged.
  bool schema_read = false;
  /// Errors in all before this operator was begun.
  int earlier_errors = 0;
  /// Argument patterns and `dims:` were read without error, so that unknown dims are errors of those who name them.
  bool dims_read = false;

  /// The parts of the document, where they are there and of the right form.
  const Node* mapping(std::string_view key) const;
  const Node* scalar(std::string_view key) const;

  bool is_faultless() const { return diagnostics.error_count() == earlier_errors; }
  Diagnostic& error(const SourceRange& where, std::string message) {
    return diagnostics.error(where, std::move(message));
  }
  std::optional<Typed> type(Place place, const ExprPtr& expr, std::optional<Kind> wanted) {
    return type_expression(op, place, expr, wanted, diagnostics);
  }
  /// Parses and types a scalar node.
  std::optional<Typed> expression(Place place, const Node& node, std::optional<Kind> wanted);

  std::vector<std::string> argument_names() const;
  std::vector<std::string> tensor_names() const;
  std::vector<std::string> result_names() const;
};

void read_head(Draft&);       // operator, summary, notes, schema
void read_types(Draft&);      // types
void read_arguments(Draft&);  // arguments and dims: tensor patterns, named dims, formulas
void read_absent(Draft&);     // absent
void read_results(Draft&);    // results
void read_rules(Draft&);      // rules
void read_gradient(Draft&);   // gradient and gradient_of, as far as this operator alone tells
void read_kernels(Draft&);    // kernels
void read_sample(Draft&);     // sample

/// The dtype rule of a pattern: a type set, a ScalarType argument or a dtype.
std::optional<DtypeRule> read_dtype_rule(Draft&, const TensorPattern& pattern);

/// Puts the dims into an order in which each can be computed, and finds out which are known in every call. Reports
/// cycles and dims that no argument gives.
void order_dims(Draft&);

}  // namespace opwright::model
