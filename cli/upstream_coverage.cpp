#include "cli/upstream_coverage.h"

#include <fmt/format.h>

#include "model/upstream/typed_operator.h"

namespace opwright::cli {
namespace {

using namespace upstream;

std::string place(const SourceRange& where) {
  return fmt::format("{}:{}:{}", where.file->path(), where.begin.line, where.begin.column);
}

std::string_view written(const SourceRange& where) {
  const std::size_t begin = where.file->byte(where.begin);
  return where.file->text().substr(begin, where.file->byte(where.end) - begin);
}

struct Counts {
  int operators = 0;
  int results_typed = 0;
  int typed = 0;

  void add(const TypedOperator& op) {
    ++operators;
    results_typed += op.sizes_and_dtypes_typed();
    typed += op.fully_typed();
  }
  std::string line(std::string_view name) const {
    const auto share = [&](int part) { return operators == 0 ? 100.0 : 100.0 * part / operators; };
    return fmt::format("{:12} {:9}  {:6} ({:5.1f} %)  {:6} ({:5.1f} %)\n", name, operators, results_typed,
                       share(results_typed), typed, share(typed));
  }
};

void name_opaque(const TypedOperator& op, std::string& text) {
  each_expression(op, [&](const TypedExpression& expression) {
    if (!expression.is_opaque()) return;
    const SourceRange& where = expression.source->where;
    text +=
        fmt::format("{}: {}: `{}` is opaque: {}\n", place(where), op.source->name(), written(where), expression.opaque);
  });
}

}  // namespace

std::string coverage(const FunctionsFile& file) {
  Counts official;
  Counts custom;
  Counts all;
  std::string opaque;
  for (const upstream::Operator& op : file.operators) {
    if (!op.generated) continue;
    const TypedOperator typed = type_operator(op, file);
    (op.section == "official" ? official : custom).add(typed);
    all.add(typed);
    name_opaque(typed, opaque);
  }
  std::string text = fmt::format("{:12} {:>9}  {:>17}  {:>17}\n", "", "gen_opapi", "size and dtype", "all typed");
  text += official.line("official") + custom.line("the others") + all.line("all");
  return opaque.empty() ? text : text + "\n" + opaque;
}

}  // namespace opwright::cli
