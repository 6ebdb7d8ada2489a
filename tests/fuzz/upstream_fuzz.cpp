// Upstream's two files, of any bytes and divided by a NUL: linted without a crash, and every finding prints.
#include "laws/upstream/upstream.h"

#include "tests/fuzz/fuzzing.h"

using namespace opwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzzing::text_of(data, size);
  const std::size_t division = std::min(text.find('\0'), text.size());
  Diagnostics diagnostics;
  UpstreamSummary summary;
  lint_upstream(fuzzing::source(text.substr(0, division)),
                fuzzing::source(text.substr(std::min(division + 1, text.size()))), diagnostics, summary);
  fuzzing::require_reported(true, diagnostics);
  fuzzing::require(summary.opaque_expressions <= summary.expressions, "opaque expressions are expressions");
  return 0;
}
