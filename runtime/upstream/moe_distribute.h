// Tokens sent to the ranks of their experts, and back, in two steps each.
#pragma once

#include <algorithm>

#include "runtime/upstream/moe_permute.h"

namespace opwright::upstream {
namespace detail {

template <class Int>
Int aligned(const Int& value, std::int64_t to) {
  return times(ceil_div(value, Int(to)), Int(to));
}

/// Bytes of one token in a message, scales included; 0 for an unknown mode.
template <class Int>
Int message_row(const Int& h, std::int64_t quant_mode) {
  switch (quant_mode) {
    case 0:
      return divide(aligned(aligned(times(h, Int(2)), 32), 512), Int(2));
    case 1:
      return aligned(aligned(h, 32), 512);
    case 2:
      return aligned(plus(aligned(h, 32), Int(4)), 512);
    case 3:
      return aligned(plus(aligned(h, 128), times(ceil_div(h, Int(128)), Int(4))), 512);
    case 4:
      return aligned(plus(aligned(h, 256), aligned(ceil_div(h, Int(32)), 2)), 512);
    default:
      return Int(0);
  }
}

inline void require_ranks(std::int64_t world, std::int64_t rank, std::int64_t shared_ranks) {
  require(rank >= 0 && rank < world, "ep_rank_id must be in [0, ", world, "), got ", rank);
  require(shared_ranks >= 0 && shared_ranks <= world / 2, "shared_expert_rank_num must be in [0, ", world / 2,
          "], got ", shared_ranks);
}

/// A rank holds one shared expert, or its part of the others.
inline std::int64_t local_experts(std::int64_t world, std::int64_t rank, std::int64_t experts,
                                  std::int64_t shared_ranks) {
  return rank < shared_ranks ? 1 : divide(experts, world - shared_ranks);
}

}  // namespace detail

/// Of the messages, the indices, and the commands.
template <class Int>
std::vector<Sizes<Int>> moe_distribute_dispatch_setup_sizes(const Tensor<Int>& x, const Tensor<Int>& expert_ids,
                                                            std::int64_t world, std::int64_t rank, std::int64_t experts,
                                                            std::int64_t, std::int64_t shared_experts,
                                                            std::int64_t shared_ranks, std::int64_t quant_mode,
                                                            std::optional<std::int64_t>) {
  detail::require_dims(x, "x", 2);
  detail::require_dims(expert_ids, "expert_ids", 2);
  detail::require_ranks(world, rank, shared_ranks);
  const Int local(detail::local_experts(world, rank, experts, shared_ranks));
  const Int messages = times(x.size(0), plus(expert_ids.size(1), Int(shared_experts)));
  return {{messages, detail::message_row(x.size(1), quant_mode)},
          {times(x.size(0), expert_ids.size(1))},
          {times(plus(messages, times(Int(world), local)), Int(16))}};
}

/// Of the received tokens, their scales, what combining needs, and the tokens per expert.
template <class Int>
std::vector<Sizes<Int>> moe_distribute_dispatch_teardown_sizes(const Tensor<Int>& x, const Tensor<Int>& expert_ids,
                                                               std::int64_t world, std::int64_t rank,
                                                               std::int64_t experts, std::int64_t,
                                                               std::int64_t shared_ranks, std::int64_t global_bs,
                                                               std::int64_t quant_mode) {
  detail::require_dims(x, "x", 2);
  detail::require_dims(expert_ids, "expert_ids", 2);
  detail::require_ranks(world, rank, shared_ranks);
  const Int local(detail::local_experts(world, rank, experts, shared_ranks));
  const Int batch = global_bs == 0 ? times(x.size(0), Int(world)) : Int(global_bs);
  const Int received =
      rank < shared_ranks ? divide(batch, Int(shared_ranks)) : times(batch, minimum(local, expert_ids.size(1)));
  Sizes<Int> scales{received};
  if (quant_mode == 3) scales.push_back(ceil_div(x.size(1), Int(128)));
  if (quant_mode == 4) scales.push_back(detail::aligned(ceil_div(x.size(1), Int(32)), 2));
  return {{received, x.size(1)}, scales, {times(received, Int(128))}, {local}};
}

template <class Int>
std::vector<Sizes<Int>> moe_distribute_combine_setup_sizes(const Tensor<Int>& expand_x, std::int64_t world) {
  detail::require_dims(expand_x, "expand_x", 2);
  const Int& h = expand_x.size(1);
  const Int row = detail::aligned(plus(detail::aligned(h, 32), times(ceil_div(h, Int(8)), Int(4))), 512);
  return {{expand_x.size(0), row}, {times(plus(expand_x.size(0), Int(world)), Int(16))}};
}

template <class Int>
std::vector<Sizes<Int>> moe_distribute_combine_teardown_sizes(const Tensor<Int>& expand_x,
                                                              const Tensor<Int>& expert_ids) {
  detail::require_dims(expand_x, "expand_x", 2);
  detail::require_dims(expert_ids, "expert_ids", 2);
  return {{expert_ids.size(0), expand_x.size(1)}};
}

}  // namespace opwright::upstream
