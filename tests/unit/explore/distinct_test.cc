#include "explore/distinct.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace heddle::explore {
namespace {

TEST(DistinctCounter, CountsExactlyUpToItsLimit) {
  DistinctCounter counter;
  Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    uint64_t hash = random.next();
    counter.add(hash);
    counter.add(hash);
  }
  EXPECT_EQ(counter.count(), 100'000u);
  EXPECT_FALSE(counter.estimated());
}

TEST(DistinctCounter, ZeroIsAHashLikeAnyOther) {
  DistinctCounter counter;
  EXPECT_EQ(counter.count(), 0u);
  counter.add(0);
  counter.add(0);
  counter.add(1);
  EXPECT_EQ(counter.count(), 2u);
  counter.add(2);
  EXPECT_EQ(counter.count(), 3u);
}

TEST(DistinctCounter, EstimatesBeyond) {
  DistinctCounter counter;
  Random random(2);
  constexpr uint64_t kCount = 4'000'000;
  for (uint64_t i = 0; i < kCount; ++i) counter.add(random.next());
  EXPECT_TRUE(counter.estimated());
  // Four standard errors of 0.4 %.
  EXPECT_NEAR(double(counter.count()), double(kCount), 0.016 * kCount);
}

}  // namespace
}  // namespace heddle::explore
