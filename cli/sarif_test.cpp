#include "cli/sarif.h"

#include <gtest/gtest.h>

#include <utility>

#include <nlohmann/json.hpp>

#include "decl/testing.h"
#include "laws/laws.h"

namespace opwright::cli {
namespace {

using Json = nlohmann::json;
using opwright::testing::source;

TEST(Sarif, AFindingHasItsRuleItsRegionItsNotesAndItsFix) {
  const SourceFilePtr file = source("probs: P[T, K]\ngrad_probs: D[T, K]\n", "moe/a b.yaml");
  Diagnostics diagnostics;
  Diagnostic& error = diagnostics.error({file, {2, 13}, {2, 20}}, "grad_probs has another dtype than probs");
  error.law = "L1";
  error.help = "write `like probs`";
  error.add_note({file, {1, 8}, {1, 15}}, "probs is declared here");
  Fix fix;
  fix.where = {file, {2, 13}, {2, 20}};
  fix.replacement = "like probs";
  error.fixes.push_back(fix);
  const Json log = Json::parse(to_sarif(diagnostics));
  EXPECT_EQ(log["version"], "2.1.0");
  const Json& run = log["runs"][0];
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), laws::all().size());
  const Json region = {{"startLine", 2}, {"startColumn", 13}, {"endLine", 2}, {"endColumn", 20}};
  const Json note_region = {{"startLine", 1}, {"startColumn", 8}, {"endLine", 1}, {"endColumn", 15}};
  const Json artifact = {{"uri", "moe/a%20b.yaml"}};
  const Json replacement = {{"deletedRegion", region}, {"insertedContent", {{"text", "like probs"}}}};
  const Json change = {{"artifactLocation", artifact}, {"replacements", Json::array({replacement})}};
  Json expected;
  expected["ruleId"] = "L1";
  expected["ruleIndex"] = 0;
  expected["level"] = "error";
  expected["message"]["text"] = "grad_probs has another dtype than probs\nhelp: write `like probs`";
  expected["locations"][0]["physicalLocation"] = {{"artifactLocation", artifact}, {"region", region}};
  expected["relatedLocations"][0]["physicalLocation"] = {{"artifactLocation", artifact}, {"region", note_region}};
  expected["relatedLocations"][0]["message"]["text"] = "probs is declared here";
  expected["fixes"][0]["artifactChanges"] = Json::array({change});
  EXPECT_EQ(run["results"], Json::array({expected})) << run["results"].dump(2);
}

TEST(Sarif, AFindingWithoutAPlaceHasNoLocation) {
  Diagnostics diagnostics;
  diagnostics.warning({}, "nothing to do");
  const Json result = Json::parse(to_sarif(diagnostics))["runs"][0]["results"][0];
  EXPECT_EQ(result, (Json{{"level", "warning"}, {"message", {{"text", "nothing to do"}}}}));
}

/// What the schema of SARIF 2.1.0 requires, as far as these logs have it.
TEST(Sarif, EachResultNamesARuleOfTheLog) {
  const SourceFilePtr file = source("a: b\n");
  Diagnostics diagnostics;
  diagnostics.error({file, {1, 1}, {1, 2}}, "of a law without a page").law = "L999";
  diagnostics.error({file, {1, 1}, {1, 2}}, "of a law with a page").law = "L2";
  diagnostics.error({file, {1, 1}, {1, 2}}, "of the same law").law = "L999";
  const Json log = Json::parse(to_sarif(diagnostics));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["$schema"], "https://json.schemastore.org/sarif-2.1.0.json");
  ASSERT_EQ(log["runs"].size(), 1u);
  const Json& driver = log["runs"][0]["tool"]["driver"];
  EXPECT_EQ(driver["name"], "opwright");
  const Json& rules = driver["rules"];
  ASSERT_EQ(rules.size(), laws::all().size() + 1);
  for (const Json& rule : rules) {
    EXPECT_TRUE(rule["id"].is_string());
    for (const char* message : {"shortDescription", "help"}) {
      EXPECT_TRUE(!rule.contains(message) || rule[message]["text"].is_string()) << rule;
    }
  }
  EXPECT_TRUE(rules[0].contains("help"));
  for (const Json& result : log["runs"][0]["results"]) {
    EXPECT_TRUE(result["message"]["text"].is_string());
    EXPECT_EQ(rules.at(result["ruleIndex"].get<std::size_t>())["id"], result["ruleId"]);
  }
}

TEST(Sarif, APathIsAUri) {
  for (const auto& [path, uri] :
       {std::pair("/a/\xC3\xA4.yaml", "file:///a/%C3%A4.yaml"), std::pair("c:#?", "c%3A%23%3F")}) {
    Diagnostics diagnostics;
    diagnostics.error({source("", path), {}, {}}, "nothing here");
    const Json log = Json::parse(to_sarif(diagnostics));
    const Json place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    EXPECT_EQ(place, (Json{{"artifactLocation", {{"uri", uri}}}}));
  }
}

TEST(Sarif, NoFindingsAreAnEmptyList) { EXPECT_EQ(Json::parse(to_sarif({}))["runs"][0]["results"], Json::array()); }

}  // namespace
}  // namespace opwright::cli
