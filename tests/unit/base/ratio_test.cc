#include "base/ratio.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace heddle {
namespace {

constexpr uint64_t kAll = ~uint64_t{0};
constexpr uint64_t kHalf = uint64_t{1} << 63;
constexpr Ratio kNineOfTen{0xe666666666666666, 0};  // floor(0.9 * 2^64)

TEST(Ratio, OneGoesOnAlwaysAndZeroNever) {
  for (uint64_t drawn : {uint64_t{0}, uint64_t{1}, kHalf, kAll - 1, kAll}) {
    for (uint64_t depth : {uint64_t{0}, uint64_t{1}, uint64_t{1'000'000}}) {
      EXPECT_TRUE(goes_on(Ratio{}, depth, drawn));
      EXPECT_FALSE(goes_on(Ratio{0, 0}, depth, drawn));
    }
  }
}

// Exactly `constant` of the 2^64 numbers go on.
TEST(Ratio, AConstantIsExact) {
  EXPECT_TRUE(goes_on({kHalf, 0}, 7, kHalf - 1));
  EXPECT_FALSE(goes_on({kHalf, 0}, 7, kHalf));
  EXPECT_TRUE(goes_on(kNineOfTen, 7, kNineOfTen.constant - 1));
  EXPECT_FALSE(goes_on(kNineOfTen, 7, kNineOfTen.constant));
}

// 1 - d/C in integers: 0 is all, C/2 a half, C and beyond nothing.
TEST(Ratio, FallsWithTheDepth) {
  const Ratio ratio{0, 20};
  EXPECT_EQ(going_on(ratio, 0), kAll);
  EXPECT_EQ(going_on(ratio, 5), kHalf + kHalf / 2);
  EXPECT_EQ(going_on(ratio, 10), kHalf);
  EXPECT_EQ(going_on(ratio, 20), 0u);
  EXPECT_EQ(going_on(ratio, 21), 0u);
  EXPECT_EQ(going_on(ratio, kAll), 0u);
  for (uint64_t depth = 0; depth < 20; ++depth) {
    EXPECT_GT(going_on(ratio, depth), going_on(ratio, depth + 1)) << depth;
  }
  EXPECT_TRUE(goes_on(ratio, 0, kAll));
  EXPECT_FALSE(goes_on(ratio, 20, 0));
}

// The largest divisor and depths near it: nothing overflows.
TEST(Ratio, LargeDivisors) {
  const Ratio ratio{0, kAll};
  // 2^64 (C - 1) / C = 2^64 - 1 - 1 / C, and 2^64 (2^63 - 1) / C = 2^63 - 1 + (2^63 - 1) / C.
  EXPECT_EQ(going_on(ratio, 1), kAll - 1);
  EXPECT_EQ(going_on(ratio, kHalf), kHalf - 1);
  EXPECT_EQ(going_on(ratio, kAll), 0u);
}

double share(const Ratio& ratio, uint64_t depth, int draws, uint64_t seed) {
  Random random(seed);
  int count = 0;
  for (int i = 0; i < draws; ++i) count += goes_on(ratio, depth, random.next()) ? 1 : 0;
  return double(count) / draws;
}

// 100,000 draws: the standard deviation of a share p is sqrt(p (1 - p) / 100,000), at most 0.0016.
// Five of them are exceeded with a probability below 6e-7, for each of the 11 comparisons.
TEST(Ratio, Frequencies) {
  constexpr int kDraws = 100'000;
  auto expect_share = [](const Ratio& ratio, uint64_t depth, double p) {
    double tolerance = 5 * std::sqrt(p * (1 - p) / kDraws);
    EXPECT_NEAR(share(ratio, depth, kDraws, 77 + depth), p, tolerance) << depth;
  };
  expect_share(kNineOfTen, 3, 0.9);
  expect_share({kHalf, 0}, 3, 0.5);
  for (uint64_t depth : {1, 10, 19, 25, 49, 50, 99}) {
    expect_share({0, 50}, depth, depth < 50 ? 1 - double(depth) / 50 : 0);
  }
  expect_share({0, 1000}, 1, 0.999);
  expect_share({0, 3}, 1, 2.0 / 3);
}

}  // namespace
}  // namespace heddle
