#include "model/upstream/typing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "model/upstream/constants.h"
#include "model/upstream/conversions.h"
#include "model/upstream/functions.h"

namespace opwright::upstream {
namespace {

std::string_view template_argument(std::string_view name) {
  const std::size_t open = name.find('<');
  return open == std::string_view::npos ? std::string_view() : name.substr(open + 1, name.rfind('>') - open - 1);
}

/// Of `(T)x` and `static_cast<T>(x)`.
std::optional<Kind> cast_kind(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, Kind>, 7> table = {{{"int64_t", Kind::integer},
                                                                       {"int", Kind::int32},
                                                                       {"int32_t", Kind::int32},
                                                                       {"int8_t", Kind::int8},
                                                                       {"bool", Kind::boolean},
                                                                       {"float", Kind::real32},
                                                                       {"double", Kind::real}}};
  for (const auto& [name, kind] : table) {
    if (name == type) return kind;
  }
  return std::nullopt;
}

bool is_list_type(std::string_view name) {
  constexpr std::array<std::string_view, 5> types = {"SmallVector", "IntArrayRef", "ArrayRef", "vector", "DimVector"};
  return std::find(types.begin(), types.end(), unqualified(name)) != types.end();
}

class Typer {
 public:
  explicit Typer(const Scope& scope) : scope_(scope) {}

  TypedPtr type(const Snippet& snippet) {
    switch (snippet.kind) {
      case SnippetKind::name:
        return of_name(snippet);
      case SnippetKind::number:
        return of_number(snippet);
      case SnippetKind::string:
        return make_typed(Operation::literal, {Kind::string}, {}, snippet.where,
                          snippet.text.substr(1, snippet.text.size() - 2));
      case SnippetKind::unary:
        return of_unary(snippet);
      case SnippetKind::binary:
        return of_binary(snippet);
      case SnippetKind::conditional:
        return of_conditional(snippet);
      case SnippetKind::call:
        return of_call(snippet);
      case SnippetKind::member:
      case SnippetKind::arrow:
        return fail(snippet, "`" + snippet.text + "` is read, but not called");
      case SnippetKind::index:
        return of_index(snippet);
      case SnippetKind::list:
        return of_list(snippet, snippet.operands);
      case SnippetKind::construct:
        if (is_list_type(snippet.text)) return of_list(snippet, snippet.operands);
        return fail(snippet, "`" + snippet.text + "` is no type that rules know");
      case SnippetKind::cast:
        return of_cast(snippet, snippet.text, *snippet.operands[0]);
      case SnippetKind::sequence:
        return of_sequence(snippet);
    }
    return nullptr;
  }

  TypedPtr as(const Snippet& snippet, const TypedPtr& typed, const Type& wanted) {
    if (!typed) return nullptr;
    if (TypedPtr result = converted(typed, wanted)) return result;
    return fail(snippet, "this is " + to_string(typed->type) + ", where " + to_string(wanted) + " is needed");
  }

  TypedPtr fail(const Snippet& snippet, std::string why) {
    if (untyped.why.empty()) untyped = {std::move(why), snippet.where};
    return nullptr;
  }

  Untyped untyped;

 private:
  TypedPtr of_name(const Snippet& snippet) {
    if (const auto found = scope_.parameters.find(snippet.text); found != scope_.parameters.end()) {
      return make_typed(Operation::parameter, found->second, {}, snippet.where, snippet.text);
    }
    if (const auto found = scope_.arguments.find(snippet.text); found != scope_.arguments.end()) {
      return make_typed(Operation::argument, found->second, {}, snippet.where, snippet.text);
    }
    if (TypedPtr constant = constant_named(snippet.text, snippet.where)) return constant;
    return fail(snippet, "`" + snippet.text + "` is no argument, none of new_params and no constant");
  }

  TypedPtr of_number(const Snippet& snippet) {
    std::string_view text = snippet.text;
    const bool wide = text.ends_with('L') || text.ends_with('l');
    while (text.ends_with('L') || text.ends_with('l')) text.remove_suffix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) {
      const bool fits = value >= INT32_MIN && value <= INT32_MAX;
      return integer_literal(value, wide || !fits ? Kind::integer : Kind::int32, snippet.where);
    }
    Typed literal;
    const bool narrow = text.ends_with('f');
    literal.type = {narrow ? Kind::real32 : Kind::real};
    literal.real_number = std::strtod(std::string(text).c_str(), nullptr);
    literal.where = snippet.where;
    return std::make_shared<const Typed>(std::move(literal));
  }

  TypedPtr of_unary(const Snippet& snippet) {
    const Snippet& operand = *snippet.operands[0];
    if (snippet.text == "!") {
      TypedPtr condition = type_condition(operand);
      return condition ? make_typed(Operation::not_, {Kind::boolean}, {condition}, snippet.where) : nullptr;
    }
    TypedPtr number = type(operand);
    if (!number) return nullptr;
    if (!is_number(number->type)) return fail(operand, "this is " + to_string(number->type) + ", and has no negative");
    const Kind kind = number->type.kind == Kind::boolean ? Kind::int32 : number->type.kind;
    return make_typed(Operation::negate, {kind}, {number}, snippet.where);
  }

  /// Where C++ takes a condition: an optional is true where it is present, a number where it is not zero.
  TypedPtr type_condition(const Snippet& snippet) {
    TypedPtr condition = type(snippet);
    if (!condition) return nullptr;
    if (condition->type.optional) {
      return make_typed(Operation::has_value, {Kind::boolean}, {condition}, snippet.where);
    }
    return as(snippet, condition, {Kind::boolean});
  }

  TypedPtr of_binary(const Snippet& snippet) {
    const std::string& sign = snippet.text;
    if (sign == "&&" || sign == "||") {
      TypedPtr left = type_condition(*snippet.operands[0]);
      TypedPtr right = left ? type_condition(*snippet.operands[1]) : nullptr;
      if (!right) return nullptr;
      return make_typed(sign == "&&" ? Operation::both : Operation::either, {Kind::boolean}, {left, right},
                        snippet.where);
    }
    TypedPtr left = type(*snippet.operands[0]);
    TypedPtr right = left ? type(*snippet.operands[1]) : nullptr;
    if (!right) return nullptr;
    const bool arithmetic = sign == "+" || sign == "-" || sign == "*" || sign == "/" || sign == "%";
    const auto common = common_type(left->type, right->type);
    const bool fits =
        common && !common->optional &&
        (is_number(*common) || (!arithmetic && (common->kind == Kind::dtype || common->kind == Kind::string)));
    if (!fits) {
      return fail(snippet, "`" + sign + "` of " + to_string(left->type) + " and " + to_string(right->type) +
                               " has no meaning here");
    }
    const Type operand{common->kind == Kind::boolean && arithmetic ? Kind::int32 : common->kind};
    left = as(*snippet.operands[0], left, operand);
    right = as(*snippet.operands[1], right, operand);
    return arithmetic ? make_typed(Operation::arithmetic, operand, {left, right}, snippet.where, sign)
                      : make_typed(Operation::compare, {Kind::boolean}, {left, right}, snippet.where, sign);
  }

  TypedPtr of_conditional(const Snippet& snippet) {
    TypedPtr condition = type_condition(*snippet.operands[0]);
    TypedPtr then = condition ? type(*snippet.operands[1]) : nullptr;
    TypedPtr otherwise = then ? type(*snippet.operands[2]) : nullptr;
    if (!otherwise) return nullptr;
    // `x ? x : nullptr` is the other branch's type, and may be absent.
    if (otherwise->operation == Operation::absent) otherwise = converted(otherwise, {then->type.kind, true});
    if (then->operation == Operation::absent) then = converted(then, {otherwise->type.kind, true});
    const auto common = common_type(then->type, otherwise->type);
    if (!common) {
      return fail(snippet, "one branch is " + to_string(then->type) + ", the other " + to_string(otherwise->type));
    }
    return make_typed(
        Operation::conditional, *common,
        {condition, as(*snippet.operands[1], then, *common), as(*snippet.operands[2], otherwise, *common)},
        snippet.where);
  }

  TypedPtr of_index(const Snippet& snippet) {
    TypedPtr base = type(*snippet.operands[0]);
    TypedPtr index = base ? as(*snippet.operands[1], type(*snippet.operands[1]), {Kind::integer}) : nullptr;
    return index ? element(snippet, base, index) : nullptr;
  }

  TypedPtr element(const Snippet& snippet, const TypedPtr& base, const TypedPtr& index) {
    if (base->type.optional) return fail(snippet, "this may be absent, and `[]` reads it all the same");
    const auto of = [&](Kind kind, bool optional = false) {
      return make_typed(Operation::element, {kind, optional}, {base, index}, snippet.where);
    };
    switch (base->type.kind) {
      case Kind::tensors:
        return of(Kind::tensor);
      case Kind::optional_tensors:
        return of(Kind::tensor, true);
      case Kind::integers:
        return of(Kind::integer);
      case Kind::sizes:
        return of(Kind::size);
      case Kind::sizes_list:
        return of(Kind::sizes);
      case Kind::booleans:
        return of(Kind::boolean);
      case Kind::reals:
        return of(Kind::real);
      case Kind::scalars:
        return of(Kind::scalar);
      default:
        return fail(snippet, "this is " + to_string(base->type) + ", and has no elements");
    }
  }

  TypedPtr of_list(const Snippet& snippet, const std::vector<SnippetPtr>& items) {
    std::vector<TypedPtr> typed;
    for (const SnippetPtr& item : items) {
      typed.push_back(type(*item));
      if (!typed.back()) return nullptr;
    }
    const auto all = [&](auto holds) { return std::all_of(typed.begin(), typed.end(), holds); };
    if (!typed.empty() && all([](const TypedPtr& item) { return item->type == Type{Kind::tensor}; })) {
      return make_typed(Operation::list, {Kind::tensors}, std::move(typed), snippet.where);
    }
    const bool sizes =
        !all([](const TypedPtr& item) { return is_number(item->type) && item->type.kind != Kind::size; });
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Type wanted{sizes ? Kind::size : Kind::integer};
      if (!is_number(typed[i]->type) || typed[i]->type.kind > Kind::size) {
        return fail(*items[i], "this is " + to_string(typed[i]->type) + ", where a size is needed");
      }
      typed[i] = as(*items[i], typed[i], wanted);
    }
    const Kind kind = sizes ? Kind::sizes : Kind::integers;
    return make_typed(Operation::list, {kind}, std::move(typed), snippet.where);
  }

  TypedPtr of_sequence(const Snippet& snippet) {
    std::vector<TypedPtr> parts;
    for (const SnippetPtr& part : snippet.operands) {
      parts.push_back(type(*part));
      if (!parts.back()) return nullptr;
    }
    const Type last = parts.back()->type;
    return make_typed(Operation::sequence, last, std::move(parts), snippet.where);
  }

  TypedPtr of_cast(const Snippet& snippet, std::string_view type_name, const Snippet& operand) {
    TypedPtr value = type(operand);
    if (!value) return nullptr;
    const bool to_text = type_name == "char *" || type_name == "char*" || type_name == "const char *";
    if (to_text && value->type.kind == Kind::string) return value;
    const std::optional<Kind> kind = cast_kind(type_name);
    if (!kind) return fail(snippet, "a cast to `" + std::string(type_name) + "` has no meaning here");
    return as(operand, value, {*kind});
  }

  TypedPtr of_call(const Snippet& snippet) {
    const Snippet& callee = *snippet.operands[0];
    if (callee.kind == SnippetKind::member || callee.kind == SnippetKind::arrow) return of_member_call(snippet, callee);
    if (callee.kind != SnippetKind::name) return fail(snippet, "only functions and members can be called");
    return of_function_call(snippet, callee.text);
  }

  // ---- members

  TypedPtr of_member_call(const Snippet& snippet, const Snippet& callee) {
    TypedPtr base = type(*callee.operands[0]);
    if (!base) return nullptr;
    if (callee.kind == SnippetKind::member && base->type.optional) {
      if (TypedPtr result = of_optional_member(snippet, callee.text, base)) return result;
      if (!untyped.why.empty()) return nullptr;
      return fail(callee, "`" + callee.text + "` is read of something that may be absent");
    }
    if (callee.kind == SnippetKind::arrow) {
      if (!base->type.optional) return fail(callee, "`->` is for what may be absent, and this may not");
      // `x->defined()` asks whether it is there, as `x.has_value()` does.
      if (callee.text == "defined") {
        return make_typed(Operation::has_value, {Kind::boolean}, {base}, snippet.where);
      }
      base = make_typed(Operation::value, {base->type.kind}, {base}, callee.where);
    }
    switch (base->type.kind) {
      case Kind::tensor:
        return of_tensor_member(snippet, callee, base);
      case Kind::string:
        return of_string_member(snippet, callee, base);
      case Kind::tensors:
      case Kind::optional_tensors:
      case Kind::integers:
      case Kind::sizes:
      case Kind::booleans:
        return of_list_member(snippet, callee, base);
      default:
        return no_member(callee, base);
    }
  }

  TypedPtr no_member(const Snippet& callee, const TypedPtr& base) {
    return fail(callee, "this is " + to_string(base->type) + ", and `" + callee.text + "` is none of its members");
  }

  TypedPtr of_optional_member(const Snippet& snippet, std::string_view member, const TypedPtr& base) {
    const Type inner{base->type.kind};
    if (member == "has_value" || member == "defined") {
      return make_typed(Operation::has_value, {Kind::boolean}, {base}, snippet.where);
    }
    if (member == "value") return make_typed(Operation::value, inner, {base}, snippet.where);
    if (member != "value_or" || snippet.operands.size() != 2) return nullptr;
    TypedPtr otherwise = as(*snippet.operands[1], type(*snippet.operands[1]), inner);
    return otherwise ? make_typed(Operation::value_or, inner, {base, otherwise}, snippet.where) : nullptr;
  }

  TypedPtr of_tensor_member(const Snippet& snippet, const Snippet& callee, const TypedPtr& tensor) {
    const std::string& member = callee.text;
    const std::size_t arguments = snippet.operands.size() - 1;
    const auto simple = [&](Operation operation, Kind kind) {
      return make_typed(operation, {kind}, {tensor}, snippet.where);
    };
    if (arguments == 0) {
      if (member == "sizes" || member == "sym_sizes") return simple(Operation::sizes, Kind::sizes);
      if (member == "dim" || member == "ndimension") return simple(Operation::dim, Kind::integer);
      if (member == "numel" || member == "sym_numel") return simple(Operation::numel, Kind::size);
      if (member == "scalar_type" || member == "dtype") return simple(Operation::dtype, Kind::dtype);
      if (member == "defined") return integer_literal(1, Kind::boolean, snippet.where);
    }
    if (arguments == 1 && (member == "size" || member == "sym_size")) {
      TypedPtr dimension = integer_argument(snippet, 1);
      return dimension ? make_typed(Operation::size, {Kind::size}, {tensor, dimension}, snippet.where) : nullptr;
    }
    if (arguments == 2 && member == "transpose") {
      TypedPtr first = integer_argument(snippet, 1);
      TypedPtr second = first ? integer_argument(snippet, 2) : nullptr;
      return second ? make_typed(Operation::transpose, {Kind::tensor}, {tensor, first, second}, snippet.where)
                    : nullptr;
    }
    return no_member(callee, tensor);
  }

  TypedPtr of_string_member(const Snippet& snippet, const Snippet& callee, const TypedPtr& text) {
    // C strings and C++ strings are one type here.
    if (snippet.operands.size() == 1 && (callee.text == "data" || callee.text == "c_str")) return text;
    return no_member(callee, text);
  }

  TypedPtr of_list_member(const Snippet& snippet, const Snippet& callee, const TypedPtr& list) {
    if (snippet.operands.size() == 1 && callee.text == "size") {
      return make_typed(Operation::length, {Kind::integer}, {list}, snippet.where);
    }
    if (snippet.operands.size() == 1 && callee.text == "empty") {
      TypedPtr length = make_typed(Operation::length, {Kind::integer}, {list}, snippet.where);
      return make_typed(Operation::compare, {Kind::boolean}, {length, integer_literal(0, Kind::integer, snippet.where)},
                        snippet.where, "==");
    }
    if (snippet.operands.size() == 2 && callee.text == "at") {
      TypedPtr index = integer_argument(snippet, 1);
      return index ? element(snippet, list, index) : nullptr;
    }
    return no_member(callee, list);
  }

  TypedPtr integer_argument(const Snippet& call, std::size_t i) {
    return as(*call.operands[i], type(*call.operands[i]), {Kind::integer});
  }

  // ---- functions

  TypedPtr of_function_call(const Snippet& snippet, const std::string& name) {
    const std::string_view function = unqualified(name);
    if (function == "static_cast" || function == "const_cast" || function == "reinterpret_cast") {
      return snippet.operands.size() == 2 ? of_cast(snippet, template_argument(name), *snippet.operands[1])
                                          : fail(snippet, "a cast takes one value");
    }
    std::vector<TypedPtr> arguments;
    for (std::size_t i = 1; i < snippet.operands.size(); ++i) {
      arguments.push_back(type(*snippet.operands[i]));
      if (!arguments.back()) return nullptr;
    }
    if (TypedPtr built_in = of_built_in(snippet, name, function, arguments)) return built_in;
    if (!untyped.why.empty()) return nullptr;
    return of_registered(snippet, function, arguments);
  }

  /// What C++ and its library have for numbers, lists and tuples; null for any other function.
  TypedPtr of_built_in(const Snippet& snippet, std::string_view name, std::string_view function,
                       const std::vector<TypedPtr>& arguments) {
    if (is_list_type(name)) {
      if (arguments.empty()) return of_list(snippet, {});
      if (arguments.size() == 1) return as(*snippet.operands[1], arguments[0], {Kind::sizes});
    }
    if (function == "get" && arguments.size() == 1) {
      std::int64_t index = 0;
      const std::string_view text = template_argument(name);
      if (std::from_chars(text.data(), text.data() + text.size(), index).ec != std::errc()) return nullptr;
      return element(snippet, arguments[0], integer_literal(index, Kind::integer, snippet.where));
    }
    // C strings and C++ strings are one type here.
    if ((function == "string" || function == "string_view") && arguments.size() == 1) return arguments[0];
    if (function == "Scalar" && arguments.size() == 1) return as(*snippet.operands[1], arguments[0], {Kind::scalar});
    if (function == "abs") {
      if (arguments.size() != 1 || !is_number(arguments[0]->type)) return fail_to_take(snippet, function, arguments);
      return make_typed(Operation::absolute, arguments[0]->type, arguments, snippet.where);
    }
    if (function == "min" || function == "max") {
      const auto common = arguments.size() == 2 ? common_type(arguments[0]->type, arguments[1]->type) : std::nullopt;
      if (!common || !is_number(*common)) return fail_to_take(snippet, function, arguments);
      return make_typed(
          function == "min" ? Operation::minimum : Operation::maximum, *common,
          {as(*snippet.operands[1], arguments[0], *common), as(*snippet.operands[2], arguments[1], *common)},
          snippet.where);
    }
    return nullptr;
  }

  TypedPtr fail_to_take(const Snippet& snippet, std::string_view name, const std::vector<TypedPtr>& arguments) {
    return fail(snippet, "`" + std::string(name) + "` does not take " + list_of_types(arguments));
  }

  TypedPtr of_registered(const Snippet& snippet, std::string_view name, const std::vector<TypedPtr>& arguments) {
    const auto overloads = functions_named(name);
    if (overloads.empty())
      return fail(*snippet.operands[0], "`" + std::string(name) + "` is no function that has a rule");
    const Function* best = nullptr;
    int best_cost = 0;
    for (const Function& overload : overloads) {
      const auto cost = cost_of(overload, arguments);
      if (cost && (!best || *cost < best_cost)) {
        best = &overload;
        best_cost = *cost;
      }
    }
    if (!best) return fail_to_take(snippet, name, arguments);
    Typed call;
    call.operation = Operation::call;
    call.type = best->result;
    call.function = best;
    call.text = std::string(name);
    call.where = snippet.where;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      call.operands.push_back(as(*snippet.operands[i + 1], arguments[i], best->parameters[i]));
    }
    return std::make_shared<const Typed>(std::move(call));
  }

  static std::optional<int> cost_of(const Function& function, const std::vector<TypedPtr>& arguments) {
    if (function.parameters.size() != arguments.size()) return std::nullopt;
    int total = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto cost = conversion_cost(*arguments[i], function.parameters[i]);
      if (!cost) return std::nullopt;
      total += *cost;
    }
    return total;
  }

  static std::string list_of_types(const std::vector<TypedPtr>& arguments) {
    if (arguments.empty()) return "no arguments";
    std::string text;
    for (const TypedPtr& argument : arguments) text += (text.empty() ? "" : ", ") + to_string(argument->type);
    return text;
  }

  const Scope& scope_;
};

TypingResult finish(Typer& typer, TypedPtr typed) { return {std::move(typed), std::move(typer.untyped)}; }

}  // namespace

TypingResult type_snippet(const Snippet& snippet, const Scope& scope) {
  Typer typer(scope);
  return finish(typer, typer.type(snippet));
}

TypingResult type_size(const Snippet& snippet, const Scope& scope) {
  Typer typer(scope);
  TypedPtr typed = typer.type(snippet);
  if (typed && typed->type == Type{Kind::tensor}) {
    typed = make_typed(Operation::sizes, {Kind::sizes}, {typed}, snippet.where);
  }
  return finish(typer, typer.as(snippet, typed, {Kind::sizes}));
}

TypingResult type_dtype(const Snippet& snippet, const Scope& scope) {
  Typer typer(scope);
  TypedPtr typed = typer.type(snippet);
  if (typed && typed->type == Type{Kind::tensor}) {
    typed = make_typed(Operation::dtype, {Kind::dtype}, {typed}, snippet.where);
  }
  return finish(typer, typer.as(snippet, typed, {Kind::dtype}));
}

}  // namespace opwright::upstream
