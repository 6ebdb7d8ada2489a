// Operators -> text. One emitter a file of output; an emitter reads the model and nothing else.
#pragma once

#include <string>
#include <vector>

#include "model/operator.h"

namespace opwright::emit {

struct Artefact {
  std::string path;  // relative to the output folder
  std::string text;
};

/// Everything that `opwright generate` writes for a library without errors, in a stable order.
std::vector<Artefact> all(const model::Library& library);

}  // namespace opwright::emit
