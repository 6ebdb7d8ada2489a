// The form of mappings: which keys they may and must have, and of which kind the values are.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decl/document.h"

namespace opwright::model {

struct Key {
  std::string_view name;
  std::optional<NodeKind> kind;  // any kind when not given
  bool required = false;
};

/// Reports unknown keys, values of the wrong kind, and missing keys; these at `owner_where`. `owner` names the mapping
/// in messages: "an operator", "`gradient`".
void check_keys(const Node& mapping, std::string_view owner, const SourceRange& owner_where, std::span<const Key> keys,
                Diagnostics& diagnostics);

/// The value of a key if it is there and of this kind. What is of another kind was reported by check_keys.
const Node* find(const Node& mapping, std::string_view key, NodeKind kind);

/// Says whether the node is of this kind, and reports it when not; `what` names it in the message: "`types`".
bool expect_kind(const Node& node, NodeKind kind, std::string_view what, Diagnostics& diagnostics);

/// "did you mean `probs`?", or nothing when no candidate is near.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// did_you_mean, and where nothing is near "one of a, b, c".
std::string suggest(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b and c", "a, b or c".
std::string join(std::span<const std::string> words, std::string_view last);

bool is_identifier(std::string_view text);

}  // namespace opwright::model
