#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/multinomial.h>
#include <ATen/ops/normal.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include "runtime/error.h"
#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {
namespace {

/// A generator of its own for each call. Seed and offset are mixed by an odd multiplier, which keeps distinct pairs of
/// small numbers distinct.
at::Generator generator(std::int64_t seed, std::int64_t offset) {
  constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
  return at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed) * kGoldenRatio +
                                                  static_cast<std::uint64_t>(offset));
}

constexpr std::int64_t kBitsPerByte = 8;

/// The mask's bytes, one row each, against the eight bits.
at::Tensor bits() { return at::tensor({1, 2, 4, 8, 16, 32, 64, 128}, at::kByte); }

}  // namespace

void fill_uniform(const at::Tensor& self, double from, double to, std::int64_t seed, std::int64_t offset) {
  self.uniform_(from, to, generator(seed, offset));
}

void fill_normal(const at::Tensor& self, double mean, double std, std::int64_t seed, std::int64_t offset) {
  self.normal_(mean, std, generator(seed, offset));
}
void fill_normal(const at::Tensor& self, const at::Tensor& mean, double std, std::int64_t seed, std::int64_t offset) {
  self.copy_(at::normal(mean, std, generator(seed, offset)));
}
void fill_normal(const at::Tensor& self, double mean, const at::Tensor& std, std::int64_t seed, std::int64_t offset) {
  self.copy_(at::normal(mean, std, generator(seed, offset)));
}
void fill_normal(const at::Tensor& self, const at::Tensor& mean, const at::Tensor& std, std::int64_t seed,
                 std::int64_t offset) {
  self.copy_(at::normal(mean, std, generator(seed, offset)));
}

void fill_random(const at::Tensor& self, std::int64_t from, std::int64_t to, std::int64_t seed, std::int64_t offset) {
  self.random_(from, to, generator(seed, offset));
}
void fill_random(const at::Tensor& self, std::int64_t seed, std::int64_t offset) {
  self.random_(generator(seed, offset));
}

void fill_bernoulli(const at::Tensor& self, const at::Scalar& p, std::int64_t seed, std::int64_t offset) {
  self.bernoulli_(p.toDouble(), generator(seed, offset));
}
void fill_bernoulli(const at::Tensor& self, const at::Tensor& p, std::int64_t seed, std::int64_t offset) {
  self.bernoulli_(p, generator(seed, offset));
}

at::Tensor random_permutation(std::int64_t n, std::int64_t seed, std::int64_t offset) {
  return at::randperm(n, generator(seed, offset));
}
at::Tensor random_choice(const at::Tensor& weights, std::int64_t count, bool replacement, std::int64_t seed,
                         std::int64_t offset) {
  return at::multinomial(weights, count, replacement, generator(seed, offset));
}

void fill_dropout_mask(const at::Tensor& mask, at::IntArrayRef sizes, double p, std::int64_t seed,
                       std::int64_t offset) {
  if (c10::multiply_integers(sizes) > mask.numel() * kBitsPerByte)
    throw Error("a dropout mask of " + std::to_string(mask.numel()) + " bytes is too short for its tensor");
  const at::Tensor keep = at::empty({mask.numel(), kBitsPerByte}, at::kByte);
  keep.bernoulli_(1 - p, generator(seed, offset));
  mask.copy_(at::sum(keep * bits(), {1}, false, at::kByte).reshape(mask.sizes()));
}

at::Tensor apply_dropout_mask(const at::Tensor& self, const at::Tensor& mask, double p) {
  if (self.numel() > mask.numel() * kBitsPerByte)
    throw Error("a dropout mask of " + std::to_string(mask.numel()) + " bytes is too short for its tensor");
  const at::Tensor kept = mask.reshape({-1, 1}).bitwise_and(bits()).reshape(-1).slice(0, 0, self.numel()).ne(0);
  const double scale = p < 1 ? 1 / (1 - p) : 0;
  return at::where(kept.reshape(self.sizes()), self * scale, at::zeros({}, self.options()));
}

}  // namespace opwright::softnpu::aten
