// Counter-examples in words.
#pragma once

#include <string>
#include <vector>

#include "laws/likeness.h"

namespace opwright::laws {

/// "the dtype of probs", "dtype float32": of a dtype that may be unknown.
std::string dtype_in_words(const model::Operator& op, const model::Case& which, const model::DtypeValue& dtype);

/// "probs float32 and permuted_tokens bfloat16": the dtypes that the example gives to these unknowns, each by an
/// argument that has it.
std::string example_dtypes(const model::Operator& op, const Finding& finding,
                           const std::vector<model::DtypeValue>& unknowns);

/// "T = 2 and K = 3": the sizes of the example. Where `relevant` is not empty, only those among it.
std::string example_sizes(const model::Operator& op, const Finding& finding, const std::vector<std::string>& relevant);

}  // namespace opwright::laws
