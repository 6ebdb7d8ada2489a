// The functions that expressions may call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/operator.h"

namespace opwright::model {

struct Function {
  std::string_view name;
  std::vector<Kind> parameters;  // the last one may repeat where `variadic`
  Kind result;
  std::string_view usage;  // for messages
  bool variadic = false;
  bool gradient_only = false;
};

/// The function of a name, or null.
const Function* find_function(std::string_view name);

std::vector<std::string> function_names(bool with_gradient);

}  // namespace opwright::model
