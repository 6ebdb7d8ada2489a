// Written by `opwright generate` from all declarations; change that instead.
#include <span>

#include "runtime/torch/registry.h"

namespace opwright {

std::span<const Registration> moe_operators();

std::vector<Registration> all_operators() {
  std::vector<Registration> all;
  for (const Registration& op : moe_operators()) all.push_back(op);
  return all;
}

}  // namespace opwright
