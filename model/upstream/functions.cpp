#include "model/upstream/functions.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "runtime/upstream/broadcast.h"
#include "runtime/upstream/dtype_codes.h"
#include "runtime/upstream/elementwise_dtype.h"
#include "runtime/upstream/moe_distribute.h"
#include "runtime/upstream/moe_permute.h"
#include "runtime/upstream/norm.h"
#include "runtime/upstream/nsa.h"
#include "runtime/upstream/platform.h"
#include "runtime/upstream/promotion.h"
#include "runtime/upstream/quantize.h"
#include "runtime/upstream/reduce.h"
#include "runtime/upstream/searchsorted.h"
#include "runtime/upstream/window.h"

namespace opwright::upstream {
namespace {

using Int = std::int64_t;
using Integers = std::span<const Int>;
using Tensors = std::span<const ConcreteTensor>;

template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>) return Kind::boolean;
  if constexpr (std::is_same_v<T, std::int8_t>) return Kind::int8;
  if constexpr (std::is_same_v<T, Int>) return Kind::integer;
  if constexpr (std::is_same_v<T, double>) return Kind::real;
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) return Kind::string;
  if constexpr (std::is_same_v<T, ScalarType>) return Kind::dtype;
  if constexpr (std::is_same_v<T, Scalar>) return Kind::scalar;
  if constexpr (std::is_same_v<T, ConcreteTensor>) return Kind::tensor;
  if constexpr (std::is_same_v<T, Tensors>) return Kind::tensors;
  if constexpr (std::is_same_v<T, Integers> || std::is_same_v<T, std::vector<Int>>) return Kind::integers;
  if constexpr (std::is_same_v<T, ConcreteSizes>) return Kind::sizes;
  if constexpr (std::is_same_v<T, std::vector<ConcreteSizes>>) return Kind::sizes_list;
  return Kind::other;
}

/// How a parameter of a rule is typed, and read from a Value.
template <class T>
struct Typing {
  static constexpr Type type{kind_of<T>(), false};
  static T read(const Value& value) {
    static_assert(kind_of<T>() != Kind::other);
    if constexpr (std::is_same_v<T, std::string_view>) {
      return std::get<std::string>(value);
    } else if constexpr (std::is_same_v<T, Integers>) {
      return std::get<ConcreteSizes>(value);
    } else if constexpr (std::is_same_v<T, Tensors>) {
      return std::get<std::vector<ConcreteTensor>>(value);
    } else {
      return std::get<T>(value);
    }
  }
};

template <class T>
struct Typing<std::optional<T>> {
  static constexpr Type type{kind_of<T>(), true};
  static std::optional<T> read(const Value& value) {
    if (std::holds_alternative<Absent>(value)) return std::nullopt;
    return Typing<T>::read(value);
  }
};

template <class T>
Value to_value(T result) {
  if constexpr (std::is_same_v<T, std::int8_t>) {
    return Int(result);
  } else if constexpr (std::is_same_v<T, std::vector<Int>>) {
    return ConcreteSizes(Integers(result));
  } else {
    return result;
  }
}

struct Header {
  std::string_view path;
  bool generic;

  template <class Result, class... Arguments>
  Function rule(std::string_view name, std::string_view cpp_name, Result (*rule)(Arguments...)) const {
    return make<Result, std::remove_cvref_t<Arguments>...>(
        name, cpp_name, false, [rule](const Platform&, auto&&... values) { return rule(values...); },
        std::index_sequence_for<Arguments...>());
  }
  template <class Result, class... Arguments>
  Function rule(std::string_view name, std::string_view cpp_name, Result (*rule)(const Platform&, Arguments...)) const {
    return make<Result, std::remove_cvref_t<Arguments>...>(name, cpp_name, true, rule,
                                                           std::index_sequence_for<Arguments...>());
  }

 private:
  template <class Result, class... Arguments, class Rule, std::size_t... I>
  Function make(std::string_view name, std::string_view cpp_name, bool asks_platform, Rule rule,
                std::index_sequence<I...>) const {
    const auto evaluate = [rule](const Platform& platform, [[maybe_unused]] std::span<const Value> values) {
      return to_value(rule(platform, Typing<Arguments>::read(values[I])...));
    };
    return {name,    cpp_name, path, generic, asks_platform, {Typing<Arguments>::type...}, {kind_of<Result>(), false},
            evaluate};
  }
};

std::vector<Function> make_functions() {
  constexpr Header promotion{"runtime/upstream/promotion.h", true};
  constexpr Header promotion_plain{"runtime/upstream/promotion.h", false};
  constexpr Header types{"runtime/upstream/scalar_type.h", false};
  constexpr Header elementwise{"runtime/upstream/elementwise_dtype.h", true};
  constexpr Header broadcasting{"runtime/upstream/broadcast.h", true};
  constexpr Header reducing{"runtime/upstream/reduce.h", true};
  constexpr Header norm{"runtime/upstream/norm.h", true};
  constexpr Header norm_plain{"runtime/upstream/norm.h", false};
  constexpr Header permute{"runtime/upstream/moe_permute.h", true};
  constexpr Header window{"runtime/upstream/window.h", true};
  constexpr Header quantize{"runtime/upstream/quantize.h", true};
  constexpr Header quantize_plain{"runtime/upstream/quantize.h", false};
  constexpr Header nsa{"runtime/upstream/nsa.h", true};
  constexpr Header codes{"runtime/upstream/dtype_codes.h", false};
  constexpr Header distribute{"runtime/upstream/moe_distribute.h", true};
  constexpr Header search{"runtime/upstream/searchsorted.h", true};
  constexpr Header search_plain{"runtime/upstream/searchsorted.h", false};
  constexpr Header platform{"runtime/upstream/platform.h", false};

  std::vector<Function> functions = {
      promotion.rule("result_type", "result_type", &result_type<Int>),
      promotion.rule("result_type", "result_type_with_scalar", &result_type_with_scalar<Int>),
      promotion.rule("result_type", "result_type_of_scalar", &result_type_of_scalar<Int>),
      promotion_plain.rule("result_type", "result_type_of_scalars", &result_type_of_scalars),
      promotion.rule("result_type", "result_type_of_list", &result_type_of_list<Int>),
      promotion_plain.rule("promoteTypes", "promote_types", &promote_types),
      types.rule("isIntegralType", "is_integral_type", &is_integral_type),
      types.rule("isFloatingType", "is_floating_type", &is_floating_type),
      types.rule("isComplexType", "is_complex_type", &is_complex_type),
      types.rule("typeMetaToScalarType", "same_type", &same_type),
      elementwise.rule("abs_out_dtype", "abs_dtype", &abs_dtype<Int>),
      elementwise.rule("angle_out_dtype", "angle_dtype", &angle_dtype<Int>),
      elementwise.rule("polar_out_dtype", "polar_dtype", &polar_dtype<Int>),
      elementwise.rule("clamp_out_dtype", "clamp_dtype", &clamp_dtype<Int>),
      elementwise.rule("clamp_scalar_out_dtype", "clamp_scalar_dtype", &clamp_scalar_dtype<Int>),
      broadcasting.rule("broadcast_ops_npu_output_size", "broadcast", &broadcast<Int>),
      broadcasting.rule("broadcast_ops_npu_output_size", "broadcast_sizes", &broadcast_sizes<Int>),
      broadcasting.rule("clamp_npu_output_size", "clamp_sizes", &clamp_sizes<Int>),
      broadcasting.rule("isclose_output_size", "isclose_sizes", &isclose_sizes<Int>),
      broadcasting.rule("addr_npu_output_size", "addr_sizes", &addr_sizes<Int>),
      broadcasting.rule("cdist_npu_output_size", "cdist_sizes", &cdist_sizes<Int>),
      broadcasting.rule("triangular_solve_output_size", "triangular_solve_sizes", &triangular_solve_sizes<Int>),
      reducing.rule("reduce_ops_npu_output_size", "reduce", &reduce<Int>),
      reducing.rule("reduce_lastdim_output_size", "reduce_last", &reduce_last<Int>),
      reducing.rule("get_dimlist_for_tensor", "all_dimensions", &all_dimensions<Int>),
      reducing.rule("input_same_output_size", "same_sizes", &same_sizes<Int>),
      reducing.rule("topk_npu_output_size", "topk_sizes", &topk_sizes<Int>),
      reducing.rule("stack_output_size", "stack_sizes", &stack_sizes<Int>),
      reducing.rule("repeat_npu_output_size", "repeat_sizes", &repeat_sizes<Int>),
      reducing.rule("diag_output_size", "diag_sizes", &diag_sizes<Int>),
      norm.rule("rms_norm_npu_output_size", "rms_norm_sizes", &rms_norm_sizes<Int>),
      norm.rule("glu_npu_output_size", "glu_sizes", &glu_sizes<Int>),
      norm.rule("swiglu_backward_infershape", "glu_sizes", &glu_sizes<Int>),
      norm.rule("npu_gelu_mul_output_size", "gelu_mul_sizes", &gelu_mul_sizes<Int>),
      norm.rule("prelu_backward_npu_grad_weight_output_size", "prelu_weight_sizes", &prelu_weight_sizes<Int>),
      norm.rule("npu_cross_entropy_loss_loss_output_size", "cross_entropy_loss_sizes", &cross_entropy_loss_sizes<Int>),
      norm.rule("npu_cross_entropy_loss_zloss_output_size", "cross_entropy_zloss_sizes",
                &cross_entropy_zloss_sizes<Int>),
      norm.rule("npu_cross_entropy_loss_lse_for_zloss_output_size", "cross_entropy_lse_sizes",
                &cross_entropy_lse_sizes<Int>),
      norm.rule("npu_group_norm_silu_dst_type", "group_norm_silu_dtype", &group_norm_silu_dtype<Int>),
      norm_plain.rule("npu_gelu_approximate_str", "gelu_approximation", &gelu_approximation),
      norm_plain.rule("npu_gelu_approximate_mode", "gelu_approximation_mode", &gelu_approximation_mode),
      permute.rule("npu_moe_token_permute_out_size", "moe_token_permute_sizes", &moe_token_permute_sizes<Int>),
      permute.rule("npu_moe_token_permute_grad_out_size", "moe_token_permute_grad_sizes",
                   &moe_token_permute_grad_sizes<Int>),
      permute.rule("npu_moe_token_permute_grad_v2_out_size", "moe_token_permute_grad_v2_sizes",
                   &moe_token_permute_grad_v2_sizes<Int>),
      permute.rule("npu_moe_token_unpermute_out_size", "moe_token_unpermute_sizes", &moe_token_unpermute_sizes<Int>),
      permute.rule("npu_moe_token_unpermute_grad_permuted_tokens_out_size", "moe_token_unpermute_grad_tokens_sizes",
                   &moe_token_unpermute_grad_tokens_sizes<Int>),
      permute.rule("npu_moe_token_unpermute_grad_probs_out_size", "moe_token_unpermute_grad_probs_sizes",
                   &moe_token_unpermute_grad_probs_sizes<Int>),
      permute.rule("npu_moe_token_unpermute_grad_v2_permuted_tokens_out_size",
                   "moe_token_unpermute_grad_v2_tokens_sizes", &moe_token_unpermute_grad_v2_tokens_sizes<Int>),
      permute.rule("npu_moe_token_unpermute_grad_v2_probs_out_size", "moe_token_unpermute_grad_v2_probs_sizes",
                   &moe_token_unpermute_grad_v2_probs_sizes<Int>),
      window.rule("reflection_pad1d_npu_out_size", "pad1d_sizes", &pad1d_sizes<Int>),
      window.rule("reflection_pad2d_npu_out_size", "pad2d_sizes", &pad2d_sizes<Int>),
      window.rule("reflection_pad3d_npu_out_size", "pad3d_sizes", &pad3d_sizes<Int>),
      window.rule("replication_pad1d_npu_out_size", "pad1d_sizes", &pad1d_sizes<Int>),
      window.rule("replication_pad2d_npu_out_size", "pad2d_sizes", &pad2d_sizes<Int>),
      window.rule("replication_pad3d_npu_out_size", "pad3d_sizes", &pad3d_sizes<Int>),
      window.rule("adaptive_avg_pool3d_npu_output_size", "adaptive_avg_pool3d_sizes", &adaptive_avg_pool3d_sizes<Int>),
      window.rule("max_pool2d_out_size", "max_pool2d_sizes", &max_pool2d_sizes<Int>),
      window.rule("max_pool3d_output_size", "max_pool3d_sizes", &max_pool3d_sizes<Int>),
      window.rule("upsample_nearest_exact2d_output_size_npu", "upsample_nearest2d_sizes",
                  &upsample_nearest2d_sizes<Int>),
      window.rule("im2col_backward_npu_output_size", "im2col_backward_sizes", &im2col_backward_sizes<Int>),
      quantize_plain.rule("npu_group_quant_dst_type", "group_quant_dtype", &group_quant_dtype),
      quantize_plain.rule("npu_add_rms_norm_dynamic_quant_y_dtype", "dynamic_quant_dtype", &dynamic_quant_dtype),
      quantize.rule("npu_group_quant_out_size", "quantized_sizes", &quantized_sizes<Int>),
      quantize.rule("npu_add_rms_norm_dynamic_quant_y_size", "quantized_sizes", &quantized_sizes<Int>),
      quantize.rule("npu_gather_sparse_index_out_size", "gather_sparse_index_sizes", &gather_sparse_index_sizes<Int>),
      nsa.rule("npu_nsa_compress_out_size", "nsa_compress_sizes", &nsa_compress_sizes<Int>),
      nsa.rule("npu_nsa_compress_attention_infer_out_size", "nsa_compress_attention_sizes",
               &nsa_compress_attention_sizes<Int>),
      nsa.rule("npu_nsa_compress_attention_infer_topk_out_size", "nsa_compress_attention_topk_sizes",
               &nsa_compress_attention_topk_sizes<Int>),
      nsa.rule("npu_nsa_select_attention_infer_out_size", "nsa_select_attention_sizes",
               &nsa_select_attention_sizes<Int>),
      codes.rule("GetAclDataType", "dtype_of_code", &dtype_of_code),
      codes.rule("npu_moe_distribute_dispatch_setup_out_dtype", "dtype_of_optional_code", &dtype_of_optional_code),
      types.rule("convert_to_scalar_type", "same_type", &same_type),
      distribute.rule("npu_moe_distribute_dispatch_setup_out_size", "moe_distribute_dispatch_setup_sizes",
                      &moe_distribute_dispatch_setup_sizes<Int>),
      distribute.rule("npu_moe_distribute_dispatch_teardown_out_size", "moe_distribute_dispatch_teardown_sizes",
                      &moe_distribute_dispatch_teardown_sizes<Int>),
      distribute.rule("npu_moe_distribute_combine_setup_out_size", "moe_distribute_combine_setup_sizes",
                      &moe_distribute_combine_setup_sizes<Int>),
      distribute.rule("npu_moe_distribute_combine_teardown_out_size", "moe_distribute_combine_teardown_sizes",
                      &moe_distribute_combine_teardown_sizes<Int>),
      search.rule("searchsorted_validate_core_no_output", "searchsorted_check", &searchsorted_check<Int>),
      search.rule("searchsorted_validate_scalar_op", "searchsorted_check_scalar", &searchsorted_check_scalar<Int>),
      search.rule("searchsorted_validate_tensor_out_op", "searchsorted_check_out", &searchsorted_check_out<Int>),
      search.rule("warn_if_searchsorted_inputs_noncontiguous", "searchsorted_warn", &searchsorted_warn<Int>),
      search.rule("warn_if_searchsorted_scalar_inputs_noncontiguous", "searchsorted_warn_scalar",
                  &searchsorted_warn_scalar<Int>),
      search_plain.rule("resolve_searchsorted_effective_right", "searchsorted_right", &searchsorted_right),
      platform.rule("is_gte_cann_version_820rc1", "cann_at_least_8_2_rc1", &cann_at_least_8_2_rc1),
      platform.rule("IsAllowConvHF32", "allow_hf32_in_convolutions", &allow_hf32_in_convolutions),
      platform.rule("get_cube_math_type", "cube_math_type", &cube_math_type),
  };
  std::ranges::stable_sort(functions, {}, &Function::name);
  return functions;
}

}  // namespace

std::span<const Function> all_functions() {
  static const std::vector<Function> functions = make_functions();
  return functions;
}

std::span<const Function> functions_named(std::string_view name) {
  const auto functions = all_functions();
  const auto found = std::ranges::equal_range(functions, name, {}, &Function::name);
  return {found.begin(), found.end()};
}

}  // namespace opwright::upstream
