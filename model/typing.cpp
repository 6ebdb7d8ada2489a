#include "model/typing.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "model/functions.h"
#include "model/keys.h"
#include "model/kinds.h"

namespace opwright::model {
namespace {

using MaybeKind = std::optional<Kind>;

class Typer {
 public:
  Typer(const Operator& op, Place place, Diagnostics& diagnostics)
      : op_(op), place_(place), diagnostics_(diagnostics) {}

  MaybeKind kind_of(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::integer:
        return Kind::integer;
      case ExprKind::boolean:
        return Kind::boolean;
      case ExprKind::name:
        return kind_of_name(expr);
      case ExprKind::unary:
        return require(*expr.operands[0], expr.text == "not" ? Kind::boolean : Kind::integer);
      case ExprKind::binary:
        return kind_of_binary(expr);
      case ExprKind::conditional:
        return kind_of_conditional(expr);
      case ExprKind::call:
        return kind_of_call(expr);
      case ExprKind::index:
        return kind_of_index(expr);
      case ExprKind::list:
        return kind_of_list(expr);
      case ExprKind::spread:
        return fail(expr, "`*` opens a pack of dimensions, and only in the brackets of a tensor");
    }
    return std::nullopt;
  }

  /// The kind of the expression if it is the wanted one; otherwise that is reported.
  MaybeKind require(const Expr& expr, Kind wanted) {
    const MaybeKind kind = kind_of(expr);
    if (!kind || *kind == wanted) return kind;
    return fail(
        expr, fmt::format("`{}` is {}; {} is needed here", to_string(expr), with_article(*kind), with_article(wanted)),
        conversion(expr, *kind, wanted));
  }

 private:
  MaybeKind fail(const Expr& at, std::string message, std::string help = "") {
    diagnostics_.error(at.where, std::move(message)).help = std::move(help);
    return std::nullopt;
  }

  static std::string conversion(const Expr& expr, Kind kind, Kind wanted) {
    if (wanted != Kind::integer || expr.kind != ExprKind::name) return "";
    const std::string text = to_string(expr);
    switch (kind) {
      case Kind::shape:
        return fmt::format("write `product({})` for the number of elements of the pack", text);
      case Kind::integers:
        return fmt::format("write `{0}[0]` for its first entry or `len({0})` for its length", text);
      case Kind::boolean:
        return fmt::format("write `if {} then 1 else 0`", text);
      case Kind::tensor:
        return fmt::format("write `size({0}, 0)`, `numel({0})` or `rank({0})`", text);
      default:
        return "";
    }
  }

  MaybeKind kind_of_name(const Expr& expr) {
    if (const NamedDim* dim = op_.dim(expr.text)) return dim->pack ? Kind::shape : Kind::integer;
    if (const Argument* argument = op_.argument(expr.text)) {
      if (argument->ignored && place_ == Place::formula && !argument->tensor) {
        return fail(expr, fmt::format("`{}` is `ignored` when absent, so nothing may depend on it", expr.text),
                    fmt::format("say under `absent:` what stands for it: `{}: 0`", expr.text));
      }
      return model::kind_of(argument->schema.type);
    }
    if (op_.result(expr.text) != nullptr) {
      if (place_ != Place::formula) return Kind::tensor;
      return fail(expr, fmt::format("`{}` is a result; dims, rules and sizes speak of arguments", expr.text));
    }
    if (op_.type_set(expr.text) != nullptr)
      return fail(expr, fmt::format("`{}` is a set of dtypes, not a value", expr.text),
                  "write `dtype(x)` for the dtype of x");
    if (dtype_named(expr.text)) {
      return fail(expr, fmt::format("`{}` is a dtype; dtypes are not compared by name", expr.text),
                  "say in the tensor's pattern which dtypes it takes");
    }
    const std::string_view what =
        place_ == Place::formula ? "neither a dimension nor an argument" : "no dimension, argument or result";
    return fail(expr, fmt::format("`{}` is {} of {}", expr.text, what, op_.name), did_you_mean(expr.text, names()));
  }

  MaybeKind kind_of_binary(const Expr& expr) {
    const Expr& left = *expr.operands[0];
    const Expr& right = *expr.operands[1];
    if (expr.text == "or" && is_optional_list(left)) {
      require(left, Kind::integers);
      return require(right, Kind::integers);
    }
    if (expr.text == "and" || expr.text == "or") return both(left, right, Kind::boolean, Kind::boolean);
    if (expr.text == "==" || expr.text == "!=") {
      const MaybeKind left_kind = kind_of(left);
      const MaybeKind right_kind = kind_of(right);
      if (!left_kind || !right_kind) return std::nullopt;
      const bool comparable = *left_kind == Kind::integer || *left_kind == Kind::boolean || *left_kind == Kind::dtype;
      if (*left_kind == *right_kind && comparable) return Kind::boolean;
      return fail(
          expr,
          fmt::format("`{}` compares {} with {}", to_string(expr), with_article(*left_kind), with_article(*right_kind)),
          "compare integers, booleans or dtypes, each with its own kind");
    }
    if (expr.text == "<" || expr.text == "<=" || expr.text == ">" || expr.text == ">=")
      return both(left, right, Kind::integer, Kind::boolean);
    if ((expr.text == "/" || expr.text == "%") && literal(right) == 0) return fail(right, "division by zero");
    return both(left, right, Kind::integer, Kind::integer);
  }

  MaybeKind both(const Expr& left, const Expr& right, Kind operands, Kind result) {
    const MaybeKind left_kind = require(left, operands);
    const MaybeKind right_kind = require(right, operands);
    return left_kind && right_kind ? MaybeKind(result) : std::nullopt;
  }

  bool is_optional_list(const Expr& expr) const {
    const Argument* argument = expr.kind == ExprKind::name ? op_.argument(expr.text) : nullptr;
    return argument != nullptr && argument->schema.type.list && argument->schema.type.optional;
  }

  MaybeKind kind_of_conditional(const Expr& expr) {
    const MaybeKind condition = require(*expr.operands[0], Kind::boolean);
    const MaybeKind then = kind_of(*expr.operands[1]);
    const MaybeKind otherwise = kind_of(*expr.operands[2]);
    if (!condition || !then || !otherwise) return std::nullopt;
    if (*then != *otherwise) {
      return fail(expr, fmt::format("`then` gives {} and `else` {}; both must be of one kind", with_article(*then),
                                    with_article(*otherwise)));
    }
    if (*then == Kind::tensor && place_ != Place::gradient)
      return fail(expr, "tensors may stand behind `if` in gradients only");
    return then;
  }

  MaybeKind kind_of_call(const Expr& expr) {
    const Function* function = find_function(expr.text);
    if (function == nullptr || (function->gradient_only && place_ != Place::gradient)) {
      if (function != nullptr) return fail(expr, fmt::format("`{}` exists in gradients only", expr.text));
      return fail(expr, fmt::format("there is no function `{}`", expr.text),
                  suggest(expr.text, function_names(place_ == Place::gradient)));
    }
    const std::size_t given = expr.operands.size();
    const std::size_t wanted = function->parameters.size();
    if (function->variadic ? given < wanted : given != wanted) {
      return fail(expr,
                  fmt::format("`{}` takes {}{} argument{}, not {}", expr.text, function->variadic ? "at least " : "",
                              wanted, wanted == 1 ? "" : "s", given),
                  fmt::format("write `{}`", function->usage));
    }
    bool good = true;
    for (std::size_t i = 0; i < given; ++i)
      good = require(*expr.operands[i], function->parameters[std::min(i, wanted - 1)]).has_value() && good;
    if (!good || !check_tensor_operand(expr, *function)) return std::nullopt;
    if (expr.text == "ceil_div" && literal(*expr.operands[1]) == 0) return fail(*expr.operands[1], "division by zero");
    return function->result;
  }

  /// `size(x, i)` and its like take the name of a tensor, and some ask more of it.
  bool check_tensor_operand(const Expr& call, const Function& function) {
    if (function.parameters.front() != Kind::tensor) return true;
    const Expr& operand = *call.operands[0];
    if (operand.kind != ExprKind::name) {
      fail(operand, fmt::format("`{}` takes the name of a tensor", call.text),
           fmt::format("write `{}`", function.usage));
      return false;
    }
    const Argument* argument = op_.argument(operand.text);
    if (call.text == "present" && argument != nullptr && !argument->optional_tensor) {
      fail(operand, fmt::format("`{}` is not optional, so it is always present", operand.text));
      return false;
    }
    if (call.text == "grad" && argument != nullptr) {
      fail(operand, fmt::format("`{}` is an argument; `grad` takes a result", operand.text),
           suggest(operand.text, result_names()));
      return false;
    }
    if (call.text == "needs_grad" && argument == nullptr) {
      fail(operand, fmt::format("`{}` is a result; `needs_grad` takes an argument", operand.text));
      return false;
    }
    if (call.text == "size" && argument != nullptr) return check_dimension(*call.operands[1], *argument);
    return true;
  }

  bool check_dimension(const Expr& index, const Argument& argument) {
    const auto number = literal(index);
    if (!number || !argument.tensor) return true;
    const auto& dims = argument.tensor->dims;
    if (std::any_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim.what == Dim::What::pack; })) return true;
    const auto count = static_cast<std::int64_t>(dims.size());
    if (*number < 0 || *number >= count) {
      fail(index,
           fmt::format("`{}` has {} dimension{}, so there is no dimension {}", argument.name(), count,
                       count == 1 ? "" : "s", *number),
           "dimensions are counted from 0");
      return false;
    }
    if (dims[static_cast<std::size_t>(*number)].optional) {
      fail(index, fmt::format("dimension {} of `{}` may be left out", *number, argument.name()),
           fmt::format("write `{}`, which is 1 then", to_string(*dims.back().size.expr)));
      return false;
    }
    return true;
  }

  MaybeKind kind_of_index(const Expr& expr) {
    const Expr& base = *expr.operands[0];
    const Expr& index = *expr.operands[1];
    const MaybeKind base_kind = kind_of(base);
    const MaybeKind index_kind = require(index, Kind::integer);
    if (!base_kind || !index_kind) return std::nullopt;
    if (*base_kind != Kind::integers) {
      return fail(
          base,
          fmt::format("`{}` is {}; only lists of integers have entries", to_string(base), with_article(*base_kind)),
          *base_kind == Kind::tensor ? fmt::format("write `size({}, {})` for a size", to_string(base), to_string(index))
                                     : "");
    }
    const auto number = literal(index);
    const auto length = list_length(base);
    if (number && (*number < 0 || (length && *number >= *length))) {
      return fail(index,
                  length ? fmt::format("`{}` has {} entr{}, so there is no entry {}", to_string(base), *length,
                                       *length == 1 ? "y" : "ies", *number)
                         : fmt::format("there is no entry {}", *number),
                  "entries are counted from 0");
    }
    return Kind::integer;
  }

  std::optional<std::int64_t> list_length(const Expr& list) const {
    if (list.kind == ExprKind::list) return static_cast<std::int64_t>(list.operands.size());
    const Argument* argument = list.kind == ExprKind::name ? op_.argument(list.text) : nullptr;
    if (argument == nullptr || !argument->schema.type.list_size) return std::nullopt;
    return *argument->schema.type.list_size;
  }

  MaybeKind kind_of_list(const Expr& expr) {
    bool good = true;
    for (const ExprPtr& item : expr.operands) good = require(*item, Kind::integer).has_value() && good;
    return good ? MaybeKind(Kind::integers) : std::nullopt;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const NamedDim& dim : op_.dims) names.push_back(dim.name);
    for (const Argument& argument : op_.arguments) names.push_back(argument.name());
    if (place_ != Place::formula) {
      for (const Result& result : op_.results) names.push_back(result.name);
    }
    return names;
  }

  std::vector<std::string> result_names() const {
    std::vector<std::string> names;
    for (const Result& result : op_.results) names.push_back(result.name);
    return names;
  }

  const Operator& op_;
  Place place_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Typed> type_expression(const Operator& op, Place place, const ExprPtr& expr, std::optional<Kind> wanted,
                                     Diagnostics& diagnostics) {
  Typer typer(op, place, diagnostics);
  const MaybeKind kind = wanted ? typer.require(*expr, *wanted) : typer.kind_of(*expr);
  if (!kind) return std::nullopt;
  return Typed{expr, *kind};
}

std::optional<std::int64_t> literal(const Expr& expr) {
  if (expr.kind == ExprKind::integer) return expr.value;
  const bool negated = expr.kind == ExprKind::unary && expr.text == "-" && expr.operands[0]->kind == ExprKind::integer;
  if (negated) return -expr.operands[0]->value;
  return std::nullopt;
}

}  // namespace opwright::model
