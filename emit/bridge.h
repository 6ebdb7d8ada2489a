// The bridge to ATen as C++: both phases of every entry point in it.
#pragma once

#include <vector>

#include "emit/emit.h"
#include "model/bridge.h"

namespace opwright::emit {

/// One source for each file, `aten_bridge_STEM.cpp`, with the functions in their order.
std::vector<Artefact> bridge(const std::vector<model::BridgeFunction>& functions);

}  // namespace opwright::emit
