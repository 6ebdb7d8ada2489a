#include "moe/gating_top_k_softmax.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "kernels/contiguous.h"
#include "kernels/element.h"
#include "kernels/parallel.h"
#include "kernels/pointwise.h"

namespace opwright::ops {
namespace {

struct Candidate {
  std::int32_t key;
  std::int32_t expert;
};

/// Integers in the order of the numbers: NaN above all, and both zeros alike.
std::int32_t order_key(float x) {
  if (std::isnan(x)) return std::numeric_limits<std::int32_t>::max();
  const auto bits = std::bit_cast<std::int32_t>(x + 0.f);
  return bits < 0 ? bits ^ std::numeric_limits<std::int32_t>::max() : bits;
}

/// Fills `best` with the greatest of x, in descending order; of equals the earlier ones, first.
void select_greatest(std::span<const float> x, std::span<Candidate> best) {
  std::size_t found = 0;
  for (std::size_t e = 0; e < x.size(); ++e) {
    const Candidate candidate{order_key(x[e]), static_cast<std::int32_t>(e)};
    if (found == best.size()) {
      if (best.empty() || candidate.key <= best.back().key) continue;
    } else {
      ++found;
    }
    std::size_t place = found - 1;
    for (; place > 0 && best[place - 1].key < candidate.key; --place) best[place] = best[place - 1];
    best[place] = candidate;
  }
}

}  // namespace

void gating_top_k_softmax(const npu_moe_gating_top_k_softmax& call) {
  const Dense x(call.x);
  const auto finished = call.finished.present ? read_integers(call.finished) : std::vector<std::int64_t>{};
  const auto experts = static_cast<std::size_t>(call.E), k = static_cast<std::size_t>(call.k);
  const std::int64_t tokens = call.E == 0 ? 0 : call.x.numel() / call.E;
  const std::int64_t grain = std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, call.E));
  visit_floating_point(call.x.dtype, [&]<class T>(T) {
    parallel_for(tokens, grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> logits(experts), probabilities(experts);
      std::vector<Candidate> best(k);
      for (std::int64_t t = begin; t < end; ++t) {
        std::transform(x.as<T>() + t * call.E, x.as<T>() + (t + 1) * call.E, logits.begin(),
                       [](T element) { return static_cast<float>(widen(element)); });
        softmax(logits.data(), call.E, probabilities.data());
        select_greatest(logits, best);
        for (std::size_t choice = 0; choice < k; ++choice) {
          const std::int64_t at = t * call.k + static_cast<std::int64_t>(choice);
          const std::int32_t expert = best[choice].expert;
          const bool done = !finished.empty() && finished[static_cast<std::size_t>(t)] != 0;
          call.y.as<T>()[at] = round_to<T>(probabilities[static_cast<std::size_t>(expert)]);
          call.expert_idx.as<std::int32_t>()[at] = done ? static_cast<std::int32_t>(call.E) : expert;
          call.row_idx.as<std::int32_t>()[at] =
              static_cast<std::int32_t>(static_cast<std::int64_t>(choice) * tokens + t);
        }
      }
    });
  });
}

}  // namespace opwright::ops
