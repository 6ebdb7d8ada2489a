#include "model/upstream/constants.h"

#include <array>
#include <utility>

#include "runtime/upstream/dtype_codes.h"

namespace opwright::upstream {
namespace {

TypedPtr dtype_literal(ScalarType dtype, const SourceRange& where) {
  Typed literal;
  literal.type = {Kind::dtype};
  literal.dtype = dtype;
  literal.where = where;
  return std::make_shared<const Typed>(std::move(literal));
}

/// The numbers that `int reduction` of a schema takes.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kReductions = {
    {{"Reduction::None", 0}, {"Reduction::Mean", 1}, {"Reduction::Sum", 2}}};

bool strip_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

TypedPtr integer_literal(std::int64_t value, Kind kind, const SourceRange& where) {
  Typed literal;
  literal.type = {kind};
  literal.number = value;
  literal.where = where;
  return std::make_shared<const Typed>(std::move(literal));
}

TypedPtr constant_named(std::string_view name, const SourceRange& where) {
  if (name == "true" || name == "false") return integer_literal(name == "true" ? 1 : 0, Kind::boolean, where);
  strip_prefix(name, "::");
  if (const std::size_t type = name.rfind("DType::"); type != std::string_view::npos) {
    const std::string_view dtype = name.substr(type + std::string_view("DType::").size());
    for (const DtypeCode& known : dtype_codes) {
      if (known.name == dtype) return integer_literal(known.code, Kind::integer, where);
    }
  }
  const bool qualified = strip_prefix(name, "at::") || strip_prefix(name, "c10::") || strip_prefix(name, "std::");
  if (name == "nullptr" || (qualified && name == "nullopt")) {
    Typed absent;
    absent.operation = Operation::absent;
    absent.type = {Kind::other, true};
    absent.where = where;
    return std::make_shared<const Typed>(std::move(absent));
  }
  for (const auto& [reduction, number] : kReductions) {
    if (name == reduction) return integer_literal(number, Kind::integer, where);
  }
  if (!strip_prefix(name, "ScalarType::") && !(qualified && strip_prefix(name, "k"))) return nullptr;
  const std::optional<ScalarType> dtype = scalar_type_named(name);
  return dtype ? dtype_literal(*dtype, where) : nullptr;
}

}  // namespace opwright::upstream
