#include <fmt/format.h>

#include "model/draft.h"
#include "model/keys.h"
#include "model/kinds.h"

namespace opwright::model {
namespace {

constexpr std::string_view supported =
    "declarations can use Tensor, int, SymInt, bool, float, str, ScalarType, each also optional, and lists of integers";

void read_schema(Draft& draft, const Node& node) {
  const auto schema = parse_schema(node, /*named=*/false, draft.diagnostics);
  if (!schema) return;
  Operator& op = draft.op;
  op.schema = *schema;
  op.schema.name = op.name;
  bool good = true;
  for (const SchemaArgument& argument : schema->arguments) {
    good = good && kind_of(argument.type).has_value();
    if (!kind_of(argument.type)) {
      draft
          .error(argument.where, fmt::format("`{}` has the type {}, which declarations cannot use yet", argument.name,
                                             to_string(argument.type)))
          .help = supported;
    }
    Argument read;
    read.schema = argument;
    read.optional_tensor = argument.type.is("Tensor") && argument.type.optional;
    op.arguments.push_back(std::move(read));
  }
  for (const SchemaReturn& result : schema->returns) {
    if (result.type.is("Tensor") && !result.type.optional && result.type.alias.empty()) continue;
    good = false;
    draft.error(result.where,
                fmt::format("a result of type {} cannot be declared yet; results are Tensor", to_string(result.type)));
  }
  draft.schema_read = good;
}

}  // namespace

void read_head(Draft& draft) {
  Operator& op = draft.op;
  if (const Node* name = draft.scalar("operator")) {
    op.name = name->text;
    op.where = name->where;
    if (!is_identifier(op.name)) {
      draft.error(name->where, fmt::format("`{}` is not a name of an operator", op.name)).help =
          "letters, digits and `_`, without namespace: npu_moe_token_permute";
    }
  }
  if (const Node* summary = draft.scalar("summary")) op.summary = summary->text;
  if (const Node* notes = draft.scalar("notes")) op.notes = notes->text;
  if (const Node* schema = draft.scalar("schema")) read_schema(draft, *schema);
}

}  // namespace opwright::model
