#include <ATen/ops/arange.h>
#include <ATen/ops/index.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/searchsorted.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/where.h>

#include <algorithm>

#include "runtime/error.h"
#include "softnpu/opapi/aten_functions.h"

namespace opwright::softnpu::aten {
namespace {

bool has_elements(const std::optional<at::Tensor>& index) { return index && index->numel() > 0; }

/// A dimension that is not indexed comes as an index without elements, and so does one that no element is taken of. As
/// indices broadcast to one another, those cannot occur together: if all are without elements, no element is taken.
bool take_nothing(const OptionalTensors& indices) { return std::ranges::none_of(indices, has_elements); }

c10::List<std::optional<at::Tensor>> present(const OptionalTensors& indices) {
  c10::List<std::optional<at::Tensor>> list;
  for (const auto& index : indices) {
    if (!has_elements(index)) {
      list.push_back(std::nullopt);
      continue;
    }
    const bool is_mask = index->scalar_type() == at::kBool || index->scalar_type() == at::kByte;
    list.push_back(is_mask ? *index : as_int64(*index));
  }
  return list;
}

std::optional<c10::string_view> reduction_of(std::int64_t mode) {
  switch (mode) {
    case 0:
      return std::nullopt;
    case 1:
      return "add";
    case 2:
      return "multiply";
    default:
      throw Error("there is no mode " + std::to_string(mode) + " of a scatter");
  }
}

template <class Source>
at::Tensor scatter(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const Source& source,
                   std::int64_t mode) {
  const auto reduction = reduction_of(mode);
  if (!reduction) return at::scatter(self, dim, as_int64(index), source);
  return at::scatter(self, dim, as_int64(index), source, *reduction);
}

}  // namespace

/// Undefined, so that nothing is stored, where no element is taken.
at::Tensor index_by(const at::Tensor& self, const OptionalTensors& indices) {
  return take_nothing(indices) ? at::Tensor() : at::index(self, present(indices));
}
void index_put_by(const at::Tensor& self, const OptionalTensors& indices, const at::Tensor& value, bool accumulate) {
  if (!take_nothing(indices)) self.index_put_(present(indices), value, accumulate);
}

at::Tensor scatter_by_mode(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Tensor& source,
                           std::int64_t mode) {
  return scatter(self, dim, index, source, mode);
}
at::Tensor scatter_by_mode(const at::Tensor& self, std::int64_t dim, const at::Tensor& index, const at::Scalar& value,
                           std::int64_t mode) {
  return scatter(self, dim, index, value, mode);
}

std::tuple<at::Tensor, at::Tensor> sort_by(const at::Tensor& self, bool stable, std::int64_t dim, bool descending) {
  return at::sort(self, std::optional<bool>(stable), dim, descending);
}

at::Tensor search_sorted(const at::Tensor& sorted, const at::Tensor& self, bool out_int32, bool right,
                         const std::optional<at::Tensor>& sorter) {
  return at::searchsorted(sorted, self, out_int32, right, std::nullopt, sorter);
}

at::Tensor one_hot_values(const at::Tensor& self, std::int64_t depth, const at::Tensor& on_value,
                          const at::Tensor& off_value, std::int64_t axis) {
  const at::Tensor classes = at::arange(depth, at::kLong);
  const at::Tensor hot = as_int64(self).unsqueeze(-1) == classes;
  const at::Tensor values = at::where(hot, as_zero_dim(on_value), as_zero_dim(off_value));
  return axis == -1 ? values : values.movedim(-1, axis);
}

}  // namespace opwright::softnpu::aten
