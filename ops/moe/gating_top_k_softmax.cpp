#include "moe/gating_top_k_softmax.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/contiguous.h"
#include "kernels/element.h"
#include "kernels/parallel.h"
#include "kernels/pointwise.h"
#include "kernels/top_k.h"

namespace opwright::ops {

void gating_top_k_softmax(const npu_moe_gating_top_k_softmax& call) {
  const Dense x(call.x);
  const auto finished = call.finished.present ? read_integers(call.finished) : std::vector<std::int64_t>{};
  const auto experts = static_cast<std::size_t>(call.E), choices = static_cast<std::size_t>(call.k);
  const std::int64_t tokens = call.E == 0 ? 0 : call.x.numel() / call.E;
  const std::int64_t grain = std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, call.E));
  visit_floating_point(call.x.dtype, [&]<class T>(T) {
    parallel_for(tokens, grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> logits(experts), terms(experts);
      std::vector<std::int32_t> chosen(choices), scratch;
      for (std::int64_t t = begin; t < end; ++t) {
        const float sum = softmax_terms(call.x.dtype, x.as<T>() + t * call.E, call.E, logits.data(), terms.data());
        select_greatest(logits, chosen, scratch);
        const bool done = !finished.empty() && finished[static_cast<std::size_t>(t)] != 0;
        for (std::size_t k = 0; k < choices; ++k) {
          const std::int64_t at = t * call.k + static_cast<std::int64_t>(k);
          call.y.as<T>()[at] = round_to<T>(terms[static_cast<std::size_t>(chosen[k])] / sum);
          call.expert_idx.as<std::int32_t>()[at] = done ? static_cast<std::int32_t>(call.E) : chosen[k];
          call.row_idx.as<std::int32_t>()[at] = static_cast<std::int32_t>(static_cast<std::int64_t>(k) * tokens + t);
        }
      }
    });
  });
}

}  // namespace opwright::ops
