// The files that a command line names.
#pragma once

#include <string>
#include <vector>

#include "model/load.h"

namespace opwright::cli {

/// A path that cannot be read, or that holds nothing to read.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a file holds, as its first key tells.
enum class Form { native, upstream_functions, upstream_derivatives };

struct Input {
  Form form = Form::native;
  model::DeclarationFile file;
};

/// Reads the named files, and of named folders every .yaml and .yml below them, in the order of their names. Folders
/// named `aten` are passed over: they hold the bridge of the software NPU, not operators.
std::vector<Input> read_inputs(const std::vector<std::string>& paths);

}  // namespace opwright::cli
