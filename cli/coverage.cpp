#include "cli/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace opwright::cli {
namespace {

using Row = std::array<std::string, 4>;

/// What an operator's gradient is, in a word; operators that are gradients themselves have `-`.
std::string gradient(const model::Library& library, const model::Operator& op) {
  if (op.gradient) {
    switch (op.gradient->form) {
      case model::Gradient::Form::by:
        return "by " + op.gradient->op;
      case model::Gradient::Form::through:
        return "through " + op.gradient->op;
      case model::Gradient::Form::none:
        return "none";
    }
  }
  const bool is_gradient =
      !op.gradient_of.empty() ||
      std::any_of(library.operators.begin(), library.operators.end(), [&](const model::Operator& other) {
        return other.gradient && other.gradient->form == model::Gradient::Form::by && other.gradient->op == op.name;
      });
  return is_gradient ? "is one" : "-";
}

}  // namespace

std::string coverage(const model::Library& library) {
  std::vector<Row> rows = {{"operator", "cpu", "npu", "gradient"}};
  int npu = 0;
  int differentiable = 0;
  for (const model::Operator& op : library.operators) {
    rows.push_back({op.name, op.cpu_kernel, op.npu ? op.npu->function : "-", gradient(library, op)});
    npu += op.npu.has_value();
    differentiable += op.gradient && op.gradient->form != model::Gradient::Form::none;
  }
  std::array<std::size_t, 4> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line =
        fmt::format("{:{}}  {:{}}  {:{}}  {}", row[0], widths[0], row[1], widths[1], row[2], widths[2], row[3]);
    text += line + "\n";
  }
  return text + fmt::format("\n{} operators: {} with a CPU kernel, {} with an aclnn function, {} with a gradient\n",
                            library.operators.size(), library.operators.size(), npu, differentiable);
}

}  // namespace opwright::cli
