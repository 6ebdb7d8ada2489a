// The tokens of a C++ snippet.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/document.h"

namespace opwright::upstream {

enum class SnippetTokenKind { word, number, string, sign, end };

struct SnippetToken {
  SnippetTokenKind kind = SnippetTokenKind::end;
  std::string_view text;
  std::size_t offset = 0;

  bool is(std::string_view sign) const { return kind == SnippetTokenKind::sign && text == sign; }
};

/// The tokens of a scalar's text and one `end`; nothing, and a report, where a character has no meaning.
std::vector<SnippetToken> tokenize_snippet(const Node& node, Diagnostics& diagnostics);

}  // namespace opwright::upstream
