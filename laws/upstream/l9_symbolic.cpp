#include "laws/upstream/laws.h"

namespace opwright::upstream {
namespace {

class SymbolicCheck {
 public:
  SymbolicCheck(const Derivative& derivative, const FunctionsFile& functions, Diagnostics& diagnostics)
      : derivative_(derivative), functions_(functions), diagnostics_(diagnostics) {}

  /// `receiver` is the argument that gets the value, where the file declares who is called.
  void check(const Snippet& snippet, const SchemaArgument* receiver) {
    const std::string member = called_member(snippet);
    if (member == "expect_int") {
      const Snippet& size = *snippet.operands[0]->operands[0];
      report(snippet, "`expect_int` makes a number of the symbolic size `" + to_string(size) + "`", to_string(size),
             receiver);
      return;
    }
    if (member == "size" && is_tensor(*snippet.operands[0]->operands[0])) {
      Snippet symbolic = *snippet.operands[0];
      symbolic.text = "sym_size";
      Snippet call = snippet;
      call.operands[0] = std::make_shared<const Snippet>(symbolic);
      report(snippet, "`" + to_string(snippet) + "` is a number where the size may be symbolic", to_string(call),
             receiver);
      return;
    }
    const Operator* called = functions_.find_called(called_function(snippet));
    for (std::size_t i = 0; i < snippet.operands.size(); ++i) {
      const bool argument = called && i > 0 && i <= called->schema.arguments.size();
      // The branches of `a ? 1 : x.size(0)` go where the whole goes.
      const bool passes_on = snippet.kind == SnippetKind::conditional && i > 0;
      check(*snippet.operands[i], argument ? &called->schema.arguments[i - 1] : passes_on ? receiver : nullptr);
    }
  }

 private:
  bool is_tensor(const Snippet& snippet) const {
    const SchemaArgument* argument =
        snippet.kind == SnippetKind::name ? derivative_.forward.find(snippet.text) : nullptr;
    return argument && argument->type.is("Tensor");
  }

  void report(const Snippet& snippet, const std::string& what, const std::string& symbolic,
              const SchemaArgument* receiver) {
    Diagnostic& error = diagnostics_.error(snippet.where, what + ", so that torch.compile compiles anew for each");
    error.law = "L9";
    if (!receiver || !receiver->type.is("int")) {
      error.help = "write `" + symbolic + "`";
      return;
    }
    error.help = "declare `SymInt " + receiver->name + "` and write `" + symbolic + "`";
    error.add_note(receiver->where, "it is passed as this `int`");
  }

  const Derivative& derivative_;
  const FunctionsFile& functions_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_symbolic(const Derivative& derivative, const FunctionsFile& functions, Diagnostics& diagnostics) {
  SymbolicCheck check(derivative, functions, diagnostics);
  for (const Formula& formula : derivative.formulas) {
    if (formula.value.snippet) check.check(*formula.value.snippet, nullptr);
  }
}

}  // namespace opwright::upstream
