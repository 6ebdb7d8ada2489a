#include "kernels/routing_map.h"

#include <string>

#include "kernels/contiguous.h"
#include "kernels/element.h"
#include "runtime/error.h"

namespace opwright {

Selection select(std::string_view op, const View& routing_map, std::int64_t rows) {
  const Dense map(routing_map);
  const std::int64_t tokens = routing_map.size(0), experts = routing_map.size(1);
  const auto* selected = map.as<std::uint8_t>();  // bool or int8: one byte, zero or not
  Selection selection;
  selection.first.push_back(0);
  for (std::int64_t t = 0, place = 0; t < tokens; ++t) {
    for (std::int64_t e = 0; e < experts; ++e, ++place) {
      if (selected[place] != 0) selection.place.push_back(place);
    }
    selection.first.push_back(static_cast<std::int64_t>(selection.place.size()));
  }
  if (selection.first.back() != rows) {
    throw Error(
        std::string(op) + ": routing_map selects " + std::to_string(selection.first.back()) + " slots, but there are " +
        std::to_string(rows) +
        " rows; without drop_and_pad there is one row for each selected slot, a multiple of the number of tokens");
  }
  return selection;
}

RoutedSlots capacity_slots(std::int64_t tokens, std::int64_t experts, std::span<const std::int64_t> token,
                           std::span<const std::int64_t> row) {
  RoutedSlots routed;
  routed.slots = slots_of_owners(tokens, token);
  const std::int64_t capacity = experts == 0 ? 0 : static_cast<std::int64_t>(row.size()) / experts;
  for (auto& slot : routed.slots.row) {
    const auto i = static_cast<std::size_t>(slot);
    slot = row[i];
    if (experts > 0) routed.place.push_back(token[i] * experts + row[i] / capacity);
  }
  return routed;
}

template <class Wide>
std::vector<Wide> read_places(const View& matrix, std::span<const std::int64_t> places) {
  std::vector<Wide> values;
  values.reserve(places.size());
  visit_floating_point(matrix.dtype, [&]<class T>(T) {
    for (const auto place : places) {
      const std::int64_t t = place / matrix.size(1), e = place % matrix.size(1);
      values.push_back(static_cast<Wide>(widen(matrix.as<T>()[t * matrix.stride(0) + e * matrix.stride(1)])));
    }
  });
  return values;
}

template <class Wide>
void write_places(std::span<const Wide> values, std::span<const std::int64_t> places, const MutableView& matrix) {
  std::vector<Wide> sums(static_cast<std::size_t>(matrix.numel()), Wide{0});
  for (std::size_t i = 0; i < places.size(); ++i) sums[static_cast<std::size_t>(places[i])] += values[i];
  write_floats(sums, matrix);
}

template std::vector<float> read_places(const View&, std::span<const std::int64_t>);
template std::vector<double> read_places(const View&, std::span<const std::int64_t>);
template void write_places(std::span<const float>, std::span<const std::int64_t>, const MutableView&);
template void write_places(std::span<const double>, std::span<const std::int64_t>, const MutableView&);

}  // namespace opwright
