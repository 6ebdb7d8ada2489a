// The checks of generated inference: one text of every message on CPU, Meta and NPU.
//
// An argument's line in a declaration and its line in generated inference look alike:
//
//     probs: P[T, K]            check.argument("probs", probs, P, T, K);
//
// Type sets and dims take their value from the first argument that names them and are compared from then on.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "runtime/dtype.h"
#include "runtime/integer.h"
#include "runtime/sizes.h"

namespace opwright {

/// What inference reads of an argument.
template <class Int>
struct TensorInfo {
  bool present = false;
  Dtype dtype = Dtype::float32;
  const char* foreign_dtype = nullptr;  // the name of a dtype that no declaration can name, such as float8
  std::span<const Int> sizes;

  std::string dtype_text() const { return foreign_dtype ? foreign_dtype : std::string(name(dtype)); }
  Int size(const Int& dim) const {
    const auto d = Integer<Int>::number(dim);
    const auto rank = static_cast<std::int64_t>(sizes.size());
    if (d && *d >= 0 && *d < rank) return sizes[static_cast<std::size_t>(*d)];
    throw ArithmeticError("dimension " + Integer<Int>::text(dim) + " of a tensor of " + std::to_string(rank) +
                          " dimensions does not exist");
  }
  Int rank() const { return Int(static_cast<std::int64_t>(sizes.size())); }
  Int numel() const { return product(sizes); }
};

/// What inference says of a result.
template <class Int>
struct ResultInfo {
  bool present = false;
  Dtype dtype = Dtype::float32;
  Sizes<Int> sizes;
};

/// A type set of a declaration.
struct Type {
  const char* name;
  std::span<const Dtype> members;
  std::optional<Dtype> dtype{};
  const char* argument = nullptr;  // which gave it its dtype

  Dtype operator*() const { return dtype.value(); }
};

/// The value of a ScalarType argument, as the dtype that a tensor must have.
struct DtypeArgument {
  const char* name;
  Dtype dtype;
};

/// A named size.
template <class Int>
struct Dim {
  const char* name;
  std::optional<Int> value{};
  const char* argument = nullptr;  // which gave it its value, and in which dimension
  std::int64_t dimension = 0;

  const Int& operator*() const { return value.value(); }
};

/// A named run of sizes, `*B`.
template <class Int>
struct Pack {
  const char* name;
  std::optional<Sizes<Int>> value{};
  const char* argument = nullptr;

  std::span<const Int> operator*() const { return value.value(); }
};

template <class Int>
Int product(const Pack<Int>& pack) {
  return product<Int>(*pack);
}
template <class Int>
Sizes<Int> halve(const Pack<Int>& pack, const Int& dim) {
  return halve<Int>(*pack, dim, pack.argument);
}

/// `K?`: a trailing dimension that may be left out; its size is then 1.
template <class Int>
struct Trailing {
  Dim<Int>& dim;
};
template <class Int>
Trailing(Dim<Int>&) -> Trailing<Int>;

/// A dimension, or a run of dimensions, whose size follows from others: `Checks::size` and `Checks::pack` compare it
/// once those are known.
struct Later {
  const char* text;
};
struct LaterPack {
  const char* text;
};

/// A name and a value for the message of a rule. Refers to the value; costs nothing while the rule holds.
class Named {
 public:
  Named(const char* name, const bool& value) : name_(name), value_(&value), text_(bool_text) {}
  Named(const char* name, const Dtype& value) : name_(name), value_(&value), text_(dtype_text) {}
  template <class Int>
  Named(const char* name, const Int& value) : name_(name), value_(&value), text_(integer_text<Int>) {}

  /// `S = 7`
  std::string text() const { return name_ + std::string(" = ") + text_(value_); }

 private:
  static std::string bool_text(const void* value) { return *static_cast<const bool*>(value) ? "true" : "false"; }
  static std::string dtype_text(const void* value) { return std::string(name(*static_cast<const Dtype*>(value))); }
  template <class Int>
  static std::string integer_text(const void* value) {
    return Integer<Int>::text(*static_cast<const Int*>(value));
  }

  const char* name_;
  const void* value_;
  std::string (*text_)(const void*);
};

/// The messages; all throw Error.
namespace messages {

struct Pattern {
  std::string text;       // "[T, K?]"
  std::size_t least = 0;  // dimensions
  std::size_t most = 0;
  bool unbounded = false;  // has a pack
};

[[noreturn]] void absent(const char* op, const char* argument);
[[noreturn]] void rank(const char* op, const char* argument, const Pattern& pattern, std::size_t rank,
                       const std::string& sizes);
[[noreturn]] void dtype(const char* op, const char* argument, std::span<const Dtype> accepted, const std::string& got);
/// `as` says where the required dtype comes from: "as x is", "tokens_dtype".
[[noreturn]] void dtype_differs(const char* op, const char* argument, Dtype required, const std::string& as,
                                const std::string& got);
/// `from` may be empty: "dimension 1 of x".
[[noreturn]] void size(const char* op, const char* argument, std::int64_t dimension, const char* expression,
                       const std::string& required, const std::string& from, const std::string& got);
[[noreturn]] void pack(const char* op, const char* argument, const char* expression, const std::string& required,
                       const std::string& from, const std::string& got);
[[noreturn]] void rule(const char* op, const char* rule, const char* condition, std::initializer_list<Named> values,
                       const char* fix);
[[noreturn]] void no_value(const char* op, const std::string& place, const char* reason);
[[noreturn]] void too_large(const char* op, const char* result, const std::string& sizes);
[[noreturn]] void negative(const char* op, const char* result, std::size_t dimension, const std::string& size);

std::string dimension_of(std::int64_t dimension, const char* argument);

template <class Int>
std::string sizes_text(std::span<const Int> sizes) {
  std::string text = "[";
  for (const Int& size : sizes) text += (text.size() > 1 ? ", " : "") + Integer<Int>::text(size);
  return text + "]";
}

}  // namespace messages

/// Sizes put together from single sizes and packs: `shape<Int>(*B, k)`.
template <class Int, class... Items>
Sizes<Int> shape(const Items&... items) {
  Sizes<Int> sizes;
  const auto add = [&](const auto& item) {
    if constexpr (std::convertible_to<decltype(item), std::span<const Int>>) {
      sizes.append(item);
    } else {
      sizes.push_back(Int(item));
    }
  };
  (add(items), ...);
  return sizes;
}

/// A result that looks like an argument, absence included.
template <class Int>
ResultInfo<Int> like(const TensorInfo<Int>& tensor) {
  return {tensor.present, tensor.dtype, Sizes<Int>(tensor.sizes)};
}

template <class Int>
class Checks {
 public:
  explicit Checks(const char* op) : op_(op) {}

  /// Rank, dtype and sizes of a tensor that must be there.
  template <class T, class... Items>
  void argument(const char* name, const TensorInfo<Int>& tensor, T&& type, Items&&... items) const {
    if (!tensor.present) messages::absent(op_, name);
    messages::Pattern pattern;
    (count(pattern, items), ...);
    const std::size_t rank = tensor.sizes.size();
    if (rank < pattern.least || (rank > pattern.most && !pattern.unbounded)) {
      (describe(pattern, items), ...);
      pattern.text += "]";
      messages::rank(op_, name, pattern, rank, messages::sizes_text(tensor.sizes));
    }
    check_dtype(name, tensor, type);
    Place place{name, tensor.sizes, 0, rank - pattern.least};
    (match(place, items), ...);
  }

  /// A dim by its formula.
  template <class Formula>
  void define(Dim<Int>& dim, const char* text, Formula formula) const {
    dim.value = evaluate(formula, dim.name, " = ", text);
  }
  template <class Formula>
  void define(Pack<Int>& pack, const char* text, Formula formula) const {
    pack.value = evaluate(formula, pack.name, " = ", text);
  }

  /// A dimension that is given by an expression, or by a dim whose `formula` is shown then. Negative dimensions count
  /// from the end.
  template <class Expression>
  void size(const char* name, const TensorInfo<Int>& tensor, std::int64_t dimension, const char* text,
            Expression expression, const char* formula = "") const {
    const Int required = evaluate(expression, text);
    if (dimension < 0) dimension += static_cast<std::int64_t>(tensor.sizes.size());
    const Int got = tensor.size(Int(dimension));
    if (expect_eq(required, got)) return;
    messages::size(op_, name, dimension, text, Integer<Int>::text(required), formula, Integer<Int>::text(got));
  }

  /// The dimensions [first, rank - behind) of a tensor, given by an expression.
  template <class Expression>
  void pack(const char* name, const TensorInfo<Int>& tensor, std::size_t first, std::size_t behind, const char* text,
            Expression expression) const {
    const auto required = evaluate(expression, text);
    same_pack(name, tensor.sizes.subspan(first, tensor.sizes.size() - first - behind), text, required, "");
  }

  /// `fix` may be empty.
  template <class Condition>
  void rule(const char* rule, const char* text, Condition condition, std::initializer_list<Named> values,
            const char* fix) const {
    if (!evaluate(condition, "rule ", rule, ": ", text)) messages::rule(op_, rule, text, values, fix);
  }

  /// A result; its sizes may not be negative, nor larger than any memory.
  template <class Shape>
  ResultInfo<Int> result(const char* name, Dtype dtype, Shape shape) const {
    return this->result(name, dtype, evaluate(shape, "the shape of ", name));
  }
  ResultInfo<Int> result(const char* name, Dtype dtype, Sizes<Int> sizes) const {
    std::int64_t bytes = size_of(dtype);
    bool fits = true;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      const auto size = Integer<Int>::number(sizes[d]);
      if (!size) continue;
      if (*size < 0) messages::negative(op_, name, d, std::to_string(*size));
      fits = fits && !__builtin_mul_overflow(bytes, *size > 0 ? *size : 1, &bytes);
    }
    if (!fits) messages::too_large(op_, name, messages::sizes_text<Int>(sizes));
    return {true, dtype, std::move(sizes)};
  }

 private:
  /// Where `match` stands in a tensor.
  struct Place {
    const char* argument;
    std::span<const Int> sizes;
    std::size_t dimension;
    std::size_t spare;  // dimensions beyond those that every call has: the pack's, or the trailing one
  };

  /// The value of an expression; `place` says, in pieces, what it is the expression of.
  template <class Expression, class... Pieces>
  auto evaluate(Expression& expression, const Pieces*... place) const {
    try {
      return expression();
    } catch (const ArithmeticError& error) {
      messages::no_value(op_, (std::string() + ... + place), error.what());
    }
  }

  static void count(messages::Pattern& pattern, const Dim<Int>&) { ++pattern.least, ++pattern.most; }
  static void count(messages::Pattern& pattern, const Later&) { ++pattern.least, ++pattern.most; }
  static void count(messages::Pattern& pattern, const Trailing<Int>&) { ++pattern.most; }
  static void count(messages::Pattern& pattern, const Pack<Int>&) { pattern.unbounded = true; }
  static void count(messages::Pattern& pattern, const LaterPack&) { pattern.unbounded = true; }

  static std::string item_text(const Dim<Int>& item) { return item.name; }
  static std::string item_text(const Later& item) { return item.text; }
  static std::string item_text(const Trailing<Int>& item) { return std::string(item.dim.name) + "?"; }
  static std::string item_text(const Pack<Int>& item) { return std::string("*") + item.name; }
  static std::string item_text(const LaterPack& item) { return std::string("*") + item.text; }
  template <class Item>
  static void describe(messages::Pattern& pattern, const Item& item) {
    pattern.text += (pattern.text.empty() ? "[" : ", ") + item_text(item);
  }

  void check_dtype(const char* name, const TensorInfo<Int>& tensor, Type& type) const {
    bool accepted = false;
    for (Dtype member : type.members) accepted |= member == tensor.dtype;
    if (!accepted || tensor.foreign_dtype) messages::dtype(op_, name, type.members, tensor.dtype_text());
    if (!type.dtype) {
      type.dtype = tensor.dtype;
      type.argument = name;
    } else if (*type != tensor.dtype) {
      const std::string as = "as " + std::string(type.argument) + " is (both are " + type.name + ")";
      messages::dtype_differs(op_, name, *type, as, tensor.dtype_text());
    }
  }
  void check_dtype(const char* name, const TensorInfo<Int>& tensor, const DtypeArgument& argument) const {
    if (tensor.foreign_dtype || tensor.dtype != argument.dtype) {
      messages::dtype_differs(op_, name, argument.dtype, std::string("as ") + argument.name + " says",
                              tensor.dtype_text());
    }
  }
  void check_dtype(const char* name, const TensorInfo<Int>& tensor, Dtype dtype) const {
    if (tensor.foreign_dtype || tensor.dtype != dtype) messages::dtype(op_, name, {&dtype, 1}, tensor.dtype_text());
  }

  void match(Place& place, Dim<Int>& dim) const {
    const std::size_t d = place.dimension++;
    same_size(place, d, dim, place.sizes[d]);
  }
  void match(Place& place, const Later&) const { ++place.dimension; }
  void match(Place& place, const Trailing<Int>& trailing) const {
    const std::size_t d = place.dimension;
    same_size(place, d, trailing.dim, place.spare > 0 ? place.sizes[d] : Int(1));
    place.dimension += place.spare;
  }
  void match(Place& place, Pack<Int>& pack) const {
    const auto sizes = place.sizes.subspan(place.dimension, place.spare);
    place.dimension += place.spare;
    if (pack.value) {
      same_pack(place.argument, sizes, pack.name, *pack, pack.argument);
    } else {
      pack.value = Sizes<Int>(sizes);
      pack.argument = place.argument;
    }
  }
  void match(Place& place, const LaterPack&) const { place.dimension += place.spare; }

  void same_size(const Place& place, std::size_t d, Dim<Int>& dim, const Int& size) const {
    if (!dim.value) {
      dim.value = size;
      dim.argument = place.argument;
      dim.dimension = static_cast<std::int64_t>(d);
    } else if (!expect_eq(*dim, size)) {
      messages::size(op_, place.argument, static_cast<std::int64_t>(d), dim.name, Integer<Int>::text(*dim),
                     dim.argument ? messages::dimension_of(dim.dimension, dim.argument) : "", Integer<Int>::text(size));
    }
  }
  void same_pack(const char* name, std::span<const Int> sizes, const char* text, std::span<const Int> required,
                 const char* from) const {
    bool same = sizes.size() == required.size();
    for (std::size_t d = 0; same && d < sizes.size(); ++d) same = expect_eq(required[d], sizes[d]);
    if (!same) messages::pack(op_, name, text, messages::sizes_text(required), from, messages::sizes_text(sizes));
  }

  const char* op_;
};

}  // namespace opwright
