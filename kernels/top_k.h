// Which of a row's numbers are the greatest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace opwright {

/// Writes to `chosen` the places of the chosen.size() greatest of x, in descending order; of equals the earlier first.
/// NaN is greater than any number. `scratch` is memory to be used again by the next call.
void select_greatest(std::span<const float> x, std::span<std::int32_t> chosen, std::vector<std::int32_t>& scratch);

}  // namespace opwright
