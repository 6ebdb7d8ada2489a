#include "kernels/indices.h"

#include <string>

#include "kernels/contiguous.h"
#include "runtime/error.h"

namespace opwright {
namespace {

/// "indices[2, 1]", given the place of an element in row-major order.
std::string element_name(std::string_view argument, const View& view, std::int64_t place) {
  std::string subscripts;
  for (int d = view.rank() - 1; d >= 0; --d) {
    subscripts = std::to_string(place % view.size(d)) + (subscripts.empty() ? "" : ", ") + subscripts;
    place /= view.size(d);
  }
  return std::string(argument) + "[" + subscripts + "]";
}

}  // namespace

std::vector<std::int64_t> read_indices(const IndexRule& rule, const View& view) {
  std::vector<std::int64_t> indices = read_integers(view);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0 && (!rule.limit || indices[i] < *rule.limit)) continue;
    throw Error(std::string(rule.op) + ": " + element_name(rule.argument, view, static_cast<std::int64_t>(i)) + " is " +
                std::to_string(indices[i]) + "; " + std::string(rule.what) + " are 0 or greater" +
                (rule.limit ? " and less than " + std::to_string(*rule.limit) : "") + "; " + std::string(rule.fix));
  }
  return indices;
}

}  // namespace opwright
