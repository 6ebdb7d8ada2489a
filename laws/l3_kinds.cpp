// L3: every value has the kind that is needed where it goes.
//
// Within one operator, names and kinds are settled when the declaration is read. What is left is between operators:
// what a gradient formula passes.
#include "laws/gradient_call.h"
#include "laws/list.h"
#include "laws/report.h"

namespace opwright::laws {
namespace {

constexpr std::string_view number = "L3";

void check_all(const model::Library& library, Diagnostics& diagnostics) {
  for (const model::Operator& op : library.operators) {
    if (!op.gradient || op.gradient->form != model::Gradient::Form::by) continue;
    const model::Operator* gradient_op = library.find(op.gradient->op);
    if (gradient_op == nullptr) continue;
    for (const Misfit& misfit : misfits(op, *gradient_op)) {
      refute(diagnostics, number, op.gradient->arguments[misfit.index]->where, misfit.message,
             "the order is that of its schema",
             {note(gradient_op->schema.arguments[misfit.index].where, "the argument is declared here")});
    }
  }
}

constexpr std::string_view explanation = R"(PLACEHOLDER
)";

}  // namespace

const Law& kinds_law() {
  static const Law law{number, "every value has the kind that is needed where it goes", explanation, check_all};
  return law;
}

}  // namespace opwright::laws
