// Expressions of declarations as C++.
#pragma once

#include <functional>
#include <string>

#include "model/operator.h"

namespace opwright::emit {

/// Prints expressions for one place in generated code. The place says how names are spelled there.
class ExpressionPrinter {
 public:
  struct Place {
    std::string integer;                                           // the integer type: "Int"
    std::function<std::string(const std::string& name)> name;      // a dim, or an argument that is no tensor
    std::function<std::string(const std::string& pack)> pack;      // a pack as an argument of a shape function
    std::function<std::string(const std::string& tensor)> tensor;  // a tensor as TensorInfo
    std::function<std::string(const std::string& tensor)> dtype;   // its dtype
  };

  ExpressionPrinter(const model::Operator& op, Place place) : op_(op), place_(std::move(place)) {}

  /// The value of an expression.
  std::string value(const Expr& expr) const;
  /// A condition that chooses.
  std::string test(const Expr& expr) const;
  /// A condition that is required: integers are compared by `expect_…`, which never turns a symbolic size into a
  /// number.
  std::string check(const Expr& expr) const;

 private:
  std::string binary(const Expr& expr) const;
  std::string call(const Expr& expr) const;
  std::string comparison(const Expr& expr, const std::string& sign) const;
  std::string expectation(const Expr& expr, const std::string& sign) const;
  /// An integer as an argument of one of our functions: literals need their type spelled.
  std::string integer_argument(const Expr& expr) const;
  bool is_integer(const Expr& expr) const;

  const model::Operator& op_;
  Place place_;
};

}  // namespace opwright::emit
