// The emitters, one file each. All read the model and nothing else.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.h"
#include "model/operator.h"

namespace opwright::emit {

/// The operators of one declaration file, in its order.
struct Declaration {
  std::string family;
  std::string stem;
  std::string path;
  std::vector<const model::Operator*> operators;
};

/// The declarations of one folder.
struct Family {
  std::string name;
  std::vector<Declaration> declarations;
};

Artefact call_struct(const Declaration& declaration);  // FAMILY/STEM.h: what kernels see
Artefact infer(const Declaration& declaration);        // FAMILY/STEM.infer.h: every check, size and dtype
Artefact wrappers_header(const Family& family);        // FAMILY/wrappers.h: what the other sources of a family call
Artefact wrappers(const Family& family);               // FAMILY/wrappers.cpp: CPU, Meta, NPU
Artefact autograd(const Family& family, const model::Library& library);  // FAMILY/autograd.cpp: graph nodes
Artefact registrations(const Family& family);                 // FAMILY/register.cpp: what torch's dispatcher gets
Artefact entry_points(const Family& family);                  // FAMILY/entry_points.cpp: the software NPU
Artefact operator_list(const std::vector<Family>& families);  // operators.cpp: all registrations
Artefact stubs(const model::Library& library);                // ops.pyi
Artefact documentation(const model::Operator& op);            // docs/OPERATOR.md
Artefact plan(const model::Operator& op);                     // plan/OPERATOR.json

}  // namespace opwright::emit
