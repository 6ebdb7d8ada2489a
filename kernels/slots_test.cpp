#include "kernels/slots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace opwright {
namespace {

TEST(Slots, OfOwnersKeepTheirOrder) {
  // Owner 0 has slot 2, owner 1 has slots 0 and 3; slot 1 belongs to nobody.
  const std::int64_t owner[] = {1, -1, 0, 1};
  const Slots slots = slots_of_owners(3, owner);
  EXPECT_EQ(slots.first, (std::vector<std::int64_t>{0, 1, 3, 3}));
  EXPECT_EQ(slots.row, (std::vector<std::int64_t>{2, 0, 3}));
}

TEST(StableRanks, AreThoseOfAStableSort) {
  std::mt19937_64 random(1);
  for (const std::int64_t greatest : {std::int64_t{0}, std::int64_t{7}, std::int64_t{100000}, std::int64_t{1} << 40}) {
    for (const std::size_t n : {0, 1, 2, 1000}) {
      std::vector<std::int64_t> ids(n);
      for (auto& id : ids) id = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(greatest + 1));
      std::vector<std::int32_t> ranks(n, -1);
      stable_ranks(ids, ranks);
      std::vector<std::int64_t> sorted(n, -1);
      for (std::size_t i = 0; i < n; ++i) {
        sorted[static_cast<std::size_t>(ranks[i])] = ids[i];
        for (std::size_t j = 0; j < i; ++j) {
          ASSERT_TRUE(ids[j] != ids[i] || ranks[j] < ranks[i]);
        }
      }
      EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
      EXPECT_EQ(std::count(sorted.begin(), sorted.end(), -1), 0);
    }
  }
}

}  // namespace
}  // namespace opwright
