#include "model/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

namespace opwright::model {
namespace {

// The name of a compound unknown. Nested ones double at each step of a chain of dims, so beyond this nothing is known.
constexpr std::size_t max_name = 400;

Polynomial compound(const std::string& function, std::initializer_list<std::string> operands) {
  std::string name = function + "(";
  for (const std::string& operand : operands) name += (name.back() == '(' ? "" : ", ") + operand;
  return name.size() > max_name ? Polynomial::anything() : Polynomial::unknown(name + ")");
}

Truth truth(bool known) { return {known, known ? "true" : "false"}; }

Truth unknown_truth(std::string text) { return {std::nullopt, std::move(text)}; }

/// Division that rounds toward minus infinity, and the remainder that goes with it.
Value divide(const Expr& expr, const Polynomial& left, const Polynomial& right) {
  const auto dividend = left.constant();
  const auto divisor = right.constant();
  if (divisor == 0) return Undefined{"division by zero", expr.where};
  if (divisor == 1) return expr.text == "/" ? left : Polynomial(0);
  if (!dividend || !divisor) return compound(expr.text, {to_string(left), to_string(right)});
  if (*divisor == -1) return expr.text == "/" ? Polynomial(0) - left : Polynomial(0);
  std::int64_t quotient = *dividend / *divisor;
  std::int64_t remainder = *dividend % *divisor;
  if (remainder != 0 && (remainder < 0) != (*divisor < 0)) {
    --quotient;
    remainder += *divisor;
  }
  return Polynomial(expr.text == "/" ? quotient : remainder);
}

Truth compare(const std::string& op, const Polynomial& left, const Polynomial& right) {
  const auto difference = (left - right).constant();
  const auto a = left.constant();
  const auto b = right.constant();
  if (a && b) {
    if (op == "<") return truth(*a < *b);
    if (op == "<=") return truth(*a <= *b);
    if (op == ">") return truth(*a > *b);
    return truth(*a >= *b);
  }
  if (difference == 0) return truth(op == "<=" || op == ">=");
  return unknown_truth(fmt::format("{} {} {}", to_string(left), op, to_string(right)));
}

Truth equal(const Polynomial& left, const Polynomial& right) {
  if (const auto difference = (left - right).constant()) return truth(*difference == 0);
  return unknown_truth(fmt::format("{} == {}", to_string(left), to_string(right)));
}

Truth equal(const DtypeValue& left, const DtypeValue& right) {
  if (left.known && right.known) return truth(*left.known == *right.known);
  if (left == right) return truth(true);
  return unknown_truth(fmt::format("{} == {}", left.known ? name(*left.known) : left.unknown,
                                   right.known ? name(*right.known) : right.unknown));
}

Truth equal(const Truth& left, const Truth& right) {
  if (left.known && right.known) return truth(*left.known == *right.known);
  if (left.text == right.text) return truth(true);
  return unknown_truth(fmt::format("({}) == ({})", left.text, right.text));
}

Truth negate(const Truth& operand) {
  if (operand.known) return truth(!*operand.known);
  return unknown_truth("not (" + operand.text + ")");
}

std::string describe(const Extent& extent) {
  return extent.pack.empty() ? to_string(extent.size) + (extent.optional ? "?" : "") : "*" + extent.pack;
}

class Evaluator {
 public:
  explicit Evaluator(const Values& values) : values_(values) {}

  Value operator()(const Expr& expr) const {
    switch (expr.kind) {
      case ExprKind::integer:
        return Polynomial(expr.value);
      case ExprKind::boolean:
        return truth(expr.value != 0);
      case ExprKind::name:
        return named(expr);
      case ExprKind::unary:
        return unary(expr);
      case ExprKind::binary:
        return binary(expr);
      case ExprKind::conditional:
        return conditional(expr);
      case ExprKind::call:
        return call(expr);
      case ExprKind::index:
        return index(expr);
      case ExprKind::list:
        return list(expr);
      case ExprKind::spread:
        return (*this)(*expr.operands[0]);
    }
    return Opaque{};
  }

 private:
  /// Evaluates an operand; an operand without a value leaves the whole without one.
  template <class T>
  const T* get(const Expr& operand, Value& result) const {
    result = (*this)(operand);
    return std::get_if<T>(&result);
  }

  Value named(const Expr& expr) const {
    const auto found = values_.find(expr.text);
    if (found == values_.end())
      return Undefined{fmt::format("`{}` is not known", expr.text), expr.where, "", expr.text};
    if (const auto* undefined = std::get_if<Undefined>(&found->second))
      return Undefined{undefined->why, expr.where, undefined->missing, expr.text};
    return found->second;
  }

  Value unary(const Expr& expr) const {
    Value operand = (*this)(*expr.operands[0]);
    if (const auto* number = std::get_if<Polynomial>(&operand)) return Polynomial(0) - *number;
    if (const auto* condition = std::get_if<Truth>(&operand)) return negate(*condition);
    return operand;
  }

  Value binary(const Expr& expr) const {
    Value left = (*this)(*expr.operands[0]);
    if (std::holds_alternative<Undefined>(left)) return left;
    if (std::holds_alternative<Opaque>(left) || std::holds_alternative<Integers>(left)) return left;  // `list or [1]`
    const auto* condition = std::get_if<Truth>(&left);
    const bool is_and = expr.text == "and";
    if (condition != nullptr && (is_and || expr.text == "or")) {
      if (condition->known && *condition->known != is_and) return left;
      Value right = (*this)(*expr.operands[1]);
      const auto* other = std::get_if<Truth>(&right);
      if (other == nullptr || condition->known) return right;
      if (other->known) return *other->known == is_and ? left : right;
      return unknown_truth(fmt::format("({}) {} ({})", condition->text, expr.text, other->text));
    }
    Value right = (*this)(*expr.operands[1]);
    if (std::holds_alternative<Undefined>(right)) return right;
    if (expr.text == "==" || expr.text == "!=") {
      const Truth same = equals(left, right);
      return expr.text == "==" ? same : negate(same);
    }
    return arithmetic(expr, std::get<Polynomial>(left), std::get<Polynomial>(right));
  }

  static Truth equals(const Value& left, const Value& right) {
    if (const auto* number = std::get_if<Polynomial>(&left)) return equal(*number, std::get<Polynomial>(right));
    if (const auto* dtype = std::get_if<DtypeValue>(&left)) return equal(*dtype, std::get<DtypeValue>(right));
    return equal(std::get<Truth>(left), std::get<Truth>(right));
  }

  static Value arithmetic(const Expr& expr, const Polynomial& left, const Polynomial& right) {
    if (expr.text == "+") return left + right;
    if (expr.text == "-") return left - right;
    if (expr.text == "*") return left * right;
    if (expr.text == "/" || expr.text == "%") return divide(expr, left, right);
    return compare(expr.text, left, right);
  }

  Value conditional(const Expr& expr) const {
    Value condition;
    const auto* decides = get<Truth>(*expr.operands[0], condition);
    if (decides == nullptr) return condition;
    if (decides->known) return (*this)(*expr.operands[*decides->known ? 1 : 2]);
    Value then = (*this)(*expr.operands[1]);
    Value otherwise = (*this)(*expr.operands[2]);
    if (std::holds_alternative<Undefined>(then)) return then;
    if (std::holds_alternative<Undefined>(otherwise)) return otherwise;
    return either(decides->text, then, otherwise, expr);
  }

  /// One of two values, and it is not known which.
  static Value either(const std::string& condition, const Value& then, const Value& otherwise, const Expr& expr) {
    if (const auto* number = std::get_if<Polynomial>(&then)) {
      const auto& other = std::get<Polynomial>(otherwise);
      return *number == other ? *number : compound("if", {condition, to_string(*number), to_string(other)});
    }
    if (const auto* dtype = std::get_if<DtypeValue>(&then)) {
      if (*dtype == std::get<DtypeValue>(otherwise)) return *dtype;
      return DtypeValue{std::nullopt, to_string(expr)};
    }
    if (const auto* decided = std::get_if<Truth>(&then)) {
      const auto& other = std::get<Truth>(otherwise);
      if (decided->text == other.text) return *decided;
      return unknown_truth(fmt::format("if {} then {} else {}", condition, decided->text, other.text));
    }
    if (const auto* tensor = std::get_if<TensorValue>(&then)) {
      const auto& other = std::get<TensorValue>(otherwise);
      if (tensor->present == other.present && tensor->dtype == other.dtype && tensor->shape == other.shape)
        return *tensor;
      return Undefined{"the tensors behind `then` and `else` differ in dtype, dimensions or presence", expr.where, "",
                       ""};
    }
    return Undefined{"it depends on a condition that is not decided", expr.where};
  }

  Value call(const Expr& expr) const {
    Value first = (*this)(*expr.operands[0]);
    if (std::holds_alternative<Undefined>(first)) return first;
    if (const auto* tensor = std::get_if<TensorValue>(&first)) return of_tensor(expr, *tensor);
    if (const auto* shape = std::get_if<Shape>(&first))
      return expr.text == "product" ? product(*shape) : halve(expr, *shape);
    if (const auto* list = std::get_if<Integers>(&first)) return length(*list);
    Polynomial folded = std::get<Polynomial>(first);
    for (std::size_t i = 1; i < expr.operands.size(); ++i) {
      Value value;
      const auto* operand = get<Polynomial>(*expr.operands[i], value);
      if (operand == nullptr) return value;
      Value next = two_integers(expr, folded, *operand);
      if (!std::holds_alternative<Polynomial>(next)) return next;
      folded = std::get<Polynomial>(next);
    }
    return folded;
  }

  static Value two_integers(const Expr& expr, const Polynomial& left, const Polynomial& right) {
    const auto a = left.constant();
    const auto b = right.constant();
    if (expr.text == "ceil_div") {
      if (b == 0) return Undefined{"division by zero", expr.where};
      if (b == 1) return left;
      if (!a || !b || *b < 0) return compound("ceil_div", {to_string(left), to_string(right)});
      return Polynomial(*a / *b + (*a % *b > 0 ? 1 : 0));
    }
    if (left == right) return left;
    if (a && b) return Polynomial(expr.text == "min" ? std::min(*a, *b) : std::max(*a, *b));
    return compound(expr.text, {to_string(left), to_string(right)});
  }

  Value of_tensor(const Expr& expr, const TensorValue& tensor) const {
    const std::string& function = expr.text;
    if (function == "present") return truth(tensor.present);
    if (function == "like" || function == "grad") return tensor;  // a gradient looks like what it is the gradient of
    if (function == "needs_grad") return tensor.present ? unknown_truth(to_string(expr)) : truth(false);
    if (!tensor.present) {
      const std::string name = to_string(*expr.operands[0]);
      return Undefined{fmt::format("there is no `{}` to read from", name), expr.where, name, ""};
    }
    if (function == "dtype") return tensor.dtype;
    if (function == "numel") return product(tensor.shape);
    if (function == "rank") return rank(tensor.shape);
    Value value;
    const auto* dimension = get<Polynomial>(*expr.operands[1], value);
    if (dimension == nullptr) return value;
    return size(expr, tensor.shape, *dimension);
  }

  static Value rank(const Shape& shape) {
    Polynomial count;
    for (const Extent& extent : shape) {
      if (extent.pack.empty() && !extent.optional) {
        count = count + 1;
      } else {
        count = count + compound("rank", {describe(extent)});
      }
    }
    return count;
  }

  static Value size(const Expr& expr, const Shape& shape, const Polynomial& dimension) {
    const bool has_pack =
        std::any_of(shape.begin(), shape.end(), [](const Extent& extent) { return !extent.pack.empty(); });
    const auto number = dimension.constant();
    if (!number || has_pack) return compound("size", {to_string(shape), to_string(dimension)});
    if (*number < 0 || *number >= static_cast<std::int64_t>(shape.size()))
      return Undefined{fmt::format("`{}` has no dimension {}", to_string(*expr.operands[0]), *number), expr.where, "",
                       ""};
    return shape[static_cast<std::size_t>(*number)].size;
  }

  static Value product(const Shape& shape) {
    Polynomial result = 1;
    for (const Extent& extent : shape)
      result = result * (extent.pack.empty() ? extent.size : compound("product", {extent.pack}));
    return result;
  }

  Value halve(const Expr& expr, const Shape& shape) const {
    Value value;
    const auto* dimension = get<Polynomial>(*expr.operands[1], value);
    if (dimension == nullptr) return value;
    const bool has_pack =
        std::any_of(shape.begin(), shape.end(), [](const Extent& extent) { return !extent.pack.empty(); });
    const auto number = dimension->constant();
    if (!number || has_pack)
      return Shape{{0, fmt::format("halve({}, {})", to_string(shape), to_string(*dimension)), false}};
    const auto count = static_cast<std::int64_t>(shape.size());
    if (*number < -count || *number >= count)
      return Undefined{fmt::format("there is no dimension {} to halve", *number), expr.where};
    Shape halved = shape;
    Extent& extent = halved[static_cast<std::size_t>(*number < 0 ? *number + count : *number)];
    if (const auto whole = extent.size.constant()) {
      if (*whole % 2 != 0) return Undefined{fmt::format("a dimension of size {} cannot be halved", *whole), expr.where};
      extent.size = *whole / 2;
    } else {
      extent.size = compound("half", {to_string(extent.size)});
    }
    return halved;
  }

  static Value length(const Integers& list) {
    if (list.items) return Polynomial(static_cast<std::int64_t>(list.items->size()));
    return compound("len", {list.name});
  }

  Value index(const Expr& expr) const {
    Value base;
    const auto* list = get<Integers>(*expr.operands[0], base);
    if (list == nullptr) return base;
    Value at;
    const auto* position = get<Polynomial>(*expr.operands[1], at);
    if (position == nullptr) return at;
    const auto number = position->constant();
    if (!list->items || !number) return Polynomial::unknown(fmt::format("{}[{}]", list->name, to_string(*position)));
    if (*number < 0 || *number >= static_cast<std::int64_t>(list->items->size()))
      return Undefined{fmt::format("`{}` has no entry {}", to_string(*expr.operands[0]), *number), expr.where};
    return (*list->items)[static_cast<std::size_t>(*number)];
  }

  Value list(const Expr& expr) const {
    Integers list{.items = std::vector<Polynomial>{}, .name = to_string(expr)};
    for (const ExprPtr& operand : expr.operands) {
      Value value;
      const auto* item = get<Polynomial>(*operand, value);
      if (item == nullptr) return value;
      list.items->push_back(*item);
    }
    return list;
  }

  const Values& values_;
};

}  // namespace

Value evaluate(const Expr& expr, const Values& values) { return Evaluator(values)(expr); }

std::variant<Undefined, Shape> evaluate_shape(const TensorRule& rule, const Values& values) {
  Shape shape;
  for (const Dim& dim : rule.dims) {
    const Value value = evaluate(*dim.size.expr, values);
    if (const auto* undefined = std::get_if<Undefined>(&value)) return *undefined;
    if (const auto* pack = std::get_if<Shape>(&value)) {
      shape.insert(shape.end(), pack->begin(), pack->end());
    } else {
      shape.push_back({std::get<Polynomial>(value), "", dim.optional});
    }
  }
  return shape;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (const Extent& extent : shape) text += (text.size() > 1 ? ", " : "") + describe(extent);
  return text + "]";
}

}  // namespace opwright::model
