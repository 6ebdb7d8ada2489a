// Schemas of any bytes: read or refused; what was read prints to a text that reads the same.
#include "decl/schema.h"

#include "tests/fuzz/fuzzing.h"

using namespace opwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Node node = fuzzing::scalar(fuzzing::text_of(data, size));
  for (const bool named : {false, true}) {
    Diagnostics diagnostics;
    const std::optional<Schema> schema = parse_schema(node, named, diagnostics);
    fuzzing::require_reported(schema.has_value(), diagnostics);
    if (!schema) continue;
    const std::string printed = to_string(*schema);
    const std::optional<Schema> again = parse_schema(fuzzing::scalar(printed), named, diagnostics);
    fuzzing::require(again.has_value(), "a printed schema is read");
    fuzzing::require(to_string(*again) == printed, "a printed schema prints the same");
    fuzzing::require(again->arguments.size() == schema->arguments.size(), "no argument is lost");
    fuzzing::require(again->returns.size() == schema->returns.size(), "no result is lost");
  }
  return 0;
}
