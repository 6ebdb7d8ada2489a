// YAML text as a tree in which every node knows its place. The YAML library does not show through.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "decl/diagnostics.h"
#include "decl/source.h"

namespace opwright {

enum class NodeKind { scalar, sequence, mapping };

struct Node;

/// One `key: value` of a mapping, in file order.
struct Member;

struct Node {
  NodeKind kind = NodeKind::scalar;
  SourceRange where;            // from the first to the last character, quotes included
  std::string text;             // scalar: its value, after unquoting and folding
  bool quoted = false;          // scalar: written in quotes or as a block
  std::vector<Node> items;      // sequence
  std::vector<Member> members;  // mapping

  bool is_scalar() const { return kind == NodeKind::scalar; }
  bool is_sequence() const { return kind == NodeKind::sequence; }
  bool is_mapping() const { return kind == NodeKind::mapping; }
  bool is_null() const;  // an empty value or `~` or `null`, not quoted
  /// The value of a key, or null.
  const Node* find(std::string_view key) const;
  /// The place of the bytes [offset, offset + length) of a scalar's text, also where quotes, escapes, folding or the
  /// indentation of a block lie between.
  SourceRange part(std::size_t offset, std::size_t length) const;
};

struct Member {
  Node key;
  Node value;
};

/// Parses all YAML documents of a file. Reports bad syntax, duplicate keys, aliases, anchors and tags (there are none),
/// and nesting deeper than 64; what could be read is returned even so.
std::vector<Node> parse_yaml(const SourceFilePtr& file, Diagnostics& diagnostics);

}  // namespace opwright
