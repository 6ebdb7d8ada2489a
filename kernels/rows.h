// Rows of floating-point elements: what the token operators do with them. Vectorised for every CPU that the compiler
// knows, chosen when the program runs; the results have the same bits on all of them.
//
// Products and sums are float32 (float64 in the overloads for double), never fused, in an order that depends on nothing
// but the operands; a result is rounded once.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/dtype.h"

namespace opwright {

/// How results are stored. Streamed stores go past the caches and save reading each line first. That pays where the
/// result is larger than the caches, and costs where the next operator would have found it there.
enum class Store { cached, streamed };

/// Streamed for a large matrix of rows that are made of whole cache lines.
Store store_for(const void* matrix, std::int64_t rows, std::int64_t row_bytes);

/// To be called after streamed stores, before another thread reads them.
void finish(Store store);

/// out = row.
void copy_row(const void* row, std::int64_t bytes, void* out, Store store);

/// A summand: a row and what it is multiplied by.
template <class Wide>
struct Term {
  const void* row;
  Wide weight;
};

/// out[i] = sum of weight * row[i] over the terms, in their order; zero if there are none. `next` are the terms of the
/// following call, whose rows are fetched into the cache meanwhile.
void weighted_sum(Dtype dtype, std::span<const Term<float>> terms, std::span<const Term<float>> next,
                  std::int64_t length, void* out, Store store);
void weighted_sum(Dtype dtype, std::span<const Term<double>> terms, std::span<const Term<double>> next,
                  std::int64_t length, void* out, Store store);

/// The dot product of two rows. `next` (or null) is the second row of the following call.
void dot(Dtype dtype, const void* a, const void* b, const void* next, std::int64_t length, float& result);
void dot(Dtype dtype, const void* a, const void* b, const void* next, std::int64_t length, double& result);

/// Both of one row: out = weight * a, and the dot product of a and b.
void scale_and_dot(Dtype dtype, float weight, const void* a, const void* b, const void* next, std::int64_t length,
                   void* out, Store store, float& result);
void scale_and_dot(Dtype dtype, double weight, const void* a, const void* b, const void* next, std::int64_t length,
                   void* out, Store store, double& result);

}  // namespace opwright
