#include <ATen/ops/div.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/sigmoid.h>

#include "runtime/error.h"
#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {
namespace {

std::optional<c10::string_view> rounding_of(std::int64_t mode) {
  switch (mode) {
    case 0:
      return std::nullopt;
    case 1:
      return "trunc";
    case 2:
      return "floor";
    default:
      throw Error("there is no rounding mode " + std::to_string(mode) + " of a division");
  }
}

}  // namespace

at::Tensor div_rounded(const at::Tensor& self, const at::Tensor& other, std::int64_t mode) {
  return at::div(self, other, rounding_of(mode));
}
at::Tensor div_rounded(const at::Tensor& self, const at::Scalar& other, std::int64_t mode) {
  return at::div(self, other, rounding_of(mode));
}

std::tuple<at::Tensor, at::Tensor> log_sigmoid_without_buffer(const at::Tensor& self) {
  return {at::log_sigmoid(self), at::Tensor()};
}
at::Tensor log_sigmoid_gradient(const at::Tensor& grad_output, const at::Tensor& self) {
  return grad_output * at::sigmoid(-self);
}

at::Tensor gelu_by_mode(const at::Tensor& self, std::int64_t mode) {
  return at::gelu(self, mode == 1 ? "tanh" : "none");
}

}  // namespace opwright::softnpu::aten
