#include "cli/sarif.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "laws/laws.h"

namespace opwright::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A path as a URI reference: everything but unreserved characters and slashes is escaped.
std::string to_uri(const std::string& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char letter : path) {
    if (plain.find(letter) != std::string_view::npos) {
      uri += letter;
      continue;
    }
    const auto byte = static_cast<unsigned char>(letter);
    uri += '%';
    uri += digits[byte >> 4u];
    uri += digits[byte & 15u];
  }
  return uri;
}

Json artifact(const SourceFile& file) { return {{"uri", to_uri(file.path())}}; }

Json region(const SourceRange& where) {
  return {{"startLine", where.begin.line},
          {"startColumn", where.begin.column},
          {"endLine", where.end.line},
          {"endColumn", where.end.column}};
}

Json location(const SourceRange& where) {
  Json physical{{"artifactLocation", artifact(*where.file)}};
  if (where.begin.line > 0) physical["region"] = region(where);
  return {{"physicalLocation", physical}};
}

/// The numbers of all rules: of the laws that have a page, and of the others that findings name.
std::vector<std::string> rule_numbers(const Diagnostics& diagnostics) {
  std::vector<std::string> numbers;
  for (const laws::Law& law : laws::all()) numbers.emplace_back(law.number);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const bool known = std::find(numbers.begin(), numbers.end(), diagnostic.law) != numbers.end();
    if (!diagnostic.law.empty() && !known) numbers.push_back(diagnostic.law);
  }
  return numbers;
}

Json rule(const std::string& number) {
  Json object{{"id", number}};
  for (const laws::Law& law : laws::all()) {
    if (law.number != number) continue;
    object["shortDescription"]["text"] = law.title;
    object["help"] = {{"text", law.explanation}, {"markdown", law.explanation}};
  }
  return object;
}

Json change(const Fix& fix) {
  return {{"artifactLocation", artifact(*fix.where.file)},
          {"replacements",
           Json::array({{{"deletedRegion", region(fix.where)}, {"insertedContent", {{"text", fix.replacement}}}}})}};
}

Json result(const Diagnostic& diagnostic, const std::vector<std::string>& numbers) {
  Json object;
  if (!diagnostic.law.empty()) {
    object["ruleId"] = diagnostic.law;
    object["ruleIndex"] = std::find(numbers.begin(), numbers.end(), diagnostic.law) - numbers.begin();
  }
  object["level"] = to_text(diagnostic.severity);
  std::string message = diagnostic.message;
  if (!diagnostic.help.empty()) message += "\nhelp: " + diagnostic.help;
  object["message"]["text"] = message;
  if (diagnostic.where.file) object["locations"].push_back(location(diagnostic.where));
  for (const Diagnostic& note : diagnostic.notes) {
    if (!note.where.file) continue;
    Json related = location(note.where);
    related["message"]["text"] = note.message;
    object["relatedLocations"].push_back(related);
  }
  if (!diagnostic.fixes.empty()) {
    Json fix;
    for (const Fix& part : diagnostic.fixes) fix["artifactChanges"].push_back(change(part));
    object["fixes"].push_back(fix);
  }
  return object;
}

}  // namespace

std::string to_sarif(const Diagnostics& diagnostics) {
  const std::vector<std::string> numbers = rule_numbers(diagnostics);
  Json rules = Json::array();
  for (const std::string& number : numbers) rules.push_back(rule(number));
  Json results = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.all()) results.push_back(result(diagnostic, numbers));
  Json run{{"tool", {{"driver", {{"name", "opwright"}, {"rules", rules}}}}},
           {"columnKind", "unicodeCodePoints"},
           {"results", results}};
  Json log{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace opwright::cli
