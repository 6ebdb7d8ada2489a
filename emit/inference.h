// What generated inference takes and gives, decided once for the emitters of its definition and of its calls.
#pragma once

#include <string>
#include <vector>

#include "model/operator.h"

namespace opwright::emit {

/// The arguments that decide on checks, sizes and dtypes: all tensors, and the others that some fact names.
std::vector<const model::Argument*> inference_arguments(const model::Operator& op);

/// Whether inference returns the argument, with the value that stands for absence filled in.
bool is_resolved(const model::Argument& argument);

/// Dims with a formula that the aclnn function is given instead of what they are computed from. Inference takes them as
/// `given_N`, for entry points.
std::vector<const model::NamedDim*> given_dims(const model::Operator& op);

/// Dims that every call knows: fields of call structs and of inference's answer. Sizes first, then packs.
std::vector<const model::NamedDim*> known_dims(const model::Operator& op, bool packs);

/// Whether some fact of inference names it, dims given to it aside.
bool inference_names(const model::Operator& op, const std::string& name);

/// A tensor rule as the declaration writes it: `D[T, K?]`.
std::string pattern_text(const model::TensorRule& rule);

}  // namespace opwright::emit
