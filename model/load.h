// Documents -> operators.
#pragma once

#include <string>
#include <vector>

#include "decl/diagnostics.h"
#include "model/operator.h"

namespace opwright::model {

/// A declaration file to read: `path` is how messages name it, `root_relative` gives family and stem.
struct DeclarationFile {
  SourceFilePtr source;
  std::string root_relative;
};

/// Reads all files, reports every error of form, name and type in them (schema, unknown keys with suggestions, kinds,
/// names that do not exist, dims never bound, duplicates across files), and returns the operators without errors.
/// Laws are not checked here.
Library load(const std::vector<DeclarationFile>& files, Diagnostics& diagnostics);

/// Prints an operator back as YAML that loads to an equal operator.
std::string to_yaml(const Operator& op);

}  // namespace opwright::model
