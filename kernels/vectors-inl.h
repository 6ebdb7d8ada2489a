// Loads that widen to float32 and stores that round, for the CPU target that the including file is compiled for.
// Included once for each target (see Highway's foreach_target.h), hence no ordinary include guard.
//
// Highway 1.0.3 truncates where it narrows to bfloat16, and rounds wrongly to float16 on CPUs without the instruction;
// so rounding is done here, by integer operations.
#if defined(OPWRIGHT_KERNELS_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OPWRIGHT_KERNELS_VECTORS_INL_H
#undef OPWRIGHT_KERNELS_VECTORS_INL_H
#else
#define OPWRIGHT_KERNELS_VECTORS_INL_H
#endif

#include <array>
#include <cstddef>
#include <cstring>

#include <hwy/highway.h>

#include "kernels/element.h"
#include "kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace opwright {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Bits = hn::RebindToUnsigned<Floats>;
using Halves = hn::Rebind<std::uint16_t, Floats>;
using FloatVector = hn::Vec<Floats>;
using BitVector = hn::Vec<Bits>;
constexpr std::size_t lanes = hn::MaxLanes(Floats());

#if HWY_ARCH_ARM_A64 || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)
#define OPWRIGHT_CONVERTS_FLOAT16 1
#else
#define OPWRIGHT_CONVERTS_FLOAT16 0
#endif

HWY_INLINE BitVector widened_bits(const std::uint16_t* from) {
  return hn::PromoteTo(Bits(), hn::LoadU(Halves(), from));
}

HWY_INLINE FloatVector load(const float* from) { return hn::LoadU(Floats(), from); }

HWY_INLINE FloatVector load(const bfloat16* from) {
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(widened_bits(&from->bits)));
}

HWY_INLINE FloatVector load(const float16* from) {
#if OPWRIGHT_CONVERTS_FLOAT16
  const hn::Rebind<hwy::float16_t, Floats> d;
  return hn::PromoteTo(Floats(), hn::LoadU(d, reinterpret_cast<const hwy::float16_t*>(from)));
#else
  const Bits d;
  const BitVector bits = widened_bits(&from->bits);
  const BitVector exponent = hn::Set(d, 0x7c00u);
  const BitVector magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(d, 0x7fffu)));
  const FloatVector scaled = hn::Mul(hn::BitCast(Floats(), magnitude), hn::Set(Floats(), 0x1p112f));
  const BitVector special = hn::IfThenElseZero(hn::Eq(hn::And(bits, exponent), exponent), hn::Set(d, 0x7f800000u));
  const BitVector sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(d, 0x8000u)));
  return hn::BitCast(Floats(), hn::Or(hn::Or(hn::BitCast(d, scaled), special), sign));
#endif
}

template <class D, class T>
HWY_INLINE void put(hn::Vec<D> v, D d, T* to, Store store) {
  // Highway streams no less than 16 bytes, even of a shorter vector.
  constexpr bool streamable = hn::MaxLanes(D()) * sizeof(T) >= 16;
  if (streamable && store == Store::streamed) {
    hn::Stream(v, d, to);
  } else {
    hn::StoreU(v, d, to);
  }
}

HWY_INLINE void save(FloatVector v, float* to, Store store) { put(v, Floats(), to, store); }

HWY_INLINE void save(FloatVector v, bfloat16* to, Store store) {
  const Bits d;
  const BitVector bits = hn::BitCast(d, v);
  const BitVector odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1u));
  const BitVector rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(d, 0x7fffu))));
  const auto nan = hn::RebindMask(d, hn::IsNaN(v));
  put(hn::TruncateTo(Halves(), hn::IfThenElse(nan, hn::Set(d, 0x7fc0u), rounded)), Halves(), &to->bits, store);
}

HWY_INLINE void save(FloatVector v, float16* to, Store store) {
#if OPWRIGHT_CONVERTS_FLOAT16
  const hn::Rebind<hwy::float16_t, Floats> d;
  put(hn::BitCast(Halves(), hn::DemoteTo(d, v)), Halves(), &to->bits, store);
#else
  const Bits d;
  const BitVector bits = hn::BitCast(d, v);
  const BitVector magnitude = hn::And(bits, hn::Set(d, 0x7fffffffu));
  const BitVector odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(d, 1u));
  const BitVector normal =
      hn::ShiftRight<13>(hn::Add(hn::Sub(magnitude, hn::Set(d, 0x38000000u)), hn::Add(odd, hn::Set(d, 0xfffu))));
  const FloatVector half = hn::Set(Floats(), 0.5f);
  const BitVector denormal =
      hn::Sub(hn::BitCast(d, hn::Add(hn::BitCast(Floats(), magnitude), half)), hn::BitCast(d, half));
  // Signed comparisons, which every target has: magnitudes have no sign bit.
  const hn::RebindToSigned<Bits> di;
  const auto signed_magnitude = hn::BitCast(di, magnitude);
  const auto below = [&](int limit)
                         HWY_ATTR { return hn::RebindMask(d, hn::Lt(signed_magnitude, hn::Set(di, limit))); };
  BitVector rounded = hn::IfThenElse(below(0x38800000), denormal, normal);
  rounded = hn::IfThenElse(below(0x47800000), rounded, hn::Set(d, 0x7c00u));
  rounded = hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(v)), hn::Set(d, 0x7e00u), rounded);
  const BitVector sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 0x8000u));
  put(hn::TruncateTo(Halves(), hn::Or(rounded, sign)), Halves(), &to->bits, store);
#endif
}

/// The first `count` elements, and zeros behind them.
template <class T>
HWY_INLINE FloatVector load_first(const T* from, std::size_t count) {
  if (count >= lanes) return load(from);
  T padded[lanes] = {};
  std::memcpy(padded, from, count * sizeof(T));
  return load(padded);
}

template <class T>
HWY_INLINE void save_first(FloatVector v, T* to, std::size_t count, Store store) {
  if (count >= lanes) return save(v, to, store);
  T padded[lanes];
  save(v, padded, Store::cached);
  std::memcpy(to, padded, count * sizeof(T));
}

#undef OPWRIGHT_CONVERTS_FLOAT16

/// A long sum is made of 64 partial sums: element i belongs to number i % 64, and they are added up as a balanced tree.
/// So it has the same bits on every target, whatever the width of its vectors.
constexpr std::size_t partial_sums = 64;
constexpr std::size_t sum_vectors = partial_sums / lanes;
static_assert(partial_sums % lanes == 0);
using PartialSums = std::array<FloatVector, sum_vectors>;

HWY_INLINE PartialSums no_sums() {
  PartialSums sums;
  sums.fill(hn::Zero(Floats()));
  return sums;
}

HWY_INLINE float total(PartialSums sums) {
  for (std::size_t width = sum_vectors / 2; width > 0; width /= 2) {
    for (std::size_t v = 0; v < width; ++v) sums[v] = hn::Add(sums[v], sums[v + width]);
  }
  float rest[lanes];
  hn::StoreU(sums[0], Floats(), rest);
  for (std::size_t width = lanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) rest[lane] += rest[lane + width];
  }
  return rest[0];
}

}  // namespace HWY_NAMESPACE
}  // namespace opwright
HWY_AFTER_NAMESPACE();

#endif
