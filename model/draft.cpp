#include "model/draft.h"

#include "model/keys.h"

namespace opwright::model {

const Node* Draft::mapping(std::string_view key) const { return find(document, key, NodeKind::mapping); }

const Node* Draft::scalar(std::string_view key) const { return find(document, key, NodeKind::scalar); }

std::optional<Typed> Draft::expression(Place place, const Node& node, std::optional<Kind> wanted) {
  const ExprPtr expr = parse_expression(node, diagnostics);
  if (expr == nullptr) return std::nullopt;
  return type(place, expr, wanted);
}

std::vector<std::string> Draft::argument_names() const {
  std::vector<std::string> names;
  for (const Argument& argument : op.arguments) names.push_back(argument.name());
  return names;
}

std::vector<std::string> Draft::tensor_names() const {
  std::vector<std::string> names;
  for (const Argument& argument : op.arguments) {
    if (argument.schema.type.is("Tensor")) names.push_back(argument.name());
  }
  return names;
}

std::vector<std::string> Draft::result_names() const {
  std::vector<std::string> names;
  for (const Result& result : op.results) names.push_back(result.name);
  return names;
}

}  // namespace opwright::model
