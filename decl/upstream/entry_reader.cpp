#include "decl/upstream/entry_reader.h"

#include <algorithm>

#include "decl/characters.h"

namespace opwright::upstream {

std::vector<std::string> read_version_names(const Node& root) {
  std::vector<std::string> names;
  if (const Node* list = root.find("all_version")) {
    for (const Node& item : list->items) names.push_back(item.text);
  }
  return names;
}

void check_versions(const Node& value, std::span<const std::string> versions, Diagnostics& diagnostics) {
  if (value.is_mapping()) {
    diagnostics.error(value.where, "expected versions such as `all_version` or `[v2.1, newest]`").law = "L7";
    return;
  }
  if (value.is_scalar() && value.text == "all_version") return;
  std::vector<Word> words;
  if (value.is_scalar()) words = read_words(value);
  for (const Node& item : value.items) words.push_back({item.text, item.where});

  std::vector<std::size_t> places;  // in the list of versions
  for (const Word& word : words) {
    const auto found = std::find(versions.begin(), versions.end(), word.text);
    if (word.text == "newest") {
      places.push_back(versions.empty() ? 0 : versions.size() - 1);
    } else if (found != versions.end()) {
      places.push_back(static_cast<std::size_t>(found - versions.begin()));
    } else {
      Diagnostic& error = diagnostics.error(word.where, "`" + word.text + "` is not a version of `all_version`");
      error.law = "L7";
      if (const auto meant = nearest_name(word.text, versions)) error.help = "did you mean `" + *meant + "`?";
      return;
    }
  }
  if (!value.is_sequence()) return;
  if (places.size() != 2) {
    diagnostics.error(value.where, "a range of versions has a first and a last one").law = "L7";
  } else if (places[0] > places[1]) {
    diagnostics.error(value.where, "no version is in this range: " + words[0].text + " is newer than " + words[1].text)
        .law = "L7";
  }
}

std::vector<Word> read_words(const Node& scalar) {
  const std::string_view text = scalar.text;
  std::vector<Word> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::size_t first = at;
    std::size_t last = end;
    while (first < last && is_blank(text[first])) ++first;
    while (last > first && is_blank(text[last - 1])) --last;
    words.push_back({std::string(text.substr(first, last - first)), scalar.part(first, last - first)});
    at = end + 1;
  }
  return words;
}

Expression read_expression(const Node& node, Diagnostics& diagnostics) {
  Diagnostics problems;
  Expression expression{parse_snippet(node, problems), node.where};
  for (const Diagnostic& problem : problems.all()) {
    diagnostics.warning(problem.where, "this expression is not understood, and the laws skip it: " + problem.message);
  }
  return expression;
}

void report_unknown_key(const Node& key, std::span<const std::string> known, Diagnostics& diagnostics) {
  Diagnostic& error = diagnostics.error(key.where, "`" + key.text + "` is not a key of an operator");
  if (const auto meant = nearest_name(key.text, known)) error.help = "did you mean `" + *meant + "`?";
}

}  // namespace opwright::upstream
