#include "emit/cpp_expression.h"

#include <fmt/format.h>

#include <map>

#include "emit/code_writer.h"
#include "model/functions.h"
#include "model/kinds.h"
#include "model/typing.h"

namespace opwright::emit {
namespace {

bool is_comparison(const Expr& expr) {
  return expr.kind == ExprKind::binary && (expr.text == "==" || expr.text == "!=" || expr.text == "<" ||
                                           expr.text == "<=" || expr.text == ">" || expr.text == ">=");
}

bool is_logic(const Expr& expr) { return expr.kind == ExprKind::binary && (expr.text == "and" || expr.text == "or"); }

const std::map<std::string, std::string, std::less<>> opposites = {{"==", "!="}, {"!=", "=="}, {"<", ">="},
                                                                   {"<=", ">"},  {">", "<="},  {">=", "<"}};
const std::map<std::string, std::string, std::less<>> expectations = {{"==", "expect_eq"}, {"!=", "expect_ne"},
                                                                      {"<", "expect_lt"},  {"<=", "expect_le"},
                                                                      {">", "expect_gt"},  {">=", "expect_ge"}};
const std::map<std::string, std::string, std::less<>> arithmetic = {
    {"+", "plus"}, {"-", "minus"}, {"*", "times"}, {"/", "divide"}, {"%", "modulo"}};

}  // namespace

std::string ExpressionPrinter::value(const Expr& expr) const {
  if (model::literal(expr)) return integer_argument(expr);
  switch (expr.kind) {
    case ExprKind::name: {
      const model::Argument* argument = op_.argument(expr.text);
      return argument && argument->tensor ? place_.tensor(expr.text) : place_.name(expr.text);
    }
    case ExprKind::unary:
      if (expr.text == "not") return test(expr);
      return fmt::format("minus({}(0), {})", place_.integer, integer_argument(*expr.operands[0]));
    case ExprKind::binary:
      return binary(expr);
    case ExprKind::conditional:
      return fmt::format("{} ? {} : {}", test(*expr.operands[0]), value(*expr.operands[1]), value(*expr.operands[2]));
    case ExprKind::call:
      return call(expr);
    case ExprKind::index:
      return fmt::format("element<{}>({}, {})", place_.integer, value(*expr.operands[0]), value(*expr.operands[1]));
    case ExprKind::list: {
      std::vector<std::string> items;
      for (const ExprPtr& item : expr.operands) items.push_back(value(*item));
      return "{" + join(items) + "}";
    }
    case ExprKind::boolean:
      return expr.value != 0 ? "true" : "false";
    case ExprKind::integer:
    case ExprKind::spread:
      break;
  }
  return value(*expr.operands[0]);
}

std::string ExpressionPrinter::integer_argument(const Expr& expr) const {
  if (const auto number = model::literal(expr)) return fmt::format("{}({})", place_.integer, *number);
  return value(expr);
}

std::string ExpressionPrinter::binary(const Expr& expr) const {
  if (is_comparison(expr) || is_logic(expr)) return test(expr);
  return fmt::format("{}({}, {})", arithmetic.find(expr.text)->second, integer_argument(*expr.operands[0]),
                     integer_argument(*expr.operands[1]));
}

std::string ExpressionPrinter::call(const Expr& expr) const {
  const auto& operands = expr.operands;
  if (expr.text == "present") {
    const model::Argument* argument = op_.argument(operands[0]->text);
    if (argument->tensor) return place_.tensor(operands[0]->text) + ".present";
    return place_.name(operands[0]->text) + ".has_value()";
  }
  if (expr.text == "dtype") return place_.dtype(operands[0]->text);
  if (expr.text == "rank" || expr.text == "numel") {
    return fmt::format("{}.{}()", place_.tensor(operands[0]->text), expr.text);
  }
  if (expr.text == "size") {
    return fmt::format("{}.size({})", place_.tensor(operands[0]->text), value(*operands[1]));
  }
  if (expr.text == "len") return fmt::format("length<{}>({})", place_.integer, value(*operands[0]));
  if (expr.text == "min" || expr.text == "max") {
    const char* function = expr.text == "min" ? "minimum" : "maximum";
    std::string folded = integer_argument(*operands[0]);
    for (std::size_t i = 1; i < operands.size(); ++i) {
      folded = fmt::format("{}({}, {})", function, folded, integer_argument(*operands[i]));
    }
    return folded;
  }
  std::vector<std::string> arguments;  // ceil_div, product, halve: the same names in runtime/integer.h
  const auto is_pack = [&](const Expr& operand) {
    return operand.kind == ExprKind::name && op_.dim(operand.text) && op_.dim(operand.text)->pack;
  };
  for (const ExprPtr& operand : operands) {
    arguments.push_back(is_pack(*operand) ? place_.pack(operand->text) : value(*operand));
  }
  return fmt::format("{}<{}>({})", expr.text, place_.integer, join(arguments));
}

bool ExpressionPrinter::is_integer(const Expr& expr) const {
  switch (expr.kind) {
    case ExprKind::integer:
    case ExprKind::index:
      return true;
    case ExprKind::name: {
      if (op_.dim(expr.text)) return true;
      const model::Argument* argument = op_.argument(expr.text);
      return argument && model::kind_of(argument->schema.type) == model::Kind::integer;
    }
    case ExprKind::unary:
      return expr.text == "-";
    case ExprKind::binary:
      return !is_comparison(expr) && !is_logic(expr);
    case ExprKind::conditional:
      return is_integer(*expr.operands[1]);
    case ExprKind::call:
      return model::find_function(expr.text)->result == model::Kind::integer;
    default:
      return false;
  }
}

std::string ExpressionPrinter::comparison(const Expr& expr, const std::string& sign) const {
  const auto operand = [&](const Expr& side) {
    const std::string text = value(side);
    return side.kind == ExprKind::conditional || is_comparison(side) || is_logic(side) ? "(" + text + ")" : text;
  };
  return fmt::format("{} {} {}", operand(*expr.operands[0]), sign, operand(*expr.operands[1]));
}

std::string ExpressionPrinter::test(const Expr& expr) const {
  const auto part = [&](const Expr& operand) {
    const std::string text = test(operand);
    const bool simple = !is_logic(operand) && operand.kind != ExprKind::conditional;
    return simple ? text : "(" + text + ")";
  };
  if (is_comparison(expr)) return comparison(expr, expr.text);
  if (is_logic(expr)) {
    return fmt::format("{} {} {}", part(*expr.operands[0]), expr.text == "and" ? "&&" : "||", part(*expr.operands[1]));
  }
  if (expr.kind == ExprKind::unary && expr.text == "not") {
    const Expr& operand = *expr.operands[0];
    if (is_comparison(operand)) return comparison(operand, opposites.find(operand.text)->second);
    return "!" + part(operand);
  }
  if (expr.kind == ExprKind::conditional) {
    return fmt::format("{} ? {} : {}", part(*expr.operands[0]), part(*expr.operands[1]), part(*expr.operands[2]));
  }
  return value(expr);
}

std::string ExpressionPrinter::expectation(const Expr& expr, const std::string& sign) const {
  if (!is_integer(*expr.operands[0])) return comparison(expr, sign);
  return fmt::format("{}({}, {})", expectations.find(sign)->second, integer_argument(*expr.operands[0]),
                     integer_argument(*expr.operands[1]));
}

std::string ExpressionPrinter::check(const Expr& expr) const {
  const auto in_parentheses = [](const Expr& operand, std::string text) {
    return is_logic(operand) || operand.kind == ExprKind::conditional ? "(" + text + ")" : text;
  };
  if (is_comparison(expr)) return expectation(expr, expr.text);
  if (expr.kind == ExprKind::unary && expr.text == "not" && is_comparison(*expr.operands[0])) {
    const Expr& operand = *expr.operands[0];
    return expectation(operand, opposites.find(operand.text)->second);
  }
  if (is_logic(expr)) {
    // Of `a or b`, the first part only chooses; of `a and b`, both are required.
    const Expr& left = *expr.operands[0];
    const Expr& right = *expr.operands[1];
    const bool both = expr.text == "and";
    return fmt::format("{} {} {}", in_parentheses(left, both ? check(left) : test(left)), both ? "&&" : "||",
                       in_parentheses(right, check(right)));
  }
  if (expr.kind == ExprKind::conditional) {
    return fmt::format("{} ? {} : {}", in_parentheses(*expr.operands[0], test(*expr.operands[0])),
                       in_parentheses(*expr.operands[1], check(*expr.operands[1])),
                       in_parentheses(*expr.operands[2], check(*expr.operands[2])));
  }
  return test(expr);
}

}  // namespace opwright::emit
