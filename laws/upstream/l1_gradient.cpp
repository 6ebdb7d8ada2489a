#include <set>
#include <utility>

#include "laws/upstream/laws.h"

namespace opwright::upstream {
namespace {

enum class Verdict { proved, refuted, unlikely, undecided };

/// What a rule of the gradient operator is in the terms in which its input has a name, so that the two can be compared.
template <typename Rule>
Rule comparable(const Gradient& gradient, const Rule& rule) {
  const bool own = rule.from == Rule::From::tensor && rule.name == gradient.input;
  return gradient.call && !own ? gradient.call->in_forward_terms(rule) : rule;
}

template <typename Rule>
bool is_the_input(const Gradient& gradient, const Rule& rule, const Rule& compared) {
  if (rule.from == Rule::From::tensor && rule.name == gradient.input) return true;
  return gradient.call && compared.from == Rule::From::tensor && compared.name == gradient.forward_input;
}

/// Whether the operator takes the dtypes of its results from different tensors. Upstream cannot say that tensors share
/// a dtype: where all results are written through one tensor, they may well do so, and where not, they need not.
bool distinguishes_dtypes(const Gradient& gradient, const Names& present) {
  std::set<std::string> sources;
  for (const ResultRule& result : gradient.op->generated->results) {
    const DtypeRule rule = dtype_rule(result, *gradient.op, present);
    if (rule.from == DtypeRule::From::tensor) sources.insert(rule.name);
  }
  return sources.size() > 1;
}

/// A dtype that is taken from another tensor than the input is wrong for certain when that tensor's dtype does not
/// depend on the input: the forward operator says where it comes from, or the input may be absent and the other is
/// there all the same.
Verdict judge_dtype(const Gradient& gradient, const Names& present) {
  using From = DtypeRule::From;
  const DtypeRule rule = dtype_rule(gradient.rule(), *gradient.op, present);
  const DtypeRule compared = comparable(gradient, rule);
  if (is_the_input(gradient, rule, compared)) return Verdict::proved;
  if (rule.from != From::tensor) return Verdict::undecided;
  const bool other_input = gradient.call && compared.from == From::tensor;
  if (!other_input && !gradient.input_argument()->type.optional) return Verdict::undecided;
  return distinguishes_dtypes(gradient, present) ? Verdict::refuted : Verdict::unlikely;
}

/// The rule to write instead, as upstream spells it.
std::string right_dtype(const SchemaArgument& input, const std::string& without_it) {
  if (!input.type.optional) return input.name;
  return "'" + input.name + ".has_value() && " + input.name + "->defined() ? " + input.name +
         "->scalar_type() : " + without_it + ".scalar_type()'";
}

void report_dtype(const Gradient& gradient, const std::string& source, Verdict verdict, Diagnostics& diagnostics) {
  const std::string& input = gradient.input_name();
  const std::string& result = gradient.rule().name;
  const SourceRange& where = gradient.rule().dtype->where;
  const bool refuted = verdict == Verdict::refuted;
  const std::string message = refuted ? result + " is the gradient of " + input + " but has the dtype of " + source
                                      : "cannot prove that " + result + " has the dtype of " + input +
                                            ", whose gradient it is: it has that of " + source;
  Diagnostic& finding = refuted ? diagnostics.error(where, message) : diagnostics.warning(where, message);
  finding.law = "L1";
  const SchemaArgument& argument = *gradient.input_argument();
  if (!gradient.input.empty()) finding.help = "write `dtype: " + right_dtype(argument, source) + "`";
  finding.add_note(argument.where,
                   (refuted ? "counter-example: " : "they differ for ") + input + " float32, " + source + " bfloat16");
  if (!gradient.call) return;
  finding.add_note(gradient.call->call->where,
                   "the derivative of " + gradient.call->derivative->forward.name + " pairs them");
}

/// No dimensions at all cannot be right for an input that may have some; more is not decided by the text.
void check_sizes(const Gradient& gradient, const Names& present, Diagnostics& diagnostics) {
  if (size_rule(gradient.rule(), *gradient.op, present).from != SizeRule::From::none) return;
  Diagnostic& error =
      diagnostics.error(gradient.rule().size->where, gradient.rule().name + " is the gradient of " +
                                                         gradient.input_name() + " but has no dimensions");
  error.law = "L1";
  error.help = gradient.input.empty() ? std::string() : "write `size: " + gradient.input + "`";
  error.add_note(gradient.input_argument()->where, "counter-example: " + gradient.input_name() + " with sizes [2, 3]");
}

}  // namespace

void check_gradients(const std::vector<Gradient>& gradients, Diagnostics& diagnostics, UpstreamSummary& summary) {
  std::set<std::pair<const ResultRule*, std::string>> reported;  // several derivatives may call one operator
  for (const Gradient& gradient : gradients) {
    const Names present = {gradient.input_name()};
    const Verdict verdict = judge_dtype(gradient, present);
    const bool suspicious = verdict == Verdict::refuted || verdict == Verdict::unlikely;
    if (suspicious && reported.emplace(&gradient.rule(), gradient.input_name()).second) {
      report_dtype(gradient, dtype_rule(gradient.rule(), *gradient.op, present).name, verdict, diagnostics);
    }
    check_sizes(gradient, present, diagnostics);
    summary.gradients_proved += verdict == Verdict::proved ? 1 : 0;
    summary.gradients_refuted += verdict == Verdict::refuted ? 1 : 0;
    summary.gradients_undecided += verdict == Verdict::unlikely || verdict == Verdict::undecided ? 1 : 0;
  }
}

}  // namespace opwright::upstream
