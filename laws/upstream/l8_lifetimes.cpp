#include <algorithm>
#include <array>
#include <string_view>

#include "laws/upstream/each_expression.h"
#include "laws/upstream/laws.h"

namespace opwright::upstream {
namespace {

bool is_view_type(std::string_view type) {
  constexpr std::array<std::string_view, 4> types = {"at::IntArrayRef", "c10::IntArrayRef", "at::ArrayRef<int64_t>",
                                                     "c10::ArrayRef<int64_t>"};
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// A view: it points to numbers that something else holds.
bool is_view(const Snippet& snippet) {
  if (snippet.kind == SnippetKind::construct) return is_view_type(snippet.text);
  if (snippet.kind != SnippetKind::call) return false;
  const Snippet& called = *snippet.operands[0];
  return (called.kind == SnippetKind::name && is_view_type(called.text)) || called_member(snippet) == "sizes";
}

/// Upstream's size functions return their numbers by value. (`input_same_output_size` returns a view of its tensor's.)
bool is_owner(const Snippet& snippet) {
  constexpr std::array<std::string_view, 4> functions = {"broadcast_ops_npu_output_size", "reduce_ops_npu_output_size",
                                                         "glu_npu_output_size", "swiglu_backward_infershape"};
  return std::find(functions.begin(), functions.end(), called_function(snippet)) != functions.end();
}

class Lifetimes {
 public:
  explicit Lifetimes(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Checks what a variable would be bound to by `auto x = snippet;`.
  void check(const Snippet& snippet) {
    const auto operand = [&](std::size_t i) -> const Snippet& { return *snippet.operands[i]; };
    if (snippet.kind == SnippetKind::construct && is_view(snippet) && !snippet.operands.empty()) {
      report(snippet, "`" + to_string(snippet) + "` points to a list that is gone when the expression ends",
             "bind the list first, as one of new_params: `std::vector<int64_t>" +
                 to_string(snippet).substr(snippet.text.size()) + "`");
    } else if (snippet.kind == SnippetKind::conditional) {
      check_branches(operand(1), operand(2));
      check_branches(operand(2), operand(1));
      check(operand(1));
      check(operand(2));
    } else if (snippet.kind == SnippetKind::call && operand(0).kind == SnippetKind::member &&
               operand(0).text == "value_or" && snippet.operands.size() == 2) {
      check(operand(1));
    } else if (snippet.kind == SnippetKind::sequence) {
      check(*snippet.operands.back());
    }
  }

 private:
  /// `c ? f() : view` is a view: what `f` returned is converted, and gone when the expression ends.
  void check_branches(const Snippet& branch, const Snippet& other) {
    if (!is_owner(branch) || !is_view(other)) return;
    report(branch,
           "the sizes that `" + called_function(branch) + "` returns are gone when the expression ends, because `" +
               to_string(other) + "` makes the result a view of them",
           "write `c10::SmallVector<int64_t, op_infer::SIZE>{}` for the branch without sizes");
  }

  void report(const Snippet& snippet, const std::string& message, const std::string& help) {
    Diagnostic& error = diagnostics_.error(snippet.where, message);
    error.law = "L8";
    error.help = help;
  }

  Diagnostics& diagnostics_;
};

}  // namespace

void check_lifetimes(const Operator& op, Diagnostics& diagnostics) {
  Lifetimes lifetimes(diagnostics);
  each_expression(op, [&](const Snippet& snippet) { lifetimes.check(snippet); });
}

}  // namespace opwright::upstream
