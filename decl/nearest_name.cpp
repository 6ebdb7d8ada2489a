#include <algorithm>

#include "decl/diagnostics.h"

namespace opwright {
namespace {

/// Edit distance in which swapping two neighbours counts once (a typing slip like `tpyes`), as optimal string
/// alignment.
std::size_t distance(std::string_view left, std::string_view right) {
  const std::size_t width = right.size() + 1;
  std::vector<std::size_t> before_last(width), last(width), current(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(current);
  }
  return last[right.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates) {
  // A third of the name may differ; of two letters or less, nothing can be guessed but their order.
  std::size_t allowed = name.size() < 3 ? 1 : std::max<std::size_t>(1, name.size() / 3);
  std::optional<std::string> best;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), name.size());
    if (longer - std::min(candidate.size(), name.size()) > allowed) continue;
    const std::size_t changes = distance(name, candidate);
    if (changes > allowed || changes >= longer || candidate == name) continue;
    if (best && changes == allowed) continue;
    best = candidate;
    allowed = changes;
  }
  return best;
}

}  // namespace opwright
