#include "model/polynomial.h"

#include <gtest/gtest.h>

#include <limits>

namespace opwright::model {
namespace {

const Polynomial t = Polynomial::unknown("T");
const Polynomial k = Polynomial::unknown("K");

TEST(Polynomial, IsTheSameHoweverItIsWritten) {
  EXPECT_EQ(t * k, k * t);
  EXPECT_EQ((t + k) * (t + k), t * t + 2 * t * k + k * k);
  EXPECT_EQ((t + 1) * k - k, k * t);
  EXPECT_EQ(t - t, Polynomial(0));
  EXPECT_NE(t * k, t + k);
}

TEST(Polynomial, KnowsConstantsAndSingleUnknowns) {
  EXPECT_EQ((t - t + 7).constant(), 7);
  EXPECT_EQ(t.constant(), std::nullopt);
  EXPECT_EQ((t + k - k).single_unknown(), "T");
  EXPECT_EQ((2 * t).single_unknown(), std::nullopt);
  EXPECT_EQ((t * t).single_unknown(), std::nullopt);
}

TEST(Polynomial, PutsValuesInPlaceOfUnknowns) {
  EXPECT_EQ((t * t * k + 1).with("T", k + 1), (k + 1) * (k + 1) * k + 1);
  EXPECT_EQ((t * k).with("T", 3).with("K", 4), Polynomial(12));
}

TEST(Polynomial, NeverOverflows) {
  const Polynomial large = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(large + 1 - 1, large);
  EXPECT_EQ((large * large) * t - (large * large) * t, Polynomial(0));
}

TEST(Polynomial, GivesUpRatherThanGrowWithoutBound) {
  Polynomial power = t + k;
  for (int i = 0; i < 10; ++i) power = power * power;
  EXPECT_NE(power, power * 1 + Polynomial::anything());
  EXPECT_NE(Polynomial::anything(), Polynomial::anything());
}

TEST(Polynomial, IsWrittenAsASum) {
  EXPECT_EQ(to_string(Polynomial(0)), "0");
  EXPECT_EQ(to_string(2 * t * k + 3), "3 + 2 * K * T");
}

}  // namespace
}  // namespace opwright::model
