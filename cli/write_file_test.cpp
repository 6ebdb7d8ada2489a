#include "cli/write_file.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace opwright::cli {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string text_of(const std::string& file) const {
    std::ifstream stream(folder_ / file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("write_file_" + std::to_string(::getpid()));
};

TEST_F(WriteFile, LeavesNothingElseBehind) {
  write_file(folder_ / "a/b.txt", "one");
  write_file(folder_ / "a/b.txt", "two");
  EXPECT_EQ(text_of("a/b.txt"), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "a"), fs::directory_iterator()), 1);
}

TEST_F(WriteFile, WritesWhereALinkLeads) {
  write_file(folder_ / "real.txt", "one");
  fs::create_symlink("real.txt", folder_ / "link.txt");
  write_file(folder_ / "link.txt", "two");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(text_of("real.txt"), "two");
}

TEST_F(WriteFile, FailsOnFoldersAndFullDisks) {
  fs::create_directories(folder_ / "folder");
  EXPECT_THROW(write_file(folder_ / "folder", "one"), std::runtime_error);
  write_file(folder_ / "file", "one");
  EXPECT_THROW(write_file(folder_ / "file/below", "one"), std::runtime_error);
  EXPECT_THROW(write_file("/dev/full", "one"), std::runtime_error);
}

}  // namespace
}  // namespace opwright::cli
