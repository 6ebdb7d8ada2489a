#include "model/polynomial.h"

#include <algorithm>
#include <atomic>

namespace opwright::model {
namespace {

// Beyond these, a product is treated as unknown: nothing that a person writes comes near, and nothing can blow up.
constexpr std::size_t max_terms = 64;
constexpr std::size_t max_degree = 16;

}  // namespace

Polynomial::Polynomial(std::int64_t constant) { add({}, static_cast<std::uint64_t>(constant)); }

Polynomial Polynomial::unknown(std::string name) {
  Polynomial polynomial;
  polynomial.add({std::move(name)}, 1);
  return polynomial;
}

Polynomial Polynomial::anything() {
  static std::atomic<std::uint64_t> count{0};
  return unknown("?" + std::to_string(count++));
}

void Polynomial::add(const Monomial& monomial, std::uint64_t coefficient) {
  if (coefficient == 0) return;
  const auto [term, is_new] = terms_.try_emplace(monomial, coefficient);
  if (is_new) return;
  term->second += coefficient;
  if (term->second == 0) terms_.erase(term);
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return static_cast<std::int64_t>(terms_.begin()->second);
}

std::optional<std::string> Polynomial::single_unknown() const {
  if (terms_.size() != 1) return std::nullopt;
  const auto& [monomial, coefficient] = *terms_.begin();
  if (monomial.size() != 1 || coefficient != 1) return std::nullopt;
  return monomial.front();
}

bool Polynomial::mentions(const std::string& unknown) const {
  for (const auto& [monomial, coefficient] : terms_) {
    for (const std::string& name : monomial) {
      // Compound unknowns such as `min(n, S)` mention the names inside them.
      if (name.find(unknown) != std::string::npos) return true;
    }
  }
  return false;
}

std::vector<std::string> Polynomial::unknowns() const {
  std::vector<std::string> names;
  for (const auto& [monomial, coefficient] : terms_) names.insert(names.end(), monomial.begin(), monomial.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Polynomial Polynomial::with(const std::string& unknown, const Polynomial& value) const {
  Polynomial sum;
  for (const auto& [monomial, coefficient] : terms_) {
    Polynomial product = static_cast<std::int64_t>(coefficient);
    for (const std::string& name : monomial) product = product * (name == unknown ? value : Polynomial::unknown(name));
    sum = sum + product;
  }
  return sum;
}

Polynomial operator+(const Polynomial& left, const Polynomial& right) {
  if (left.terms_.size() + right.terms_.size() > max_terms) return Polynomial::anything();
  Polynomial sum = left;
  for (const auto& [monomial, coefficient] : right.terms_) sum.add(monomial, coefficient);
  return sum;
}

Polynomial operator-(const Polynomial& left, const Polynomial& right) { return left + Polynomial(-1) * right; }

Polynomial operator*(const Polynomial& left, const Polynomial& right) {
  if (left.terms_.size() * right.terms_.size() > max_terms) return Polynomial::anything();
  Polynomial product;
  for (const auto& [left_monomial, left_coefficient] : left.terms_) {
    for (const auto& [right_monomial, right_coefficient] : right.terms_) {
      Polynomial::Monomial monomial = left_monomial;
      monomial.insert(monomial.end(), right_monomial.begin(), right_monomial.end());
      if (monomial.size() > max_degree) return Polynomial::anything();
      std::sort(monomial.begin(), monomial.end());
      product.add(monomial, left_coefficient * right_coefficient);
    }
  }
  return product;
}

std::string to_string(const Polynomial& polynomial) {
  if (polynomial.terms_.empty()) return "0";
  std::string text;
  for (const auto& [monomial, coefficient] : polynomial.terms_) {
    const auto value = static_cast<std::int64_t>(coefficient);
    if (!text.empty()) text += " + ";
    if (monomial.empty() || value != 1) text += std::to_string(value);
    for (std::size_t i = 0; i < monomial.size(); ++i) text += (i > 0 || value != 1 ? " * " : "") + monomial[i];
  }
  return text;
}

}  // namespace opwright::model
