#include "kernels/top_k.h"

#include <algorithm>
#include <cstddef>
#include <limits>

// The code below the next two includes is compiled once for each CPU target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/top_k.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace opwright {
namespace HWY_NAMESPACE {
namespace {

using Integers = hn::RebindToSigned<Floats>;
constexpr std::int32_t least_key = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t greatest_key = std::numeric_limits<std::int32_t>::max();

/// Integers in the order of the numbers: NaN above all, both zeros alike, and none of them `least_key`.
HWY_INLINE hn::Vec<Integers> keys_of(FloatVector x) {
  const Integers d;
  const auto bits = hn::BitCast(d, hn::Add(x, hn::Zero(Floats())));  // -0 + 0 = 0
  const auto negative = hn::BroadcastSignBit(bits);
  const auto keys = hn::Xor(bits, hn::And(negative, hn::Set(d, greatest_key)));
  return hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(x)), hn::Set(d, greatest_key), keys);
}

/// A round for each choice: the greatest key, the first place of it, and that place out of the game. Rounds of vectors
/// are faster than keeping a sorted list of candidates, whose branches no CPU foresees.
void SelectGreatest(std::span<const float> x, std::span<std::int32_t> chosen, std::vector<std::int32_t>& scratch) {
  const Integers d;
  const std::size_t padded = (x.size() + lanes - 1) / lanes * lanes;
  scratch.resize(padded);
  for (std::size_t at = 0; at < padded; at += lanes) {
    hn::StoreU(keys_of(load_first(x.data() + at, std::min(lanes, x.size() - at))), d, scratch.data() + at);
  }
  std::fill(scratch.begin() + static_cast<std::ptrdiff_t>(x.size()), scratch.end(), least_key);

  for (auto& choice : chosen) {
    auto greatest = hn::Set(d, least_key);
    for (std::size_t at = 0; at < padded; at += lanes) greatest = hn::Max(greatest, hn::LoadU(d, scratch.data() + at));
    greatest = hn::MaxOfLanes(d, greatest);
    for (std::size_t at = 0; at < padded; at += lanes) {
      const auto lane = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, scratch.data() + at), greatest));
      if (lane < 0) continue;
      choice = static_cast<std::int32_t>(at + static_cast<std::size_t>(lane));
      scratch[static_cast<std::size_t>(choice)] = least_key;
      break;
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace opwright
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace opwright {

HWY_EXPORT(SelectGreatest);

void select_greatest(std::span<const float> x, std::span<std::int32_t> chosen, std::vector<std::int32_t>& scratch) {
  HWY_DYNAMIC_DISPATCH(SelectGreatest)(x, chosen, scratch);
}

}  // namespace opwright

#endif  // HWY_ONCE
