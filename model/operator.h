// The checked declaration in memory. Immutable; everything that is emitted is read from here and from nowhere else.
//
// An operator is built once from a document (model/load.h), with names resolved and expressions typed, and then only
// read: by the laws, which prove it, and by the emitters, which print it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "decl/expression.h"
#include "decl/schema.h"
#include "decl/source.h"
#include "runtime/dtype.h"

namespace opwright::model {

/// A named set of dtypes, `D: [float32, bfloat16]`. Equal wherever the letter recurs in one operator.
struct TypeSet {
  std::string name;
  std::vector<Dtype> members;
  SourceRange where;
};

/// What kind of value an expression has.
enum class Kind { integer, boolean, dtype, shape, integers, floating, string, tensor };

/// An expression with its kind. Names in `expr` are dims, packs, or arguments; all of them exist.
struct Typed {
  ExprPtr expr;
  Kind kind = Kind::integer;
};

/// Where a tensor's dtype comes from.
struct DtypeRule {
  enum class From { type_set, fixed, argument } from = From::fixed;
  std::string name;  // the type set, or the ScalarType argument
  Dtype fixed = Dtype::float32;
  SourceRange where;
};

/// One dimension of a tensor.
struct Dim {
  enum class What { size, pack } what = What::size;
  Typed size;             // size: an integer; pack: a shape, without its star (`B`, `halve(Z, dim)`)
  bool optional = false;  // `K?`
};

/// What a tensor must look like (argument) or looks like (result).
struct TensorRule {
  DtypeRule dtype;
  std::vector<Dim> dims;
  SourceRange where;
};

/// A schema argument together with what the declaration says of it.
struct Argument {
  SchemaArgument schema;
  std::optional<TensorRule> tensor;  // for Tensor and Tensor?
  bool optional_tensor = false;
  /// For `int?`, `float?`, `bool?`, `ScalarType?`: the value that stands for absence. For optional tensors: none.
  std::optional<Typed> when_absent;
  bool ignored = false;     // `absent: {x: ignored}`, or an argument that no kernel reads
  bool only_sizes = false;  // kernels read its sizes and dtype, but none of its values
  /// For `Tensor?`: what dims are when it is absent, in the order of the file.
  std::vector<std::pair<std::string, Typed>> dims_when_absent;
  SourceRange absent_where;

  const std::string& name() const { return schema.name; }
};

struct Result {
  std::string name;
  TensorRule tensor;
  std::string like;           // written as `like x`; tensor and when are then those of x
  std::optional<Typed> when;  // present only when this holds; always present otherwise
  SourceRange where;
};

/// A named size. Bound by the first required argument that names it (where there is none, by the first optional one
/// that is present), or defined by a formula of `dims:`.
struct NamedDim {
  std::string name;
  bool pack = false;
  std::optional<Typed> formula;  // of `dims:`
  std::string bound_by;          // that argument, if no formula defines it
  int bound_at = -1;             // the dimension of that argument; counted from the end, as -1, -2, ..., behind a pack
  /// Has a value in every call (with formulas and `absent:` taken into account), so kernels and results may use it.
  bool always_known = false;
  SourceRange where;
};

/// A numbered condition on dims, types and attributes.
struct Rule {
  std::string name;  // "C1"
  Typed require;
  std::string fix;  // how to satisfy it, for the message; may be empty
  SourceRange where;
};

/// `gradient:` of a forward operator.
struct Gradient {
  enum class Form { by, through, none } form = Form::none;
  std::vector<std::string> of;                  // arguments; result i of the gradient operator belongs to of[i]
  std::vector<std::string> not_differentiable;  // results
  std::string op;  // by: the gradient operator; through: the operator that autograd calls instead
  /// by: one for each argument of `op`, in its order. Beside the ordinary language: a tensor's name, `grad(result)`,
  /// `like(tensor)` (right dtype and sizes, no values), `needs_grad(tensor)` in conditions, `dtype(tensor)`, dims.
  std::vector<ExprPtr> arguments;
  std::string reason;  // none: why there is no gradient
  SourceRange where;
};

/// `npu: aclnnX(a, N, restore_shape or [1], result)`
struct NpuBinding {
  std::string function;  // "aclnnMoeTokenPermute"
  std::vector<Typed> arguments;
  SourceRange where;
};

/// One line of `sample:`: how to make a valid value, for tests, plans and documentation.
struct SampleValue {
  std::string name;    // an argument
  std::string recipe;  // normal, uniform, booleans, permutation, "integers below 4", "two true a row"; or a literal
  SourceRange where;
};

struct Sample {
  /// Every dim without a formula; those that the file leaves out follow from the rules.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> dims;  // one number, or the sizes of a pack
  std::vector<SampleValue> values;
};

struct Operator {
  std::string name;    // "npu_moe_token_permute"
  std::string family;  // the folder: "moe"
  std::string stem;    // the file without folder and ending: "token_permute"
  std::string path;    // the file, relative to the declarations' root: "moe/token_permute.yaml"
  std::string summary;
  std::string notes;
  Schema schema;  // schema.name is filled in
  std::vector<TypeSet> types;
  std::vector<Argument> arguments;  // in schema order
  std::vector<Result> results;      // in schema order
  std::vector<NamedDim> dims;       // in an order in which each can be computed
  std::vector<Rule> rules;
  std::optional<Gradient> gradient;
  /// result -> argument of this operator whose gradient it is
  std::vector<std::pair<std::string, std::string>> gradient_of;
  std::string cpu_kernel;
  SourceRange cpu_kernel_where;
  std::optional<NpuBinding> npu;
  Sample sample;
  SourceRange where;  // of the `operator:` value

  const Argument* argument(std::string_view name) const;
  const Result* result(std::string_view name) const;
  const NamedDim* dim(std::string_view name) const;
  const TypeSet* type_set(std::string_view name) const;
};

/// All operators of one run, sorted by path and then as in the file, with a look-up by name.
struct Library {
  std::vector<Operator> operators;
  const Operator* find(std::string_view name) const;
};

}  // namespace opwright::model
