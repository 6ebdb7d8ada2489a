#include "cli/json.h"

#include <nlohmann/json.hpp>

namespace opwright::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_object(const Diagnostic& diagnostic) {
  Json object;
  object["severity"] = to_text(diagnostic.severity);
  if (!diagnostic.law.empty()) object["law"] = diagnostic.law;
  object["message"] = diagnostic.message;
  if (const SourceRange& where = diagnostic.where; where.file) {
    object["path"] = where.file->path();
    object["line"] = where.begin.line;
    object["column"] = where.begin.column;
    object["end_line"] = where.end.line;
    object["end_column"] = where.end.column;
  }
  if (!diagnostic.help.empty()) object["help"] = diagnostic.help;
  for (const Diagnostic& note : diagnostic.notes) object["notes"].push_back(to_object(note));
  return object;
}

}  // namespace

std::string to_json(const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.all()) list.push_back(to_object(diagnostic));
  // Names that are not UTF-8 must not make the report of them fail.
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace opwright::cli
