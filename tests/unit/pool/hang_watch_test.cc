#include "pool/hang_watch.h"

#include <gtest/gtest.h>

#include <memory>

namespace heddle::pool {
namespace {

using Advice = HangWatch::Advice;

class HangWatchTest : public ::testing::Test {
 protected:
  Advice after(double seconds, bool busy = true) {
    now_ += std::chrono::duration_cast<HangWatch::Clock::duration>(
        std::chrono::duration<double>(seconds));
    return watch_.sample(*region_, busy, now_, activity_);
  }

  std::unique_ptr<wire::Region> region_ = std::make_unique<wire::Region>();
  HangWatch watch_{1.0, 0.5};
  HangWatch::Clock::time_point now_{};
  HangWatch::Activity activity_;
};

TEST_F(HangWatchTest, AsksAndThenKills) {
  region_->current_job = 3;
  EXPECT_EQ(after(0), Advice::none);  // it has just begun
  EXPECT_EQ(after(0.1), Advice::none);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(after(0.1), Advice::none);
  EXPECT_EQ(after(0.11), Advice::ask);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(after(0.1), Advice::none);
  EXPECT_EQ(after(0.11), Advice::kill);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(after(0.1), Advice::none);
  EXPECT_EQ(after(0.11), Advice::kill_all);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(after(0.1), Advice::none);
  EXPECT_EQ(after(0.11), Advice::kill_all);
}

TEST_F(HangWatchTest, EveryStepBeginsItAnew) {
  region_->current_job = 3;
  for (uint32_t i = 0; i < 100; ++i) {
    region_->current_step = i;
    EXPECT_EQ(after(0.15), Advice::none);
  }
}

TEST_F(HangWatchTest, WhoTakesNoJobIsKilled) {
  region_->current_job = wire::kNoJob;
  EXPECT_EQ(after(0), Advice::none);
  EXPECT_EQ(after(0.1),
            Advice::none);  // from here on: it counts as a change from job 0 to none before
  Advice advice = Advice::none;
  double waited = 0;
  while (advice == Advice::none && waited < 20) {
    advice = after(0.125);
    waited += 0.125;
  }
  EXPECT_EQ(advice, Advice::kill);  // nobody to ask
  EXPECT_NEAR(waited, 10, 0.2);
}

TEST_F(HangWatchTest, WhoWaitsForTheEngineDoesNotHang) {
  region_->current_job = 3;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(after(0.15, false), Advice::none);
}

TEST_F(HangWatchTest, TimeInWhichTheEngineDidNotLookDoesNotCount) {
  region_->current_job = 3;
  after(0);
  after(0.1);
  EXPECT_EQ(after(1000), Advice::none);  // counts as 0.2 s
  EXPECT_EQ(after(1000), Advice::none);
}

TEST_F(HangWatchTest, TimeInWhichOthersHadTheProcessorsDoesNotCount) {
  region_->current_job = 3;
  activity_.is_runnable = true;
  after(0);
  after(0.1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(after(0.1), Advice::none);
  for (int i = 0; i < 19; ++i) {
    activity_.used += 0.05;
    EXPECT_EQ(after(0.1), Advice::none);
  }
  activity_.used += 0.06;
  EXPECT_EQ(after(0.1), Advice::ask);  // half of two seconds, and a little more
}

// A worker that was replaced has another past; a clock that is read later than another, too much.
TEST_F(HangWatchTest, NoMoreCountsThanHasPassed) {
  region_->current_job = 3;
  activity_ = {true, 100};
  after(0);
  after(0.1);
  activity_.used = 0;
  EXPECT_EQ(after(0.1), Advice::none);
  activity_.used = 1000;
  for (int i = 0; i < 9; ++i) {
    activity_.used += 1000;
    EXPECT_EQ(after(0.1), Advice::none);
  }
  activity_.used += 1000;
  EXPECT_EQ(after(0.11), Advice::ask);
}

TEST_F(HangWatchTest, WhoSleepsInTheKernelHangs) {
  region_->current_job = 3;
  after(0);
  after(0.1);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(after(0.1), Advice::none);
  EXPECT_EQ(after(0.11), Advice::ask);
}

}  // namespace
}  // namespace heddle::pool
