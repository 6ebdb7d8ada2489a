// C++ snippets of any bytes: read or refused; what was read prints to a text of the same tree.
#include "decl/upstream/snippet.h"

#include "tests/fuzz/fuzzing.h"

using namespace opwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Node node = fuzzing::scalar(fuzzing::text_of(data, size));
  Diagnostics diagnostics;
  const upstream::SnippetPtr snippet = upstream::parse_snippet(node, diagnostics);
  fuzzing::require_reported(snippet != nullptr, diagnostics);
  if (!snippet) return 0;
  const upstream::SnippetPtr again = upstream::parse_snippet(fuzzing::scalar(to_string(*snippet)), diagnostics);
  fuzzing::require(again && fuzzing::same(*snippet, *again), "a printed snippet is the same tree");
  return 0;
}
