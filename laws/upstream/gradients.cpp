#include "laws/upstream/gradients.h"

#include <algorithm>
#include <charconv>

namespace opwright::upstream {
namespace {

/// The gradient operator's calls that a formula may come down to: itself, or the branches of `?:`.
void collect_calls(const Snippet& formula, std::vector<const Snippet*>& calls) {
  if (formula.kind == SnippetKind::call) calls.push_back(&formula);
  if (formula.kind != SnippetKind::conditional) return;
  collect_calls(*formula.operands[1], calls);
  collect_calls(*formula.operands[2], calls);
}

/// The number behind a prefix: 2 of `result2`.
std::optional<std::size_t> number_behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

/// The result of the forward operator that a snippet of a formula stands for, or is the gradient of: the two have one
/// dtype and one size. `grad` belongs to the first differentiable result, `grads[i]` to the i-th.
std::optional<std::size_t> forward_result(const Snippet& snippet, const Derivative& derivative) {
  const std::vector<std::string>& differentiable = derivative.output_differentiability;
  const auto nth_differentiable = [&](std::size_t n) -> std::optional<std::size_t> {
    if (differentiable.empty()) return n;
    for (std::size_t i = 0; i < differentiable.size(); ++i) {
      const bool no = differentiable[i] == "false" || differentiable[i] == "False";
      if (!no && n-- == 0) return i;
    }
    return std::nullopt;
  };
  const std::optional<std::size_t> number = result_number(snippet);
  if (snippet.kind == SnippetKind::index) return number ? nth_differentiable(*number) : std::nullopt;
  if (snippet.kind != SnippetKind::name) return std::nullopt;
  if (snippet.text == "grad") return nth_differentiable(0);
  return snippet.text == "result" ? 0 : number;
}

/// What the call gives to an argument of the gradient operator; null when it leaves it to its default.
const Snippet* given(const GradientCall& call, const std::string& argument) {
  const std::vector<SchemaArgument>& arguments = call.gradient->schema.arguments;
  const auto found = std::find_if(arguments.begin(), arguments.end(),
                                  [&](const SchemaArgument& candidate) { return candidate.name == argument; });
  const std::size_t position = static_cast<std::size_t>(found - arguments.begin()) + 1;  // the callee stands in front
  return found != arguments.end() && position < call.call->operands.size() ? call.call->operands[position].get()
                                                                           : nullptr;
}

/// The forward operator's rule for what a snippet of a formula stands for.
template <typename Rule, typename RuleOfResult>
Rule forward_rule(const GradientCall& call, const Snippet& snippet, RuleOfResult rule_of_result) {
  if (snippet.kind == SnippetKind::name && call.derivative->forward.find(snippet.text)) {
    return {Rule::From::tensor, snippet.text};
  }
  const std::optional<std::size_t> result = forward_result(snippet, *call.derivative);
  const bool known =
      result && call.forward && call.forward->generated && *result < call.forward->generated->results.size();
  return known ? rule_of_result(call.forward->generated->results[*result]) : Rule{};
}

void pair_by_derivatives(const FunctionsFile& functions, const DerivativesFile& derivatives,
                         std::vector<Gradient>& gradients) {
  for (const Derivative& derivative : derivatives.derivatives) {
    const std::string forward_name = derivative.forward.overload.empty()
                                         ? derivative.forward.name
                                         : derivative.forward.name + "." + derivative.forward.overload;
    for (const Formula& formula : derivative.formulas) {
      if (!formula.value.snippet) continue;
      std::vector<const Snippet*> calls;
      collect_calls(*formula.value.snippet, calls);
      for (const Snippet* snippet : calls) {
        const Operator* gradient = functions.find_called(called_function(*snippet));
        if (!gradient || !gradient->generated) continue;
        if (gradient->generated->results.size() != formula.inputs.size()) continue;
        const GradientCall call{&derivative, functions.find(forward_name), snippet, gradient};
        for (std::size_t i = 0; i < formula.inputs.size(); ++i) {
          const std::string& input = formula.inputs[i].text;
          if (!derivative.forward.find(input)) continue;
          gradients.push_back({gradient, i, call.receiver(input), input, call});
        }
      }
    }
  }
}

/// `grad_x`, `x_grad` -> `x`
std::string input_by_name(const std::string& result) {
  if (result.starts_with("grad_")) return result.substr(5);
  return result.ends_with("_grad") ? result.substr(0, result.size() - 5) : std::string();
}

void pair_by_names(const FunctionsFile& functions, std::vector<Gradient>& gradients) {
  for (const Operator& op : functions.operators) {
    const std::string& name = op.schema.name;
    const bool gradient = name.find("_grad") != std::string::npos || name.find("_backward") != std::string::npos;
    if (!gradient || !op.generated) continue;
    for (std::size_t i = 0; i < op.generated->results.size(); ++i) {
      const std::string input = input_by_name(op.generated->results[i].name);
      const SchemaArgument* argument = op.schema.find(input);
      if (!argument || !argument->type.is("Tensor")) continue;
      const bool paired = std::any_of(gradients.begin(), gradients.end(), [&](const Gradient& other) {
        return other.op == &op && other.result == i && other.input_name() == input;
      });
      if (!paired) gradients.push_back({&op, i, input, {}, std::nullopt});
    }
  }
}

}  // namespace

std::optional<std::size_t> result_number(const Snippet& snippet) {
  const bool indexed = snippet.kind == SnippetKind::index && snippet.operands[0]->text == "grads";
  if (indexed) return number_behind(snippet.operands[1]->text, "");
  return snippet.kind == SnippetKind::name ? number_behind(snippet.text, "result") : std::nullopt;
}

std::string GradientCall::receiver(const std::string& forward_argument) const {
  for (std::size_t i = 1; i < call->operands.size() && i <= gradient->schema.arguments.size(); ++i) {
    const Snippet& operand = *call->operands[i];
    if (operand.kind == SnippetKind::name && operand.text == forward_argument) {
      return gradient->schema.arguments[i - 1].name;
    }
  }
  return {};
}

DtypeRule GradientCall::in_forward_terms(const DtypeRule& rule) const {
  using From = DtypeRule::From;
  if (rule.from == From::fixed) return rule;
  if (rule.from != From::tensor && rule.from != From::argument) return {};
  const Snippet* snippet = given(*this, rule.name);
  if (!snippet) return {};
  if (rule.from == From::argument) {  // `x.scalar_type()`
    const bool asks = snippet->kind == SnippetKind::call && snippet->operands[0]->kind == SnippetKind::member &&
                      snippet->operands[0]->text == "scalar_type";
    if (!asks) return {};
    snippet = snippet->operands[0]->operands[0].get();
  }
  return forward_rule<DtypeRule>(*this, *snippet,
                                 [&](const ResultRule& result) { return dtype_rule(result, *forward, {}); });
}

SizeRule GradientCall::in_forward_terms(const SizeRule& rule) const {
  if (rule.from != SizeRule::From::tensor) return rule;
  const Snippet* snippet = given(*this, rule.name);
  if (!snippet) return {};
  return forward_rule<SizeRule>(*this, *snippet,
                                [&](const ResultRule& result) { return size_rule(result, *forward, {}); });
}

const SchemaArgument* Gradient::input_argument() const {
  return input.empty() ? call->derivative->forward.find(forward_input) : op->schema.find(input);
}

std::vector<Gradient> find_gradients(const FunctionsFile& functions, const DerivativesFile& derivatives) {
  std::vector<Gradient> gradients;
  pair_by_derivatives(functions, derivatives, gradients);
  pair_by_names(functions, gradients);
  return gradients;
}

}  // namespace opwright::upstream
