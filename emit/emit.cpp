#include "emit/emit.h"

#include "emit/emitters.h"

namespace opwright::emit {
namespace {

/// The library's operators by folder and file; it is sorted so.
std::vector<Family> families_of(const model::Library& library) {
  std::vector<Family> families;
  for (const model::Operator& op : library.operators) {
    if (families.empty() || families.back().name != op.family) families.push_back({op.family, {}});
    auto& declarations = families.back().declarations;
    if (declarations.empty() || declarations.back().stem != op.stem) {
      declarations.push_back({op.family, op.stem, op.path, {}});
    }
    declarations.back().operators.push_back(&op);
  }
  return families;
}

}  // namespace

std::vector<Artefact> all(const model::Library& library) {
  std::vector<Artefact> artefacts;
  const std::vector<Family> families = families_of(library);
  for (const Family& family : families) {
    for (const Declaration& declaration : family.declarations) {
      artefacts.push_back(call_struct(declaration));
      artefacts.push_back(infer(declaration));
    }
    artefacts.push_back(wrappers_header(family));
    artefacts.push_back(wrappers(family));
    artefacts.push_back(autograd(family, library));
    artefacts.push_back(registrations(family));
    artefacts.push_back(entry_points(family));
  }
  artefacts.push_back(operator_list(families));
  artefacts.push_back(stubs(library));
  for (const model::Operator& op : library.operators) {
    artefacts.push_back(documentation(op));
    artefacts.push_back(plan(op));
  }
  return artefacts;
}

}  // namespace opwright::emit
