// Native sparse attention.
#pragma once

#include "runtime/upstream/tensor.h"

namespace opwright::upstream {

/// One row for each stride of each sequence that is at least a block long. actual_seq_len holds the sequences' ends.
template <class Int>
Sizes<Int> nsa_compress_sizes(const Tensor<Int>& input, std::optional<std::int64_t> type,
                              std::optional<std::span<const std::int64_t>> actual_seq_len, std::int64_t block,
                              std::int64_t stride) {
  if (type.value_or(0) != 0) return {};
  require(actual_seq_len.has_value(), "actual_seq_len must be given");
  std::int64_t rows = 0;
  std::int64_t previous = 0;
  for (const std::int64_t end : *actual_seq_len) {
    const std::int64_t length = minus(end, previous);
    if (length >= block) {
      require(stride > 0, "compress_stride must be positive, got ", stride);
      rows = plus(rows, divide(plus(minus(length, block), stride), stride));
    }
    previous = end;
  }
  return {Int(rows), input.size(1), input.size(2)};
}

namespace detail {
inline void require_layout(std::string_view layout, bool bsh) {
  require(layout == "TND" || layout == "BSND" || (bsh && layout == "BSH"), "layout must be ", bsh ? "BSH, " : "",
          "BSND or TND, got ", layout);
}
template <class Int>
Int head_size(const Tensor<Int>& value, std::int64_t heads) {
  require(heads > 0, "key_value_head_num must be positive, got ", heads);
  return divide(value.size(2), Int(heads));
}
}  // namespace detail

template <class Int>
Sizes<Int> nsa_compress_attention_sizes(const Tensor<Int>& query, const Tensor<Int>& value, std::int64_t heads,
                                        std::string_view layout) {
  detail::require_layout(layout, false);
  const Int last = detail::head_size(value, heads);
  if (layout == "TND") return {query.size(0), query.size(1), last};
  return {query.size(0), query.size(1), query.size(2), last};
}

template <class Int>
Sizes<Int> nsa_compress_attention_topk_sizes(const Tensor<Int>& query, std::int64_t heads, std::int64_t blocks,
                                             std::string_view layout) {
  detail::require_layout(layout, false);
  require(heads > 0, "key_value_head_num must be positive, got ", heads);
  if (layout == "TND") return {query.size(0), Int(heads), Int(blocks)};
  return {query.size(0), query.size(1), Int(heads), Int(blocks)};
}

template <class Int>
Sizes<Int> nsa_select_attention_sizes(const Tensor<Int>& query, const Tensor<Int>& value, std::int64_t query_heads,
                                      std::int64_t heads, std::string_view layout) {
  detail::require_layout(layout, true);
  if (layout == "BSND") return {query.size(0), query.size(1), query.size(2), value.size(3)};
  const Int size = detail::head_size(value, heads);
  return {query.size(0), query.size(1), layout == "BSH" ? times(Int(query_heads), size) : size};
}

}  // namespace opwright::upstream
