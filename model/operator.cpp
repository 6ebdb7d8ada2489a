#include "model/operator.h"

#include <algorithm>

namespace opwright::model {
namespace {

template <class Items, class NameOf>
auto* find_named(const Items& items, std::string_view name, NameOf name_of) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return name_of(item) == name; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const Argument* Operator::argument(std::string_view wanted) const {
  return find_named(arguments, wanted, [](const Argument& item) { return item.name(); });
}

const Result* Operator::result(std::string_view wanted) const {
  return find_named(results, wanted, [](const Result& item) { return item.name; });
}

const NamedDim* Operator::dim(std::string_view wanted) const {
  return find_named(dims, wanted, [](const NamedDim& item) { return item.name; });
}

const TypeSet* Operator::type_set(std::string_view wanted) const {
  return find_named(types, wanted, [](const TypeSet& item) { return item.name; });
}

const Operator* Library::find(std::string_view wanted) const {
  return find_named(operators, wanted, [](const Operator& item) { return item.name; });
}

}  // namespace opwright::model
