#include <ATen/ExpandUtils.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>

#include <limits>

#include "runtime/error.h"
#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {
namespace {

/// The interface repeats the row's maximum and sum this often, for the vector units of a device.
constexpr std::int64_t kRepeats = 8;

/// How a layout's letters (batch, heads N, sequence, head size D, all heads H) become [B, N, S, D], and back.
class Layout {
 public:
  Layout(const std::string& name, std::int64_t heads) : name_(name), heads_(heads) {
    if (name != "BNSD" && name != "BSND" && name != "BSH" && name != "SBH")
      throw Error("attention in the layout " + name + " is not computed by the software NPU");
  }

  /// `key` and `value` may have fewer heads than `query`; theirs is the size of a head.
  at::Tensor heads_apart(const at::Tensor& tensor, std::int64_t head_size) const {
    if (name_ == "BNSD") return tensor;
    if (name_ == "BSND") return tensor.transpose(1, 2);
    const at::Tensor batch_first = name_ == "SBH" ? tensor.transpose(0, 1) : tensor;
    return batch_first.unflatten(2, {-1, head_size}).transpose(1, 2);
  }
  at::Tensor heads_together(const at::Tensor& tensor) const {
    if (name_ == "BNSD") return tensor;
    const at::Tensor by_token = tensor.transpose(1, 2);
    if (name_ == "BSND") return by_token;
    const at::Tensor joined = by_token.flatten(2);
    return name_ == "SBH" ? joined.transpose(0, 1) : joined;
  }
  std::int64_t head_size(const at::Tensor& query) const {
    return name_ == "BNSD" || name_ == "BSND" ? query.size(3) : query.size(2) / heads_;
  }

 private:
  std::string name_;
  std::int64_t heads_;
};

/// The entries of [S, T] that do not take part. In the causal modes the mask that is passed is one of a fixed size,
/// which says no more than the mode: 2 aligns the diagonal to the upper left, 3 to the lower right corner.
std::optional<at::Tensor> left_out(const std::optional<at::Tensor>& mask, std::int64_t sparse_mode, std::int64_t rows,
                                   std::int64_t columns) {
  enum { kDefault = 0, kWholeMask = 1, kUpperLeft = 2, kLowerRight = 3 };
  switch (sparse_mode) {
    case kDefault:
    case kWholeMask:
      if (!mask) return std::nullopt;
      return mask->to(at::kBool);
    case kUpperLeft:
      return at::ones({rows, columns}, at::kBool).triu(1);
    case kLowerRight:
      return at::ones({rows, columns}, at::kBool).triu(1 + columns - rows);
    default:
      throw Error("attention of sparse_mode " + std::to_string(sparse_mode) + " is not computed by the software NPU");
  }
}

/// Attention of one call, in float32 or wider, with the heads of key and value repeated for the queries that share
/// them.
struct Attention {
  Layout layout;
  std::int64_t head_size;
  at::Tensor query, key, value;
  double scale;
  at::Tensor maximum, sum, probabilities;

  Attention(const at::Tensor& given_query, const at::Tensor& given_key, const at::Tensor& given_value,
            const std::optional<at::Tensor>& bias, const std::optional<at::Tensor>& drop_mask,
            const std::optional<at::Tensor>& mask, double given_scale, double keep_probability, std::int64_t heads,
            const std::string& layout_name, std::int64_t sparse_mode)
      : layout(layout_name, heads),
        head_size(layout.head_size(given_query)),
        query(layout.heads_apart(wide(given_query), head_size)),
        key(repeated(layout.heads_apart(wide(given_key), head_size))),
        value(repeated(layout.heads_apart(wide(given_value), head_size))),
        scale(given_scale) {
    if (drop_mask || keep_probability != 1) throw Error("attention with dropout is not computed by the software NPU");
    at::Tensor scores = at::matmul(query, key.transpose(-1, -2)) * scale;
    if (bias) scores = scores + wide(*bias);
    if (const auto without = left_out(mask, sparse_mode, scores.size(2), scores.size(3)))
      scores = scores.masked_fill(*without, -std::numeric_limits<double>::infinity());
    maximum = at::amax(scores, {-1}, /*keepdim=*/true);
    const at::Tensor powers = at::exp(scores - maximum);
    sum = at::sum(powers, {-1}, /*keepdim=*/true);
    probabilities = powers / sum;
  }

  at::Tensor repeated(const at::Tensor& tensor) const {
    return tensor.repeat_interleave(query.size(1) / tensor.size(1), 1);
  }
  /// The gradient of a tensor with repeated heads, as one of the tensor that it was made from.
  at::Tensor gathered(const at::Tensor& gradient, const at::Tensor& original) const {
    const std::int64_t kept = layout.heads_apart(original, head_size).size(1);
    return layout.heads_together(gradient.unflatten(1, {kept, -1}).sum(2));
  }
};

}  // namespace

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> attention(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const std::optional<at::Tensor>& bias,
    const std::optional<at::Tensor>& drop_mask, const std::optional<at::Tensor>& mask, double scale,
    double keep_probability, std::int64_t heads, const std::string& layout, std::int64_t sparse_mode) {
  const Attention call(query, key, value, bias, drop_mask, mask, scale, keep_probability, heads, layout, sparse_mode);
  const auto statistic = [](const at::Tensor& column) {
    return column.expand({column.size(0), column.size(1), column.size(2), kRepeats});
  };
  return {statistic(call.maximum), statistic(call.sum), at::Tensor(),
          call.layout.heads_together(at::matmul(call.probabilities, call.value))};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> attention_gradient(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const at::Tensor& grad_output,
    const std::optional<at::Tensor>& bias, const std::optional<at::Tensor>& drop_mask,
    const std::optional<at::Tensor>& mask, double scale, double keep_probability, std::int64_t heads,
    const std::string& layout, std::int64_t sparse_mode) {
  const Attention call(query, key, value, bias, drop_mask, mask, scale, keep_probability, heads, layout, sparse_mode);
  const at::Tensor grad = call.layout.heads_apart(wide(grad_output), call.head_size);
  const at::Tensor grad_value = at::matmul(call.probabilities.transpose(-1, -2), grad);
  const at::Tensor grad_probabilities = at::matmul(grad, call.value.transpose(-1, -2));
  const at::Tensor mean = at::sum(call.probabilities * grad_probabilities, {-1}, /*keepdim=*/true);
  const at::Tensor grad_scores = call.probabilities * (grad_probabilities - mean);
  const at::Tensor grad_query = at::matmul(grad_scores, call.key) * scale;
  const at::Tensor grad_key = at::matmul(grad_scores.transpose(-1, -2), call.query) * scale;
  return {call.layout.heads_together(grad_query), call.gathered(grad_key, key), call.gathered(grad_value, value),
          bias ? at::sum_to(grad_scores, bias->sizes()) : at::Tensor()};
}

}  // namespace opwright::softnpu::aten
