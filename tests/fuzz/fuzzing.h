// What the fuzz targets share: input as text, and properties that must hold of it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "decl/diagnostics.h"
#include "decl/document.h"
#include "decl/source.h"

namespace opwright::fuzzing {

inline SourceFilePtr source(std::string text) {
  return std::make_shared<const SourceFile>("input.yaml", std::move(text));
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A scalar that stands in a file by itself, as a plain one would.
inline Node scalar(std::string text) {
  Node node;
  const SourceFilePtr file = source(text);
  node.where = {file, {1, 1}, file->position(file->text().size())};
  node.text = std::move(text);
  return node;
}

/// Ends the run as a failure, with what was expected.
inline void require(bool holds, const char* expectation) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", expectation);
  std::abort();
}

/// A text is read, or refused with at least one finding; and every finding can be printed.
inline void require_reported(bool read, const Diagnostics& diagnostics) {
  require(read || diagnostics.has_errors(), "what is not read is reported");
  for (const Diagnostic& diagnostic : diagnostics.all()) require(!to_text(diagnostic).empty(), "findings print");
}

/// Two trees of one kind of node are the same but for their places.
template <typename Tree>
bool same(const Tree& left, const Tree& right) {
  if (left.kind != right.kind || left.text != right.text || left.operands.size() != right.operands.size()) return false;
  for (std::size_t i = 0; i < left.operands.size(); ++i) {
    if (!same(*left.operands[i], *right.operands[i])) return false;
  }
  return true;
}

}  // namespace opwright::fuzzing
