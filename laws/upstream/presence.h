// Which optional arguments a condition of a snippet shows to be present.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "decl/upstream/snippet.h"

namespace opwright::upstream {

using Names = std::set<std::string>;

/// The name that a condition asks about: `x` of `x`, `x.has_value()`, `x->defined()`, `x.defined()`; empty otherwise.
std::string asked_presence(const Snippet& condition);

/// The arguments that are present when the condition has this outcome.
Names present_when(const Snippet& condition, bool outcome);

/// What the condition is when these arguments are present, if that decides it.
std::optional<bool> outcome(const Snippet& condition, const Names& present);

}  // namespace opwright::upstream
