#include "decl/source.h"

#include <gtest/gtest.h>

namespace opwright {
namespace {

TEST(SourceFile, CountsLinesOfEveryLineBreak) {
  const SourceFile file("a.yaml", "one\ntwo\r\nthree\rfour");
  ASSERT_EQ(file.line_count(), 4);
  EXPECT_EQ(file.line(1), "one");
  EXPECT_EQ(file.line(2), "two");
  EXPECT_EQ(file.line(3), "three");
  EXPECT_EQ(file.line(4), "four");
  EXPECT_EQ(file.line(0), "");
  EXPECT_EQ(file.line(5), "");
}

TEST(SourceFile, ColumnsCountCodePoints) {
  const SourceFile file("a.yaml", "é: ü\nx");
  EXPECT_EQ(file.position(0), (Position{1, 1}));
  EXPECT_EQ(file.position(1), (Position{1, 1}));  // é is two bytes
  EXPECT_EQ(file.position(4), (Position{1, 4}));
  EXPECT_EQ(file.byte({1, 4}), 4u);
  EXPECT_EQ(file.position(7), (Position{2, 1}));
  EXPECT_EQ(file.byte({2, 1}), 7u);
}

TEST(SourceFile, PlacesOutsideAreMovedInside) {
  const SourceFile file("a.yaml", "ab\n");
  EXPECT_EQ(file.position(100), (Position{2, 1}));
  EXPECT_EQ(file.byte({1, 100}), 2u);
  EXPECT_EQ(file.byte({9, 9}), 3u);
}

TEST(SourceFile, AByteOrderMarkIsNotText) {
  const SourceFile file("a.yaml", "\xEF\xBB\xBFkey");
  EXPECT_EQ(file.line(1), "key");
}

}  // namespace
}  // namespace opwright
