#include "laws/upstream/upstream.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "decl/testing.h"

namespace opwright {
namespace {

using testing::printed;
using testing::source;

std::string lint(const std::string& functions, const std::string& derivatives = "") {
  Diagnostics diagnostics;
  UpstreamSummary summary;
  lint_upstream(source("custom:\n" + functions, "functions.yaml"),
                derivatives.empty() ? nullptr : source("backward:\n" + derivatives, "derivatives.yaml"), diagnostics,
                summary);
  return printed(diagnostics);
}

/// The first line of each finding, without its place.
std::vector<std::string> messages(const std::string& functions, const std::string& derivatives = "") {
  Diagnostics diagnostics;
  UpstreamSummary summary;
  lint_upstream(source("all_version: [v2.1, v2.2, v2.3]\ncustom:\n" + functions),
                derivatives.empty() ? nullptr : source("backward:\n" + derivatives), diagnostics, summary);
  std::vector<std::string> lines;
  for (const Diagnostic& finding : diagnostics.all()) lines.push_back(finding.message + " [" + finding.law + "]");
  return lines;
}

using Messages = std::vector<std::string>;

TEST(UpstreamL9, ANumberMadeOfASymbolicSizeIsRefuted) {
  EXPECT_EQ(
      lint(R"(- func: f(Tensor x, int k) -> Tensor
- func: f_grad(Tensor grad, int rows) -> Tensor
)",
           R"(- name: f(Tensor x, int k) -> Tensor
  x: f_grad(grad, x.sym_size(0).expect_int())
)"),
      R"(derivatives.yaml:3:19: error: `expect_int` makes a number of the symbolic size `x.sym_size(0)`, so that torch.compile compiles anew for each [L9]
  3 |   x: f_grad(grad, x.sym_size(0).expect_int())
    |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~
  = help: declare `SymInt rows` and write `x.sym_size(0)`
functions.yaml:3:29: note: it is passed as this `int`
  3 | - func: f_grad(Tensor grad, int rows) -> Tensor
    |                             ^~~~~~~~
)");
}

TEST(UpstreamL9, SymbolicSizesAndAttributesPass) {
  const std::string functions = R"(- func: f(Tensor x, int[] sizes) -> Tensor
- func: f_grad(Tensor grad, SymInt rows, int count) -> Tensor
)";
  EXPECT_EQ(messages(functions, R"(- name: f(Tensor x, int[] sizes) -> Tensor
  x: f_grad(grad, x.sym_size(0), sizes.size())
)"),
            Messages{});
  EXPECT_EQ(messages(functions, R"(- name: f(Tensor x, int[] sizes) -> Tensor
  x: 'f_grad(grad, x.dim() == 1 ? 1 : x.size(0), 2)'
)"),
            (Messages{"`x.size(0)` is a number where the size may be symbolic, so that torch.compile compiles anew for "
                      "each [L9]"}));
}

TEST(UpstreamL1, AGradientWithAnotherDtypeThanItsInputIsRefuted) {
  EXPECT_EQ(lint(R"(- func: f_grad(Tensor x, Tensor grad_y, Tensor p) -> (Tensor, Tensor)
  gen_opapi:
    grad_x: {size: x, dtype: x}
    grad_p: {size: p, dtype: grad_y}
    exec: aclnnFGrad
)",
                 R"(- name: f(Tensor x, Tensor p) -> Tensor
  x, p: f_grad(x, grad, p)
)"),
            "");  // what `f` returns is not known, so grad_y may have the dtype of p
  EXPECT_EQ(lint(R"(- func: f(Tensor x, Tensor p) -> Tensor
  gen_opapi:
    out: {size: x, dtype: x}
    exec: aclnnF
- func: f_grad(Tensor x, Tensor grad_y, Tensor p) -> (Tensor, Tensor)
  gen_opapi:
    grad_x: {size: x, dtype: x}
    grad_p: {size: p, dtype: grad_y}
    exec: aclnnFGrad
)",
                 R"(- name: f(Tensor x, Tensor p) -> Tensor
  x, p: f_grad(x, grad, p)
)"),
            "functions.yaml:9:30: error: grad_p is the gradient of p but has the dtype of grad_y [L1]\n"
            "  9 |     grad_p: {size: p, dtype: grad_y}\n"
            "    |                              ^~~~~~\n"
            "  = help: write `dtype: p`\n"
            "functions.yaml:6:41: note: counter-example: p float32, grad_y bfloat16\n"
            "  6 | - func: f_grad(Tensor x, Tensor grad_y, Tensor p) -> (Tensor, Tensor)\n"
            "    |                                         ^~~~~~~~\n"
            "derivatives.yaml:3:9: note: the derivative of f pairs them\n"
            "  3 |   x, p: f_grad(x, grad, p)\n"
            "    |         ^~~~~~~~~~~~~~~~~~\n");
}

TEST(UpstreamL1, ATensorWhoseForwardResultHasTheDtypeOfTheInputIsProved) {
  Diagnostics diagnostics;
  UpstreamSummary summary;
  lint_upstream(source(R"(custom:
- func: f(Tensor x, Tensor p) -> (Tensor, Tensor)
  gen_opapi:
    mask: {size: x, dtype: at::kBool}
    out: {size: p, dtype: 'c ? p.scalar_type() : p.scalar_type()'}
    new_params: {c: 'true'}
    exec: aclnnF
- func: f_grad(Tensor dy, ScalarType t) -> (Tensor, Tensor)
  gen_opapi:
    dx: {size: dy, dtype: t}
    dp: {size: dy, dtype: dy}
    exec: aclnnFGrad
)"),
                source(R"(backward:
- name: f(Tensor x, Tensor p) -> (Tensor, Tensor)
  output_differentiability: [false, true]
  x, p: f_grad(grad, x.scalar_type())
)"),
                diagnostics, summary);
  EXPECT_EQ(printed(diagnostics), "");
  EXPECT_EQ(summary.gradients_proved, 2);
}

TEST(UpstreamL1, WhereAllResultsAreWrittenThroughOneTensorItIsAWarning) {
  EXPECT_EQ(
      messages(R"(- func: f(Tensor x, Tensor p) -> Tensor
  gen_opapi:
    out: {size: x, dtype: x}
    exec: aclnnF
- func: f_grad(Tensor grad_y, Tensor x, Tensor p) -> (Tensor, Tensor)
  gen_opapi:
    grad_x: {size: x, dtype: grad_y}
    grad_p: {size: p, dtype: grad_y}
    exec: aclnnFGrad
)",
               R"(- name: f(Tensor x, Tensor p) -> Tensor
  x, p: f_grad(grad, x, p)
)"),
      (Messages{"cannot prove that grad_p has the dtype of p, whose gradient it is: it has that of grad_y [L1]"}));
}

TEST(UpstreamL1, AnInputThatMayBeAbsentDoesNotGiveItsDtypeToWhatIsAlwaysThere) {
  EXPECT_EQ(
      messages(R"(- func: f_grad(Tensor x, Tensor grad_y, Tensor? p=None) -> (Tensor, Tensor)
  gen_opapi:
    grad_x: {size: x, dtype: x}
    grad_p: {size: f_out_size(p), dtype: grad_y}
    exec: aclnnFGrad
)"),
      (Messages{"grad_p is the gradient of p, which may be absent, but is returned all the same, as a placeholder [L2]",
                "grad_p is the gradient of p but has the dtype of grad_y [L1]"}));
}

TEST(UpstreamL1, AForwardModeFormulaPairsNothing) {
  EXPECT_EQ(messages(R"(- func: f(Tensor x) -> Tensor
  gen_opapi:
    out: {size: x, dtype: x}
    exec: aclnnF
)",
                     R"(- name: f(Tensor x) -> Tensor
  result: f(x)
)"),
            Messages{});
}

TEST(UpstreamL1, NoDimensionsAreNoSizesOfAnInput) {
  EXPECT_EQ(messages(R"(- func: f_grad(Tensor grad_y, Tensor x) -> Tensor
  gen_opapi:
    grad_x: {size: 'c10::SmallVector<int64_t, op_infer::SIZE>{}', dtype: x}
    exec: aclnnFGrad
)"),
            (Messages{"grad_x is the gradient of x but has no dimensions [L1]"}));
}

TEST(UpstreamL2, AnOptionalIsReadOnlyWhereItIsPresent) {
  EXPECT_EQ(
      lint(R"(- func: f(Tensor x, Tensor? p=None) -> Tensor
  gen_opapi:
    out: {size: x, dtype: p.scalar_type()}
    exec: aclnnF
)"),
      "functions.yaml:4:27: error: `p` may be absent, and `.scalar_type` reads it without deciding what then [L2]\n"
      "  4 |     out: {size: x, dtype: p.scalar_type()}\n"
      "    |                           ^~~~~~~~~~~~~\n"
      "  = help: write `p.has_value() ? p->scalar_type… : …`\n"
      "functions.yaml:2:21: note: it is optional here\n"
      "  2 | - func: f(Tensor x, Tensor? p=None) -> Tensor\n"
      "    |                     ^~~~~~~~~~~~~~\n");
  const auto of_dtype = [](const std::string& dtype) {
    return messages(
        "- func: f(Tensor x, Tensor? p=None, ScalarType? t=None) -> Tensor\n  gen_opapi:\n    out: {size: x, dtype: '" +
        dtype + "'}\n    exec: aclnnF\n");
  };
  EXPECT_EQ(of_dtype("p"), (Messages{"`p` may be absent, and then this result has no dtype [L2]"}));
  EXPECT_EQ(of_dtype("t"), (Messages{"`t` may be absent, and then this result has no dtype [L2]"}));
  EXPECT_EQ(of_dtype("p->scalar_type()"), (Messages{"`p` may be absent here [L2]"}));
  EXPECT_EQ(of_dtype("p.has_value() ? x.scalar_type() : p->scalar_type()"), (Messages{"`p` may be absent here [L2]"}));
  EXPECT_EQ(of_dtype("t.has_value() || p.has_value() ? t.value() : x.scalar_type()"),
            (Messages{"`t` may be absent here [L2]"}));
  for (const char* decided :
       {"p.has_value() ? p->scalar_type() : x.scalar_type()", "p ? p->scalar_type() : x.scalar_type()",
        "!t.has_value() ? x.scalar_type() : t.value()", "t.has_value() && p.has_value() ? t.value() : at::kFloat",
        "p.has_value() && p->defined() ? p->scalar_type() : x.scalar_type()", "t.value_or(at::kFloat)",
        "!t.has_value() || !p.has_value() ? at::kFloat : p.value().scalar_type()"}) {
    EXPECT_EQ(of_dtype(decided), Messages{}) << decided;
  }
}

TEST(UpstreamL2, TheGradientOfAnAbsentInputIsNotAPlaceholder) {
  EXPECT_EQ(lint(R"(- func: f_grad(Tensor grad_y, Tensor? probs=None) -> Tensor
  gen_opapi:
    grad_probs:
      size: f_out_size(probs)
      dtype: 'probs.has_value() ? probs->scalar_type() : grad_y.scalar_type()'
    exec: aclnnFGrad
)"),
            "functions.yaml:4:5: error: grad_probs is the gradient of probs, which may be absent, but is returned all "
            "the same, "
            "as a placeholder [L2]\n"
            "  4 |     grad_probs:\n"
            "    |     ^~~~~~~~~~\n"
            "  = help: gen_opapi has no absent results: write the operator by hand, or declare it to opwright with "
            "`grad_probs: like probs`\n"
            "functions.yaml:2:31: note: it is optional here\n"
            "  2 | - func: f_grad(Tensor grad_y, Tensor? probs=None) -> Tensor\n"
            "    |                               ^~~~~~~~~~~~~~~~~~\n");
}

TEST(UpstreamL3, EveryNameExists) {
  EXPECT_EQ(lint(R"(- func: f(Tensor tokens, int num) -> Tensor
  gen_opapi:
    out:
      size: '{tokens.size(0), nun}'
      dtype: tokens
    exec: aclnnF
)"),
            "functions.yaml:5:31: error: `nun` is neither an argument nor one of new_params [L3]\n"
            "  5 |       size: '{tokens.size(0), nun}'\n"
            "    |                               ^~~\n"
            "  = help: did you mean `num`?\n");
  EXPECT_EQ(messages(R"(- func: f(Tensor x) -> Tensor
  gen_opapi:
    out: {size: x, dtype: at::kFloat}
    new_params: {a: b, b: '1'}
    exec: aclnnF
- func: f.out(Tensor x, *, Tensor(a!) result) -> Tensor(a!)
  gen_opapi:
    resutl: {size: x}
    exec: aclnnF
- func: g(Tensor x) -> Tensor
  gen_opapi: {structured_inherit: g.out}
)"),
            (Messages{"`b` is neither an argument nor one of new_params [L3]",
                      "`resutl` is not an argument that f.out writes [L3]", "there is no operator `g.out` [L3]"}));
}

TEST(UpstreamL4, EveryResultHasASizeAndADtype) {
  EXPECT_EQ(messages(R"(- func: f(Tensor x) -> (Tensor, Tensor)
  gen_opapi:
    a: {size: x}
    exec: aclnnF
- func: g(Tensor x) -> (Tensor, int)
  gen_opapi:
    a: {dtype: x}
    exec: aclnnG
- func: h(Tensor x) -> Tensor
  gen_opapi:
    a:
    exec: aclnnH
)"),
            (Messages{"f returns 2 tensors, but 1 results are declared [L4]", "the result `a` has no dtype [L4]",
                      "the result `a` has no size [L4]", "the result `a` has no size and no dtype [L4]"}));
}

TEST(UpstreamL5, WhatGoesToTheAclnnFunctionExistsAndEveryResultGoesOnce) {
  EXPECT_EQ(
      lint(R"(- func: f(Tensor x, int dim) -> Tensor
  gen_opapi:
    out: {size: x, dtype: x}
    exec: aclnnF, x, dmi
)"),
      "functions.yaml:5:11: error: the result `out` is passed to aclnnF nowhere: it would stay without a value [L5]\n"
      "  5 |     exec: aclnnF, x, dmi\n"
      "    |           ^~~~~~\n"
      "functions.yaml:4:5: note: the result is declared here\n"
      "  4 |     out: {size: x, dtype: x}\n"
      "    |     ^~~\n"
      "functions.yaml:5:22: error: `dmi` is neither an argument, nor one of new_params, nor a result [L5]\n"
      "  5 |     exec: aclnnF, x, dmi\n"
      "    |                      ^~~\n"
      "  = help: did you mean `dim`?\n");
  EXPECT_EQ(messages(R"(- func: f(Tensor x) -> Tensor
  gen_opapi:
    out: {size: x, dtype: x}
    exec: aclF, x, out, out
- func: g(Tensor x) -> Tensor
  gen_opapi:
    out: {size: x, dtype: x}
)"),
            (Messages{"`aclF` is not the name of an aclnn function [L5]",
                      "the result `out` is passed to aclF more than once [L5]",
                      "g calls no aclnn function: `exec:` is missing [L5]"}));
}

TEST(UpstreamL6, ADerivativeNamesWhatExists) {
  const std::string f = R"(- func: f(Tensor x, Tensor p) -> (Tensor, Tensor)
- func: f_grad(Tensor dy, Tensor x, int k=1) -> Tensor
)";
  EXPECT_EQ(lint(f, R"(- name: f(Tensor x, Tensor p) -> (Tensor, Tensor)
  output_differentiability: [true]
  y: f_grad(grad)
  p: f_grad(grads[0], result2)
)"),
            "derivatives.yaml:2:9: error: f has 2 results, but output_differentiability counts 1 [L6]\n"
            "  2 | - name: f(Tensor x, Tensor p) -> (Tensor, Tensor)\n"
            "    |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
            "derivatives.yaml:4:3: error: `y` is not an argument of f [L6]\n"
            "  4 |   y: f_grad(grad)\n"
            "    |   ^\n"
            "derivatives.yaml:4:6: error: f_grad has 3 arguments, not 1 [L6]\n"
            "  4 |   y: f_grad(grad)\n"
            "    |      ^~~~~~~~~~~~\n"
            "functions.yaml:3:9: note: it is declared here\n"
            "  3 | - func: f_grad(Tensor dy, Tensor x, int k=1) -> Tensor\n"
            "    |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
            "derivatives.yaml:5:23: error: `result2` does not exist: f has 2 results [L6]\n"
            "  5 |   p: f_grad(grads[0], result2)\n"
            "    |                       ^~~~~~~\n");
}

TEST(UpstreamL7, VersionRangesAreKnownAndNotEmpty) {
  EXPECT_EQ(messages(R"(- func: a() -> Tensor
  op_api: [v2.3, v2.1]
- func: b() -> Tensor
  acl_op: v9.9
- func: c() -> Tensor
  exposed: [v2.1]
- func: d() -> Tensor
  op_api: [v2.1, newest]
  acl_op: 'v2.1, v2.2'
  dvm: all_version
)"),
            (Messages{"no version is in this range: v2.3 is newer than v2.1 [L7]",
                      "`v9.9` is not a version of `all_version` [L7]",
                      "a range of versions has a first and a last one [L7]"}));
}

TEST(UpstreamL8, NoExpressionLeavesAViewOfWhatIsGone) {
  EXPECT_EQ(
      lint(R"(- func: f(Tensor x, int[]? shape=None) -> Tensor
  gen_opapi:
    out: {size: x, dtype: x}
    new_params:
      values: 'shape.value_or(at::IntArrayRef{1})'
    exec: aclnnF, x, values, out
)"),
      "functions.yaml:6:31: error: `at::IntArrayRef{1}` points to a list that is gone when the expression ends [L8]\n"
      "  6 |       values: 'shape.value_or(at::IntArrayRef{1})'\n"
      "    |                               ^~~~~~~~~~~~~~~~~~\n"
      "  = help: bind the list first, as one of new_params: `std::vector<int64_t>{1}`\n");
  const auto of_size = [](const std::string& size) {
    return messages("- func: f(Tensor x, int r) -> Tensor\n  gen_opapi:\n    out: {size: '" + size +
                    "', dtype: x}\n    exec: aclnnF\n");
  };
  EXPECT_EQ(
      of_size("r == 0 ? broadcast_ops_npu_output_size(x, x) : at::ArrayRef<int64_t>()"),
      (Messages{"the sizes that `broadcast_ops_npu_output_size` returns are gone when the expression ends, because "
                "`at::ArrayRef<int64_t>()` makes the result a view of them [L8]"}));
  EXPECT_EQ(
      of_size("r == 0 ? x.sizes() : broadcast_ops_npu_output_size(x, x)"),
      (Messages{"the sizes that `broadcast_ops_npu_output_size` returns are gone when the expression ends, because "
                "`x.sizes()` makes the result a view of them [L8]"}));
  for (const char* fine : {"r == 0 ? broadcast_ops_npu_output_size(x, x) : c10::SmallVector<int64_t, op_infer::SIZE>{}",
                           "r == 0 ? x.sizes() : at::ArrayRef<int64_t>()", "f_out_size(at::IntArrayRef{1})"}) {
    EXPECT_EQ(of_size(fine), Messages{}) << fine;
  }
}

TEST(UpstreamForm, UnknownKeysAndOpaqueExpressionsAreReported) {
  EXPECT_EQ(lint(R"(- func: f(Tensor x) -> Tensor
  op_apo: all_version
  gen_opapi:
    out: {size: x, dtype: 'x ... y'}
    exec: aclnnF
)"),
            "functions.yaml:3:3: error: `op_apo` is not a key of an operator\n"
            "  3 |   op_apo: all_version\n"
            "    |   ^~~~~~\n"
            "  = help: did you mean `op_api`?\n"
            "functions.yaml:5:31: warning: this expression is not understood, and the laws skip it: expected a "
            "member's name, "
            "found `.`\n"
            "  5 |     out: {size: x, dtype: 'x ... y'}\n"
            "    |                               ^\n");
}

/// The places and first lines of what is found in upstream's own files.
std::vector<std::string> findings(const std::string& functions, const std::string& derivatives,
                                  UpstreamSummary& summary) {
  Diagnostics diagnostics;
  lint_upstream(testing::upstream_file(functions), testing::upstream_file(derivatives), diagnostics, summary);
  std::vector<std::string> lines;
  for (const Diagnostic& finding : diagnostics.all()) {
    const std::string text = to_text(finding);
    if (finding.severity == Severity::error) lines.push_back(text.substr(0, text.find('\n')));
  }
  return lines;
}

TEST(UpstreamFiles, TheGradientThatWasRepairedIsFoundBeforeAndNotAfter) {
  if (!testing::upstream_file("op_plugin_functions.before-4834.yaml")) {
    GTEST_SKIP() << "upstream's files are not beside the source tree";
  }
  UpstreamSummary before;
  const std::vector<std::string> found =
      findings("op_plugin_functions.before-4834.yaml", "derivatives.before-4834.yaml", before);
  EXPECT_EQ(
      std::count(found.begin(), found.end(),
                 "op_plugin_functions.before-4834.yaml:7330:16: error: grad_probs is the gradient of probs but has "
                 "the dtype of grad_unpermuted_tokens [L1]"),
      1);
  EXPECT_EQ(before.gradients_refuted, 1);
  // Names alone show it, too.
  UpstreamSummary without_derivatives;
  findings("op_plugin_functions.before-4834.yaml", "absent", without_derivatives);
  EXPECT_EQ(without_derivatives.gradients_refuted, 1);

  UpstreamSummary after;
  EXPECT_EQ(
      findings("op_plugin_functions.yaml", "derivatives.yaml", after),
      (std::vector<std::string>{
          "derivatives.yaml:287:62: error: `self.size(dim.back())` is a number where the size may be symbolic, so that "
          "torch.compile compiles anew for each [L9]",
          "derivatives.yaml:333:57: error: `expect_int` makes a number of the symbolic size `tokens.sym_size(0)`, so "
          "that torch.compile compiles anew for each [L9]",
          "derivatives.yaml:333:139: error: `expect_int` makes a number of the symbolic size `indices.sym_size(-1)`, "
          "so that torch.compile compiles anew for each [L9]",
          "derivatives.yaml:338:81: error: `expect_int` makes a number of the symbolic size "
          "`permuted_tokens.sym_size(0)`, so that torch.compile compiles anew for each [L9]",
          "op_plugin_functions.yaml:2855:17: error: the sizes that `broadcast_ops_npu_output_size` returns are gone "
          "when "
          "the expression ends, because `at::ArrayRef<int64_t>()` makes the result a view of them [L8]",
          "op_plugin_functions.yaml:7511:7: error: grad_probs is the gradient of probs, which may be absent, but is "
          "returned all the same, as a placeholder [L2]",
          "op_plugin_functions.yaml:7515:54: error: `at::IntArrayRef{1}` points to a list that is gone when the "
          "expression ends [L8]",
          "op_plugin_functions.yaml:7524:7: error: grad_probs is the gradient of probs, which may be absent, but is "
          "returned all the same, as a placeholder [L2]",
          "op_plugin_functions.yaml:7528:54: error: `at::IntArrayRef{1}` points to a list that is gone when the "
          "expression ends [L8]",
      }));
  EXPECT_EQ(after.gradients_refuted, 0);
  EXPECT_EQ(after.gradients_proved, 24);
}

TEST(UpstreamFiles, EveryEntryAndExpressionIsRead) {
  if (!testing::upstream_file("op_plugin_functions.yaml")) {
    GTEST_SKIP() << "upstream's files are not beside the source tree";
  }
  UpstreamSummary summary;
  findings("op_plugin_functions.yaml", "derivatives.yaml", summary);
  EXPECT_EQ(summary.operators, 1514);
  EXPECT_EQ(summary.generated, 405);
  EXPECT_EQ(summary.derivatives, 84);
  EXPECT_EQ(summary.expressions, 711);
  EXPECT_EQ(summary.opaque_expressions, 0);
}

}  // namespace
}  // namespace opwright
