#include "model/upstream/evaluate.h"

#include <cmath>
#include <utility>

#include "model/upstream/functions.h"

namespace opwright::upstream {
namespace {

[[noreturn]] void throw_absent(const Typed& expression) {
  const std::string what = expression.text.empty() ? "an optional argument" : "`" + expression.text + "`";
  throw Error(what + " is absent, and is read all the same");
}

bool is_absent(const Value& value) { return std::holds_alternative<Absent>(value); }

double as_real(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return static_cast<double>(std::get<std::int64_t>(value));
}

std::int64_t as_integer(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  const auto* real = std::get_if<double>(&value);
  if (!real) return std::get<std::int64_t>(value);
  if (!(std::abs(*real) < 9.2e18)) throw Error("a real number does not fit into 64 bits");
  return static_cast<std::int64_t>(*real);
}

Scalar as_scalar(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return {Scalar::Kind::boolean, *flag ? 1.0 : 0.0};
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return {Scalar::Kind::integer, static_cast<double>(*integer)};
  }
  return {Scalar::Kind::floating, std::get<double>(value)};
}

Value convert(const Value& value, const Type& from, const Type& to) {
  if (is_absent(value) || from.kind == to.kind) return value;
  switch (to.kind) {
    case Kind::boolean:
      return as_real(value) != 0;
    case Kind::int8:
      return static_cast<std::int64_t>(static_cast<std::int8_t>(as_integer(value)));
    case Kind::int32:
      return static_cast<std::int64_t>(static_cast<std::int32_t>(as_integer(value)));
    case Kind::integer:
    case Kind::size:
      return as_integer(value);
    case Kind::real32:
      return static_cast<double>(static_cast<float>(as_real(value)));
    case Kind::real:
      return as_real(value);
    case Kind::scalar:
      return as_scalar(value);
    case Kind::optional_tensors: {
      const auto& tensors = std::get<std::vector<ConcreteTensor>>(value);
      return std::vector<std::optional<ConcreteTensor>>(tensors.begin(), tensors.end());
    }
    case Kind::integers:
      return from.kind == Kind::sizes ? value : ConcreteSizes{as_integer(value)};
    default:
      return value;  // integers and sizes are one
  }
}

template <class Items>
Value item_of(const Items& items, std::int64_t index) {
  const auto count = static_cast<std::int64_t>(items.size());
  if (index < 0 || index >= count) {
    throw Error("a list of " + std::to_string(count) + " has no element " + std::to_string(index));
  }
  using Item = std::decay_t<decltype(*items.begin())>;
  const Item item = items[static_cast<std::size_t>(index)];
  if constexpr (std::is_same_v<Item, std::optional<ConcreteTensor>>) {
    return item ? Value(*item) : Value(Absent());
  } else {
    return item;
  }
}

template <class Number>
bool compared(std::string_view sign, const Number& a, const Number& b) {
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  return a >= b;
}

/// As C++ computes it, except that what C++ leaves undefined is an Error.
std::int64_t computed(char sign, std::int64_t a, std::int64_t b) {
  switch (sign) {
    case '+':
      return plus(a, b);
    case '-':
      return minus(a, b);
    case '*':
      return times(a, b);
    default:
      break;
  }
  if (b == 0) throw Error(std::to_string(a) + " " + sign + " 0 divides by zero");
  if (b == -1) return sign == '/' ? minus(std::int64_t{0}, a) : 0;
  return sign == '/' ? a / b : a % b;
}

double computed(char sign, double a, double b) {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      return a / b;
  }
}

class Evaluator {
 public:
  explicit Evaluator(const Call& call) : call_(call) {}

  Value evaluate(const Typed& expression) const {
    const auto operand = [&](std::size_t i) { return evaluate(*expression.operands[i]); };
    const auto integer = [&](std::size_t i) { return std::get<std::int64_t>(operand(i)); };
    switch (expression.operation) {
      case Operation::argument:
      case Operation::parameter:
        return named(expression.text);
      case Operation::literal:
        return literal(expression);
      case Operation::absent:
        return Absent();
      case Operation::convert:
        return convert(operand(0), expression.operands[0]->type, expression.type);
      case Operation::has_value:
        return !is_absent(operand(0));
      case Operation::value: {
        Value value = operand(0);
        if (is_absent(value)) throw_absent(*expression.operands[0]);
        return value;
      }
      case Operation::value_or: {
        Value value = operand(0);
        return is_absent(value) ? operand(1) : value;
      }
      case Operation::size:
        return tensor(operand(0)).size(integer(1));
      case Operation::sizes:
        return tensor(operand(0)).sizes();
      case Operation::dim:
        return tensor(operand(0)).dim();
      case Operation::numel:
        return tensor(operand(0)).numel();
      case Operation::dtype:
        return tensor(operand(0)).scalar_type();
      case Operation::transpose:
        return transposed(tensor(operand(0)), integer(1), integer(2));
      case Operation::minimum:
        return number(expression, operand(0), operand(1), true);
      case Operation::maximum:
        return number(expression, operand(0), operand(1), false);
      case Operation::absolute:
        return absolute(operand(0));
      case Operation::length:
        return length(operand(0));
      case Operation::element:
        return element(operand(0), integer(1));
      case Operation::list:
        return list(expression);
      case Operation::negate: {
        const Value value = operand(0);
        if (const auto* real = std::get_if<double>(&value)) return -*real;
        return minus(std::int64_t{0}, as_integer(value));
      }
      case Operation::not_:
        return !std::get<bool>(operand(0));
      case Operation::arithmetic:
        return arithmetic(expression.text.front(), operand(0), operand(1));
      case Operation::compare:
        return comparison(expression.text, operand(0), operand(1));
      case Operation::both:
        return std::get<bool>(operand(0)) && std::get<bool>(operand(1));
      case Operation::either:
        return std::get<bool>(operand(0)) || std::get<bool>(operand(1));
      case Operation::conditional:
        return operand(std::get<bool>(operand(0)) ? 1 : 2);
      case Operation::call:
        return called(expression);
      case Operation::sequence: {
        for (std::size_t i = 0; i + 1 < expression.operands.size(); ++i) operand(i);
        return operand(expression.operands.size() - 1);
      }
    }
    return Absent();
  }

 private:
  const Value& named(const std::string& name) const {
    const auto found = call_.values.find(name);
    if (found == call_.values.end()) throw Error("`" + name + "` has no value");
    return found->second;
  }

  static ConcreteTensor tensor(Value value) {
    if (is_absent(value)) throw Error("an absent tensor is read");
    return std::get<ConcreteTensor>(std::move(value));
  }

  static Value literal(const Typed& expression) {
    switch (expression.type.kind) {
      case Kind::boolean:
        return expression.number != 0;
      case Kind::string:
        return expression.text;
      case Kind::dtype:
        return expression.dtype;
      case Kind::real32:
      case Kind::real:
        return expression.real_number;
      default:
        return expression.number;
    }
  }

  static ConcreteTensor transposed(ConcreteTensor tensor, std::int64_t first, std::int64_t second) {
    tensor.size(first);  // both dimensions exist
    tensor.size(second);
    const auto at = [&](std::int64_t d) -> std::int64_t& {
      return tensor.shape[static_cast<std::size_t>(d < 0 ? d + tensor.dim() : d)];
    };
    std::swap(at(first), at(second));
    return tensor;
  }

  static Value number(const Typed& expression, const Value& a, const Value& b, bool smaller) {
    if (expression.type.kind == Kind::real || expression.type.kind == Kind::real32) {
      return smaller ? std::min(as_real(a), as_real(b)) : std::max(as_real(a), as_real(b));
    }
    return smaller ? std::min(as_integer(a), as_integer(b)) : std::max(as_integer(a), as_integer(b));
  }

  static Value absolute(const Value& value) {
    if (const auto* real = std::get_if<double>(&value)) return std::abs(*real);
    const std::int64_t number = as_integer(value);
    return number < 0 ? minus(std::int64_t{0}, number) : number;
  }

  static Value length(const Value& value) {
    return std::visit(
        [](const auto& items) -> Value {
          if constexpr (requires { items.begin(); }) {
            return static_cast<std::int64_t>(items.size());
          } else {
            throw Error("an absent list is read");
          }
        },
        value);
  }

  static Value element(const Value& value, std::int64_t index) {
    return std::visit(
        [&](const auto& items) -> Value {
          using Items = std::decay_t<decltype(items)>;
          if constexpr (requires { items.begin(); } && !std::is_same_v<Items, std::string>) {
            return item_of(items, index);
          } else {
            throw Error("an absent list is read");
          }
        },
        value);
  }

  Value list(const Typed& expression) const {
    if (expression.type.kind == Kind::tensors) {
      std::vector<ConcreteTensor> tensors;
      for (const TypedPtr& item : expression.operands) tensors.push_back(tensor(evaluate(*item)));
      return tensors;
    }
    ConcreteSizes sizes;
    for (const TypedPtr& item : expression.operands) sizes.push_back(as_integer(evaluate(*item)));
    return sizes;
  }

  static Value arithmetic(char sign, const Value& a, const Value& b) {
    if (std::holds_alternative<double>(a) || std::holds_alternative<double>(b)) {
      return computed(sign, as_real(a), as_real(b));
    }
    return computed(sign, as_integer(a), as_integer(b));
  }

  static Value comparison(std::string_view sign, const Value& a, const Value& b) {
    if (const auto* dtype = std::get_if<ScalarType>(&a)) return compared(sign, *dtype, std::get<ScalarType>(b));
    if (const auto* text = std::get_if<std::string>(&a)) return compared(sign, *text, std::get<std::string>(b));
    if (std::holds_alternative<double>(a) || std::holds_alternative<double>(b)) {
      return compared(sign, as_real(a), as_real(b));
    }
    return compared(sign, as_integer(a), as_integer(b));
  }

  Value called(const Typed& expression) const {
    std::vector<Value> arguments;
    arguments.reserve(expression.operands.size());
    for (const TypedPtr& operand : expression.operands) arguments.push_back(evaluate(*operand));
    return expression.function->evaluate(call_.platform, arguments);
  }

  const Call& call_;
};

}  // namespace

Value evaluate(const Typed& expression, const Call& call) { return Evaluator(call).evaluate(expression); }

void add_parameters(const TypedOperator& op, Call& call) {
  for (const TypedParameter& parameter : op.parameters) {
    if (!parameter.value.typed) continue;
    Value value = evaluate(*parameter.value.typed, call);
    call.values.insert_or_assign(parameter.name, std::move(value));
  }
}

}  // namespace opwright::upstream
