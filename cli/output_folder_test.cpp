#include "cli/output_folder.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <fstream>

namespace opwright::cli {
namespace {

namespace fs = std::filesystem;

class OutputFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("output_folder_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string text_of(const std::string& file) const {
    std::ifstream stream(folder_ / file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_;
};

TEST_F(OutputFolder, WritesWhatChangedAndLeavesTheRestAlone) {
  const Written first = write_folder(folder_, {{"moe/a.h", "one"}, {"ops.pyi", "two"}});
  EXPECT_EQ(first.changed, 2);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(folder_ / "moe/a.h", long_ago);

  const Written second = write_folder(folder_, {{"moe/a.h", "one"}, {"ops.pyi", "three"}});
  EXPECT_EQ(second.changed, 1);
  EXPECT_EQ(second.unchanged, 1);
  EXPECT_EQ(fs::last_write_time(folder_ / "moe/a.h"), long_ago);
  EXPECT_EQ(text_of("ops.pyi"), "three");
}

TEST_F(OutputFolder, RemovesWhatItWroteBeforeAndNothingElse) {
  write_folder(folder_, {{"moe/a.h", "one"}, {"moe/b.h", "two"}});
  std::ofstream(folder_ / "moe/mine.h") << "by hand";

  const Written second = write_folder(folder_, {{"moe/a.h", "one"}});
  EXPECT_EQ(second.removed, 1);
  EXPECT_FALSE(fs::exists(folder_ / "moe/b.h"));
  EXPECT_EQ(text_of("moe/mine.h"), "by hand");
}

TEST_F(OutputFolder, IsNeverLeft) {
  write_folder(folder_ / "inner", {{"a.h", "one"}});
  std::ofstream(folder_ / "outside.h") << "not ours";
  std::ofstream(folder_ / "inner/.opwright-files") << "../outside.h\n/etc/hostname\na.h\n";

  EXPECT_EQ(write_folder(folder_ / "inner", {}).removed, 1);
  EXPECT_EQ(text_of("outside.h"), "not ours");
}

TEST_F(OutputFolder, SaysWhichFileCannotBeWritten) {
  fs::create_directories(folder_ / "moe/a.h");  // a folder stands where the file should
  EXPECT_THROW(write_folder(folder_, {{"moe/a.h", "one"}}), std::exception);
}

}  // namespace
}  // namespace opwright::cli
