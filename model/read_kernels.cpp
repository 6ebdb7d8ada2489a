#include <fmt/format.h>

#include <algorithm>

#include "model/draft.h"
#include "model/keys.h"

namespace opwright::model {
namespace {

void read_npu(Draft& draft, const Node& node) {
  const ExprPtr call = parse_expression(node, draft.diagnostics);
  if (call == nullptr) return;
  if (call->kind != ExprKind::call || !call->text.starts_with("aclnn")) {
    draft.error(call->where, "an npu binding must be a call of an aclnn function").help =
        "write `aclnnName(x, k, result)`";
    return;
  }
  if (!draft.dims_read) return;
  NpuBinding binding{.function = call->text, .arguments = {}, .where = call->where};
  for (const ExprPtr& argument : call->operands) {
    if (auto typed = draft.type(Place::npu, argument, std::nullopt)) binding.arguments.push_back(std::move(*typed));
  }
  draft.op.npu = std::move(binding);
}

void read_only_sizes(Draft& draft, const Node& list) {
  for (const Node& item : list.items) {
    if (!expect_kind(item, NodeKind::scalar, "an entry of `only_sizes_of`", draft.diagnostics)) continue;
    const auto argument = std::find_if(
        draft.op.arguments.begin(), draft.op.arguments.end(),
        [&](const Argument& candidate) { return candidate.name() == item.text && candidate.schema.type.is("Tensor"); });
    if (argument == draft.op.arguments.end()) {
      draft.error(item.where, fmt::format("there is no tensor `{}`", item.text)).help =
          suggest(item.text, draft.tensor_names());
    } else {
      argument->only_sizes = true;
    }
  }
}

}  // namespace

void read_kernels(Draft& draft) {
  const Node* kernels = draft.mapping("kernels");
  if (kernels == nullptr) return;
  constexpr Key keys[] = {
      {"cpu", NodeKind::scalar, true}, {"npu", NodeKind::scalar, false}, {"only_sizes_of", NodeKind::sequence, false}};
  check_keys(*kernels, "`kernels`", kernels->where, keys, draft.diagnostics);
  if (const Node* cpu = find(*kernels, "cpu", NodeKind::scalar)) {
    draft.op.cpu_kernel = cpu->text;
    draft.op.cpu_kernel_where = cpu->where;
    if (!is_identifier(cpu->text)) {
      draft.error(cpu->where, fmt::format("`{}` is not the name of a C++ function", cpu->text)).help =
          "write its name alone: `token_permute`";
    }
  }
  const Node* only_sizes = find(*kernels, "only_sizes_of", NodeKind::sequence);
  if (only_sizes != nullptr && draft.schema_read) read_only_sizes(draft, *only_sizes);
  const Node* npu = find(*kernels, "npu", NodeKind::scalar);
  if (npu != nullptr && draft.schema_read) read_npu(draft, *npu);
}

}  // namespace opwright::model
