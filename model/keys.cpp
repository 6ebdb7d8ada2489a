#include "model/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace opwright::model {
namespace {

std::string_view with_article(NodeKind kind) {
  switch (kind) {
    case NodeKind::scalar:
      return "a single value";
    case NodeKind::sequence:
      return "a list";
    case NodeKind::mapping:
      return "a mapping of names to values";
  }
  return "";
}

}  // namespace

void check_keys(const Node& mapping, std::string_view owner, const SourceRange& owner_where, std::span<const Key> keys,
                Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  std::set<std::string> meant;  // keys that are there, but misspelt
  for (const Member& member : mapping.members) {
    const auto known =
        std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == member.key.text; });
    if (known == keys.end()) {
      diagnostics.error(member.key.where, fmt::format("unknown key `{}` in {}", member.key.text, owner)).help =
          suggest(member.key.text, names);
      if (const auto nearest = nearest_name(member.key.text, names)) meant.insert(*nearest);
    } else if (known->kind) {
      expect_kind(member.value, *known->kind, fmt::format("`{}`", known->name), diagnostics);
    }
  }
  for (const Key& key : keys) {
    if (key.required && mapping.find(key.name) == nullptr && !meant.contains(std::string(key.name)))
      diagnostics.error(owner_where, fmt::format("{} needs the key `{}`", owner, key.name));
  }
}

const Node* find(const Node& mapping, std::string_view key, NodeKind kind) {
  const Node* value = mapping.find(key);
  return value != nullptr && value->kind == kind && !value->is_null() ? value : nullptr;
}

bool expect_kind(const Node& node, NodeKind kind, std::string_view what, Diagnostics& diagnostics) {
  if (node.is_null()) {
    diagnostics.error(node.where, fmt::format("{} has no value; it must be {}", what, with_article(kind)));
    return false;
  }
  if (node.kind == kind) return true;
  diagnostics.error(node.where,
                    fmt::format("{} must be {}, not {}", what, with_article(kind), with_article(node.kind)));
  return false;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const auto same_letters = [&](const std::string& candidate) {
    return std::equal(
        name.begin(), name.end(), candidate.begin(), candidate.end(),
        [](unsigned char left, unsigned char right) { return std::tolower(left) == std::tolower(right); });
  };
  if (const auto found = std::find_if(candidates.begin(), candidates.end(), same_letters); found != candidates.end())
    return fmt::format("did you mean `{}`?", *found);
  const auto nearest = nearest_name(name, candidates);
  return nearest ? fmt::format("did you mean `{}`?", *nearest) : "";
}

std::string suggest(std::string_view name, const std::vector<std::string>& candidates) {
  if (std::string nearest = did_you_mean(name, candidates); !nearest.empty()) return nearest;
  if (candidates.empty()) return "";
  return (candidates.size() == 1 ? "the only one is " : "one of ") + join(candidates, "or");
}

std::string join(std::span<const std::string> words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace opwright::model
