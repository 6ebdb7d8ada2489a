// Integers that depend on sizes nobody knows yet: `T * K`, `2 * N + 1`, `min(n, S)` (an unknown of its own).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opwright::model {

/// A polynomial with integer coefficients over named unknowns, in normal form: two that are equal as functions compare
/// equal. Coefficients are counted modulo 2^64, in which sums and products keep all their laws; so no input can
/// overflow.
class Polynomial {
 public:
  Polynomial(std::int64_t constant = 0);  // NOLINT: an integer is a polynomial
  static Polynomial unknown(std::string name);
  /// A value of which nothing is known, not even that it equals itself.
  static Polynomial anything();

  std::optional<std::int64_t> constant() const;
  /// The name, when this is one unknown and nothing else.
  std::optional<std::string> single_unknown() const;
  bool mentions(const std::string& unknown) const;
  std::vector<std::string> unknowns() const;
  /// With a value in place of an unknown. Inside compound unknowns it stays.
  Polynomial with(const std::string& unknown, const Polynomial& value) const;

  friend Polynomial operator+(const Polynomial& left, const Polynomial& right);
  friend Polynomial operator-(const Polynomial& left, const Polynomial& right);
  friend Polynomial operator*(const Polynomial& left, const Polynomial& right);
  friend bool operator==(const Polynomial&, const Polynomial&) = default;
  friend std::string to_string(const Polynomial& polynomial);

 private:
  using Monomial = std::vector<std::string>;  // sorted; a name once for each of its powers; empty for the constant
  void add(const Monomial& monomial, std::uint64_t coefficient);

  std::map<Monomial, std::uint64_t> terms_;  // no zero coefficients
};

}  // namespace opwright::model
