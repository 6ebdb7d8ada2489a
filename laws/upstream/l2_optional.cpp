#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "laws/upstream/each_expression.h"
#include "laws/upstream/laws.h"
#include "laws/upstream/presence.h"

namespace opwright::upstream {
namespace {

/// What C++'s optional has; everything else is a member of what is inside.
bool belongs_to_optional(std::string_view member) {
  constexpr std::array<std::string_view, 3> members = {"has_value", "value", "value_or"};
  return std::find(members.begin(), members.end(), member) != members.end();
}

/// Follows an expression with the arguments that are known to be present at each place.
class OptionalReads {
 public:
  OptionalReads(const Operator& op, Diagnostics& diagnostics) : op_(op), diagnostics_(diagnostics) {}

  void check(const Snippet& snippet, const Names& present) {
    const auto operand = [&](std::size_t i) -> const Snippet& { return *snippet.operands[i]; };
    if (snippet.kind == SnippetKind::conditional) {
      check(operand(0), present);
      check(operand(1), with(present, present_when(operand(0), true)));
      check(operand(2), with(present, present_when(operand(0), false)));
      return;
    }
    if (snippet.kind == SnippetKind::binary && (snippet.text == "&&" || snippet.text == "||")) {
      check(operand(0), present);
      check(operand(1), with(present, present_when(operand(0), snippet.text == "&&")));
      return;
    }
    const bool reads = snippet.kind == SnippetKind::member || snippet.kind == SnippetKind::arrow;
    if (reads && operand(0).kind == SnippetKind::name) check_read(snippet, operand(0), present);
    for (const SnippetPtr& part : snippet.operands) check(*part, present);
  }

 private:
  static Names with(Names names, const Names& more) {
    names.insert(more.begin(), more.end());
    return names;
  }

  void check_read(const Snippet& read, const Snippet& base, const Names& present) {
    const SchemaArgument* argument = op_.schema.find(base.text);
    if (!argument || !argument->type.optional) return;
    if (read.kind == SnippetKind::member && !belongs_to_optional(read.text)) {
      report(read.where,
             "`" + base.text + "` may be absent, and `." + read.text + "` reads it without deciding what then",
             *argument, "write `" + base.text + ".has_value() ? " + base.text + "->" + read.text + "… : …`");
    } else if ((read.kind == SnippetKind::arrow || read.text == "value") && !present.contains(base.text)) {
      report(read.where, "`" + base.text + "` may be absent here", *argument,
             "ask `" + base.text + ".has_value() ? … : …` first");
    }
  }

  void report(const SourceRange& where, const std::string& message, const SchemaArgument& argument,
              const std::string& help) {
    Diagnostic& error = diagnostics_.error(where, message);
    error.law = "L2";
    error.help = help;
    error.add_note(argument.where, "it is optional here");
  }

  const Operator& op_;
  Diagnostics& diagnostics_;
};

/// A size or dtype that is an optional argument's bare name.
void check_bare_name(const Operator& op, const std::optional<Expression>& rule, std::string_view kind,
                     Diagnostics& diagnostics) {
  if (!rule || !rule->snippet || rule->snippet->kind != SnippetKind::name) return;
  const SchemaArgument* argument = op.schema.find(rule->snippet->text);
  if (!argument || !argument->type.optional) return;
  Diagnostic& error = diagnostics.error(
      rule->where, "`" + argument->name + "` may be absent, and then this result has no " + std::string(kind));
  error.law = "L2";
  error.help = "say what it is without `" + argument->name + "`: `" + argument->name + ".has_value() ? … : …`";
  error.add_note(argument->where, "it is optional here");
}

}  // namespace

void check_optionals(const Operator& op, Diagnostics& diagnostics) {
  OptionalReads reads(op, diagnostics);
  each_expression(op, [&](const Snippet& snippet) { reads.check(snippet, {}); });
  if (!op.generated) return;
  for (const ResultRule& result : op.generated->results) {
    check_bare_name(op, result.size, "size", diagnostics);
    check_bare_name(op, result.dtype, "dtype", diagnostics);
  }
}

void check_absent_gradients(const std::vector<Gradient>& gradients, Diagnostics& diagnostics) {
  std::set<const ResultRule*> reported;
  for (const Gradient& gradient : gradients) {
    const SchemaArgument* input = gradient.input_argument();
    if (!input || !input->type.optional || !gradient.op->is_functional()) continue;
    if (!reported.insert(&gradient.rule()).second) continue;
    Diagnostic& error = diagnostics.error(gradient.rule().where,
                                          gradient.rule().name + " is the gradient of " + gradient.input_name() +
                                              ", which may be absent, but is returned all the same, as a placeholder");
    error.law = "L2";
    error.help = "gen_opapi has no absent results: write the operator by hand, or declare it to opwright with `" +
                 gradient.rule().name + ": like " + gradient.input_name() + "`";
    error.add_note(input->where, "it is optional here");
  }
}

}  // namespace opwright::upstream
