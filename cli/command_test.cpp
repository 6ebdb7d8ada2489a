// The command as a user starts it: exit status and output.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace opwright::cli {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int status;
  std::string output;  // of both streams
};

Outcome run(const std::string& arguments) {
  const std::string command = std::string(OPWRIGHT_BINARY) + " " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, count);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

TEST(Command, LintOfRightDeclarations) {
  const Outcome outcome = run("lint ops");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output.substr(0, 13), "no errors in ");
}

TEST(Command, LintOfWrongDeclarations) {
  const Outcome outcome = run("lint tests/declarations/bad/l1_wrong_size.yaml");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("tests/declarations/bad/l1_wrong_size.yaml:42:15: error: "), std::string::npos);
  EXPECT_NE(outcome.output.find("1 error in 1 file\n"), std::string::npos);
}

TEST(Command, LintAsJson) {
  const Outcome outcome = run("lint --json tests/declarations/bad/l1_wrong_size.yaml");
  EXPECT_EQ(outcome.status, 1);
  const auto list = nlohmann::json::parse(outcome.output);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["law"], "L1");
  EXPECT_EQ(list[0]["line"], 42);
  EXPECT_EQ(list[0]["column"], 15);
  EXPECT_EQ(list[0]["notes"].size(), 1u);
  EXPECT_EQ(run("lint --json ops").output, "[]\n");
}

TEST(Command, LintAsSarifIntoAFile) {
  const std::string wrong = "tests/declarations/bad/l1_wrong_size.yaml";
  const fs::path file = fs::path(::testing::TempDir()) / "lint.sarif";
  fs::remove(file);
  const Outcome printed = run("lint --sarif " + wrong);
  EXPECT_EQ(printed.status, 1);
  const Outcome written = run("lint --sarif --output " + file.string() + " " + wrong);
  EXPECT_EQ(written.status, 1);
  EXPECT_EQ(written.output, "1 error in 1 file\n");
  std::ifstream stream(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), printed.output);
  const auto result = nlohmann::json::parse(printed.output)["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "L1");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], wrong);
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 42);
  fs::remove(file);
}

TEST(Command, WhatCannotBeReadOrWritten) {
  for (const char* arguments : {"lint no/such.yaml", "lint ops --output docs", "lint ops --output README.md/report",
                                "generate ops --out README.md", "lint --sarif ops >/dev/full"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    // A full disk may take the message, too.
    const bool full = std::string_view(arguments).ends_with("full");
    EXPECT_TRUE(full || outcome.output.starts_with("opwright: ")) << arguments << "\n" << outcome.output;
  }
}

TEST(Command, ExplainsLaws) {
  const Outcome outcome = run("lint --explain L1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output.substr(0, 5), "# L1:");
  EXPECT_EQ(run("lint --explain L99").status, 2);
}

TEST(Command, WrongUsage) {
  for (const char* arguments : {"", "lnit ops", "lint", "lint no/such/folder", "lint docs/laws", "generate ops",
                                "lint ops --jsn", "lint ops --json --sarif"})
    EXPECT_EQ(run(arguments).status, 2) << arguments;
  EXPECT_EQ(run("--help").status, 0);
}

TEST(Command, GenerateWritesNothingWhileADeclarationIsWrong) {
  const fs::path folder = fs::path(::testing::TempDir()) / "generate_nothing";
  fs::remove_all(folder);
  const Outcome outcome = run("generate tests/declarations/bad --out " + folder.string());
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("nothing was written"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder));
}

TEST(Command, GenerateTwiceChangesNothing) {
  const fs::path folder = fs::path(::testing::TempDir()) / "generate_twice";
  fs::remove_all(folder);
  EXPECT_EQ(run("generate ops --out " + folder.string()).status, 0);
  EXPECT_TRUE(fs::exists(folder / "moe/token_unpermute.h"));
  const Outcome again = run("generate ops --out " + folder.string());
  EXPECT_NE(again.output.find(" 0 files written"), std::string::npos) << again.output;
  fs::remove_all(folder);
}

TEST(Command, Coverage) {
  const Outcome outcome = run("coverage ops");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("npu_moe_token_unpermute "), std::string::npos);
  EXPECT_NE(outcome.output.find("by npu_moe_token_unpermute_grad\n"), std::string::npos);
}

}  // namespace
}  // namespace opwright::cli
