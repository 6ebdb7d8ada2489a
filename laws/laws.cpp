#include "laws/laws.h"

#include "laws/list.h"

namespace opwright::laws {

const std::vector<Law>& all() {
  static const std::vector<Law> laws = {gradient_law(), optional_law(), kinds_law(), complete_law(), exec_law()};
  return laws;
}

void check(const model::Library& library, Diagnostics& diagnostics) {
  for (const Law& law : all()) law.check(library, diagnostics);
}

}  // namespace opwright::laws
