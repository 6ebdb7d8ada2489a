// What the readers of upstream's two files share: words, versions, expressions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/document.h"
#include "decl/upstream/file.h"

namespace opwright::upstream {

/// `all_version: [v2.1, v2.2]` of the root.
std::vector<std::string> read_version_names(const Node& root);

/// `all_version`, `v2.1`, `"v2.1, v2.2"` or `[v2.1, newest]`: reports unknown names and ranges that are empty (L7).
void check_versions(const Node& value, std::span<const std::string> versions, Diagnostics& diagnostics);

/// The comma-separated words of a scalar, with their places.
std::vector<Word> read_words(const Node& scalar);

/// Parses an expression; what is not understood becomes a warning and an opaque expression.
Expression read_expression(const Node& node, Diagnostics& diagnostics);

/// Reports a key that no entry has, with the nearest that one may have.
void report_unknown_key(const Node& key, std::span<const std::string> known, Diagnostics& diagnostics);

}  // namespace opwright::upstream
