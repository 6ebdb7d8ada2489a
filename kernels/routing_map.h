// Slots that are given by a token-by-expert map, or by a capacity an expert, and the router's numbers that go with
// them.
//
// A place is an element of the router's [tokens, experts] matrices, counted in row-major order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/slots.h"
#include "runtime/views.h"

namespace opwright {

/// The places that a map selects: by token, and by expert within a token. Those of token t are [first[t], first[t +
/// 1]).
struct Selection {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> place;
};

/// The places where the map is not zero. Throws an Error where there are not `rows` of them.
Selection select(std::string_view op, const View& routing_map, std::int64_t rows);

/// Slots, and the place of each.
struct RoutedSlots {
  Slots slots;
  std::vector<std::int64_t> place;
};

/// Slot i belongs to token[i] and points to row[i]; every expert has `capacity` rows, so that row r is one of expert
/// r / capacity. Slots are put into the order of their tokens, and keep their order within a token.
RoutedSlots capacity_slots(std::int64_t tokens, std::int64_t experts, std::span<const std::int64_t> token,
                           std::span<const std::int64_t> row);

/// The elements of a router's matrix at these places.
template <class Wide>
std::vector<Wide> read_places(const View& matrix, std::span<const std::int64_t> places);

/// The matrix of zeros to which values[i] is added at places[i], each element rounded once.
template <class Wide>
void write_places(std::span<const Wide> values, std::span<const std::int64_t> places, const MutableView& matrix);

}  // namespace opwright
