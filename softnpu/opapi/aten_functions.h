// What the bridge calls beside ATen's own functions: conversions of arguments, ATen's functions under the arguments
// that the interface has for them, and computations that ATen has no function for.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/range.h>

#include "softnpu/opapi/aten.h"

namespace opwright::softnpu::aten {

// Functions of ATen that are not found by the types of their arguments.
using at::arange;
using at::eye;
using at::linspace;
using at::range;

// Conversions (aten_convert.cpp).
at::Tensor as_int64(const at::Tensor& index);
at::Tensor as_int64(const std::vector<std::int64_t>& index);
std::int64_t as_int(const at::Scalar& value);
at::Scalar as_scalar(std::int64_t value);
at::Scalar as_scalar(const at::Tensor& one_element);
/// A tensor of one element without its dimensions.
at::Tensor as_zero_dim(const at::Tensor& one_element);
/// A scalar as a tensor of the dtype that it has beside `other`.
at::Tensor as_tensor(const at::Scalar& value, const at::Tensor& other);
/// float16 and bfloat16 as float32; everything else as it is.
at::Tensor wide(const at::Tensor& tensor);
std::optional<at::Tensor> wide(const std::optional<at::Tensor>& tensor);

// Elements (aten_pointwise.cpp).
/// Mode 0 divides exactly, 1 rounds toward zero, 2 toward minus infinity.
at::Tensor div_rounded(const at::Tensor& self, const at::Tensor& other, std::int64_t mode);
at::Tensor div_rounded(const at::Tensor& self, const at::Scalar& other, std::int64_t mode);
/// log_sigmoid, and in place of the buffer that a CPU would keep for its gradient, nothing.
std::tuple<at::Tensor, at::Tensor> log_sigmoid_without_buffer(const at::Tensor& self);
at::Tensor log_sigmoid_gradient(const at::Tensor& grad_output, const at::Tensor& self);
/// Mode 0 is exact, 1 approximates by tanh.
at::Tensor gelu_by_mode(const at::Tensor& self, std::int64_t mode);

// Reductions (aten_reduce.cpp). No dims are all dims.
at::Tensor all_over(const at::Tensor& self, at::IntArrayRef dims, bool keepdim);
at::Tensor any_over(const at::Tensor& self, at::IntArrayRef dims, bool keepdim);
std::tuple<at::Tensor, at::Tensor> aminmax_over(const at::Tensor& self, at::IntArrayRef dims, bool keepdim);
at::Tensor deviation(const at::Tensor& self, at::IntArrayRef dims, const at::Scalar& correction, bool keepdim);

// Indices (aten_index.cpp).
using OptionalTensors = std::vector<std::optional<at::Tensor>>;
at::Tensor index_by(const at::Tensor& self, const OptionalTensors& indices);
void index_put_by(const at::Tensor& self, const OptionalTensors& indices, const at::Tensor& value, bool accumulate);
/// Mode 0 overwrites, 1 adds, 2 multiplies.
at::Tensor scatter_by_mode(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Tensor& source,
                           std::int64_t mode);
at::Tensor scatter_by_mode(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Scalar& value,
                           std::int64_t mode);
std::tuple<at::Tensor, at::Tensor> sort_by(const at::Tensor& self, bool stable, std::int64_t dim, bool descending);
at::Tensor search_sorted(const at::Tensor& sorted, const at::Tensor& self, bool out_int32, bool right,
                         const std::optional<at::Tensor>& sorter);
at::Tensor one_hot_values(const at::Tensor& self, std::int64_t depth, const at::Tensor& on_value,
                          const at::Tensor& off_value, std::int64_t axis);

// Random numbers (aten_random.cpp): the same for the same seed and offset.
void fill_uniform(const at::Tensor& self, double from, double to, std::int64_t seed, std::int64_t offset);
void fill_normal(const at::Tensor& self, double mean, double std, std::int64_t seed, std::int64_t offset);
void fill_normal(const at::Tensor& self, const at::Tensor& mean, double std, std::int64_t seed, std::int64_t offset);
void fill_normal(const at::Tensor& self, double mean, const at::Tensor& std, std::int64_t seed, std::int64_t offset);
void fill_normal(const at::Tensor& self, const at::Tensor& mean, const at::Tensor& std, std::int64_t seed,
                 std::int64_t offset);
void fill_random(const at::Tensor& self, std::int64_t from, std::int64_t to, std::int64_t seed, std::int64_t offset);
void fill_random(const at::Tensor& self, std::int64_t seed, std::int64_t offset);
void fill_bernoulli(const at::Tensor& self, const at::Scalar& p, std::int64_t seed, std::int64_t offset);
void fill_bernoulli(const at::Tensor& self, const at::Tensor& p, std::int64_t seed, std::int64_t offset);
at::Tensor random_permutation(std::int64_t n, std::int64_t seed, std::int64_t offset);
at::Tensor random_choice(const at::Tensor& weights, std::int64_t count, bool replacement, std::int64_t seed,
                         std::int64_t offset);
/// One bit an element, lowest bit first; set where the element is kept, which it is with probability 1 - p.
void fill_dropout_mask(const at::Tensor& mask, at::IntArrayRef sizes, double p, std::int64_t seed, std::int64_t offset);
/// Kept elements times 1 / (1 - p), others 0.
at::Tensor apply_dropout_mask(const at::Tensor& self, const at::Tensor& mask, double p);

// Losses (aten_loss.cpp).
at::Tensor l1_loss_gradient(const at::Tensor& grad_output, const at::Tensor& self, const at::Tensor& target,
                            std::int64_t reduction);
at::Tensor kl_div_gradient(const at::Tensor& grad_output, const at::Tensor& self, const at::Tensor& target,
                           std::int64_t reduction, bool log_target);

// Normalisation (aten_norm.cpp), over the trailing dimensions that gamma has.
std::tuple<at::Tensor, at::Tensor> rms_norm_with_rstd(const at::Tensor& self, const at::Tensor& gamma, double epsilon);
std::tuple<at::Tensor, at::Tensor> rms_norm_gradient(const at::Tensor& grad_output, const at::Tensor& self,
                                                     const at::Tensor& rstd, const at::Tensor& gamma);
/// rms_norm_with_rstd of the sum, and the sum.
std::tuple<at::Tensor, at::Tensor, at::Tensor> add_rms_norm(const at::Tensor& x1, const at::Tensor& x2,
                                                            const at::Tensor& gamma, double epsilon);

// Attention (aten_attention.cpp).
/// The rows' maxima and sums, nothing in place of the whole softmax, and the result.
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> attention(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const std::optional<at::Tensor>& bias,
    const std::optional<at::Tensor>& drop_mask, const std::optional<at::Tensor>& mask, double scale,
    double keep_probability, std::int64_t heads, const std::string& layout, std::int64_t sparse_mode);
/// The gradients of query, key, value and bias.
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> attention_gradient(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const at::Tensor& grad_output,
    const std::optional<at::Tensor>& bias, const std::optional<at::Tensor>& drop_mask,
    const std::optional<at::Tensor>& mask, double scale, double keep_probability, std::int64_t heads,
    const std::string& layout, std::int64_t sparse_mode);

// Optimizers (aten_optimizer.cpp).
/// One step of AdamW; `step` counts the steps before it. `max_v` is undefined without `amsgrad`.
void apply_adamw(const at::Tensor& var, const at::Tensor& m, const at::Tensor& v, const at::Tensor& max_v,
                 const at::Tensor& gradient, const at::Tensor& step, double lr, double beta1, double beta2,
                 double weight_decay, double eps, bool amsgrad, bool maximize);
/// Multiplies the gradients by the inverse of the loss scale; sets `found_inf` to 1 if one of them is not finite.
void unscale_and_find_non_finite(const std::vector<at::Tensor>& gradients, at::Tensor found_inf,
                                 const at::Tensor& inverse_scale);

}  // namespace opwright::softnpu::aten
