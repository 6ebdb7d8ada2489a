#include <fmt/format.h>

#include <algorithm>

#include "model/cases.h"
#include "model/draft.h"
#include "model/names_in.h"

namespace opwright::model {
namespace {

/// Depth-first through the formulas, so that each dim follows those it is computed from.
class Ordering {
 public:
  explicit Ordering(Draft& draft) : draft_(draft) {}

  /// The order, or nothing when there is a cycle, which is reported.
  std::optional<std::vector<NamedDim>> run() {
    // Dims that arguments give need no order among themselves.
    for (const NamedDim& dim : draft_.op.dims) {
      if (!dim.formula) order_.push_back(dim);
    }
    for (const NamedDim& dim : draft_.op.dims) {
      if (!visit(dim)) return std::nullopt;
    }
    return std::move(order_);
  }

 private:
  bool is_placed(const NamedDim& dim) const {
    return std::any_of(order_.begin(), order_.end(), [&](const NamedDim& placed) { return placed.name == dim.name; });
  }

  bool visit(const NamedDim& dim) {
    if (is_placed(dim)) return true;
    const auto open = std::find(path_.begin(), path_.end(), dim.name);
    if (open != path_.end()) {
      std::string cycle;
      for (auto step = open; step != path_.end(); ++step) cycle += *step + " -> ";
      draft_
          .error(dim.formula->expr->where, fmt::format("`{}` is computed from itself: {}{}", dim.name, cycle, dim.name))
          .help = "let an argument give one of them";
      return false;
    }
    path_.push_back(dim.name);
    bool good = true;
    for_each_name(*dim.formula->expr, [&](const Expr& name) {
      if (const NamedDim* other = draft_.op.dim(name.text)) good = good && visit(*other);
    });
    path_.pop_back();
    order_.push_back(dim);
    return good;
  }

  Draft& draft_;
  std::vector<NamedDim> order_;
  std::vector<std::string> path_;
};

}  // namespace

void order_dims(Draft& draft) {
  auto order = Ordering(draft).run();
  if (!order) {
    draft.dims_read = false;
    return;
  }
  draft.op.dims = std::move(*order);
  for (NamedDim& dim : draft.op.dims) dim.always_known = true;
  for (const Case& which : cases_of(draft.op)) {
    const Values values = values_in(draft.op, which);
    for (NamedDim& dim : draft.op.dims) {
      if (std::holds_alternative<Undefined>(values.find(dim.name)->second)) dim.always_known = false;
    }
  }
}

}  // namespace opwright::model
