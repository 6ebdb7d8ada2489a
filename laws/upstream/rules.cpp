#include "laws/upstream/rules.h"

#include <map>
#include <string_view>

namespace opwright::upstream {
namespace {

bool is_tensor(const Operator& op, const std::string& name) {
  const SchemaArgument* argument = op.schema.find(name);
  return argument && argument->type.is("Tensor");
}

/// The argument whose tensor a snippet is: `x`, or `x.value()` of an optional one.
std::string tensor_of(const Snippet& snippet, const Operator& op) {
  if (snippet.kind == SnippetKind::name && is_tensor(op, snippet.text)) return snippet.text;
  if (snippet.kind == SnippetKind::call && snippet.operands[0]->kind == SnippetKind::member &&
      snippet.operands[0]->text == "value") {
    return tensor_of(*snippet.operands[0]->operands[0], op);
  }
  return {};
}

/// The tensor `x` of `x.member()` and `x->member()`.
std::string tensor_asked_for(const Snippet& snippet, std::string_view member, const Operator& op) {
  return called_member(snippet) == member ? tensor_of(*snippet.operands[0]->operands[0], op) : std::string();
}

/// What a conditional yields: the branch that is taken, if that is decided, or what both branches agree on.
template <typename Rule, typename RuleOf>
Rule of_conditional(const Snippet& snippet, const Names& present, RuleOf rule_of) {
  const std::optional<bool> decided = outcome(*snippet.operands[0], present);
  if (decided) return rule_of(*snippet.operands[*decided ? 1 : 2]);
  const Rule then = rule_of(*snippet.operands[1]);
  return then == rule_of(*snippet.operands[2]) ? then : Rule{};
}

/// Reads dtypes of one operator. Each of new_params is read once, in order, and sees the earlier ones.
class DtypeReader {
 public:
  DtypeReader(const Operator& op, const Names& present) : op_(op), present_(present) {
    if (!op.generated) return;
    for (const NewParameter& parameter : op.generated->new_parameters) {
      if (parameter.value.snippet) new_parameters_[parameter.name] = read(*parameter.value.snippet);
    }
  }

  DtypeRule read(const Snippet& snippet) const {
    using From = DtypeRule::From;
    if (snippet.kind == SnippetKind::name) return of_name(snippet.text);
    if (snippet.kind == SnippetKind::conditional) {
      return of_conditional<DtypeRule>(snippet, present_, [&](const Snippet& branch) { return read(branch); });
    }
    const std::string asked = tensor_asked_for(snippet, "scalar_type", op_);
    if (!asked.empty()) return {From::tensor, asked};
    const std::string function = called_function(snippet);
    if (function == "typeMetaToScalarType" && snippet.operands.size() == 2) {
      const std::string tensor = tensor_asked_for(*snippet.operands[1], "dtype", op_);
      return tensor.empty() ? DtypeRule{} : DtypeRule{From::tensor, tensor};
    }
    if (function == "result_type" || function == "promoteTypes") return {From::promoted, {}};
    return {};
  }

 private:
  /// A bare name stands for the dtype of a tensor, a ScalarType argument, one of new_params, or a constant.
  DtypeRule of_name(const std::string& name) const {
    using From = DtypeRule::From;
    if (const SchemaArgument* argument = op_.schema.find(name)) {
      if (argument->type.optional) return {};
      if (argument->type.is("Tensor")) return {From::tensor, name};
      return argument->type.is("ScalarType") ? DtypeRule{From::argument, name} : DtypeRule{};
    }
    if (const auto parameter = new_parameters_.find(name); parameter != new_parameters_.end()) return parameter->second;
    const bool constant =
        name.starts_with("at::k") || name.starts_with("at::ScalarType::") || name.starts_with("c10::k");
    return constant ? DtypeRule{From::fixed, name} : DtypeRule{};
  }

  const Operator& op_;
  const Names& present_;
  std::map<std::string, DtypeRule> new_parameters_;
};

SizeRule read_sizes(const Snippet& snippet, const Operator& op, const Names& present) {
  using From = SizeRule::From;
  const std::string tensor = tensor_of(snippet, op);
  if (!tensor.empty()) return {From::tensor, tensor};
  const std::string asked = tensor_asked_for(snippet, "sizes", op);
  if (!asked.empty()) return {From::tensor, asked};
  if (snippet.kind == SnippetKind::conditional) {
    return of_conditional<SizeRule>(snippet, present,
                                    [&](const Snippet& branch) { return read_sizes(branch, op, present); });
  }
  const bool list = snippet.kind == SnippetKind::list || snippet.kind == SnippetKind::construct;
  return list && snippet.operands.empty() ? SizeRule{From::none, {}} : SizeRule{};
}

}  // namespace

DtypeRule dtype_rule(const ResultRule& result, const Operator& op, const Names& present) {
  return result.dtype && result.dtype->snippet ? DtypeReader(op, present).read(*result.dtype->snippet) : DtypeRule{};
}

SizeRule size_rule(const ResultRule& result, const Operator& op, const Names& present) {
  return result.size && result.size->snippet ? read_sizes(*result.size->snippet, op, present) : SizeRule{};
}

}  // namespace opwright::upstream
