#include "runtime/torch/arguments.h"

#include <string>

#include "runtime/error.h"
#include "runtime/torch/dtype.h"

namespace opwright {

Dtype dtype_argument(const char* op, const char* argument, c10::ScalarType type) {
  if (const auto dtype = from_torch(type)) return *dtype;
  throw Error(op + (": " + std::string(argument)) + " must be a dtype that declarations name, got " +
              c10::toString(type));
}

}  // namespace opwright
