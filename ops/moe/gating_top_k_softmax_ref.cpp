#include <cmath>
#include <vector>

#include "moe/gating_top_k_softmax.h"
#include "ops/reference.h"

namespace opwright::reference {

void gating_top_k_softmax(const ops::npu_moe_gating_top_k_softmax& call) {
  const std::int64_t tokens = call.E == 0 ? 0 : call.x.numel() / call.E;
  for (std::int64_t t = 0; t < tokens; ++t) {
    double greatest = -INFINITY, sum = 0;
    for (std::int64_t e = 0; e < call.E; ++e) greatest = std::fmax(greatest, get(call.x, t * call.E + e));
    for (std::int64_t e = 0; e < call.E; ++e) sum += std::exp(get(call.x, t * call.E + e) - greatest);
    std::vector<bool> taken(static_cast<std::size_t>(call.E));
    for (std::int64_t k = 0; k < call.k; ++k) {
      std::int64_t best = -1;
      for (std::int64_t e = 0; e < call.E; ++e) {
        if (taken[static_cast<std::size_t>(e)]) continue;
        const double mine = get(call.x, t * call.E + e);
        const double other = best < 0 ? 0 : get(call.x, t * call.E + best);
        if (best < 0 || mine > other || (std::isnan(mine) && !std::isnan(other))) best = e;
      }
      taken[static_cast<std::size_t>(best)] = true;
      const bool finished = call.finished.present && get(call.finished, t) != 0;
      set(call.y, t * call.k + k, std::exp(get(call.x, t * call.E + best) - greatest) / sum);
      set(call.expert_idx, t * call.k + k, static_cast<double>(finished ? call.E : best));
      set(call.row_idx, t * call.k + k, static_cast<double>(k * tokens + t));
    }
  }
}

}  // namespace opwright::reference
