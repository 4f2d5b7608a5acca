#include "causality/told.h"

#include <gtest/gtest.h>

#include <vector>

#include "causality/lessons.h"
#include "causality/prospects.h"
#include "causality/steps.h"

namespace heddle::causality {
namespace {

constexpr auto kStore = wire::Op::atomic_store;

// Two threads store to one place, and a third to another: before them, and nothing is cut off.
struct Taught {
  std::vector<wire::Step> steps{step(1, kStore, 2), step(0, kStore, 1), step(2, kStore, 1)};
  wire::Result result{};
  Lessons lessons;
  Array<char> told;

  explicit Taught(std::vector<wire::Decision> decisions = {}) {
    result.step_count = static_cast<uint32_t>(steps.size());
    result.thread_count = 3;
    result.ending = wire::Ending::redundant;
    lessons.look_at(result, steps, {}, decisions, 0);
    EXPECT_TRUE(lessons.tell(&told));
  }
  std::span<const char> bytes() const { return {told.begin(), told.size()}; }
};

TEST(Told, OneRaceIsToBeReversed) {
  Taught taught;
  std::optional<ToldLessons> told = read_lessons(taught.bytes(), taught.result);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->head.last_thread, 2);
  EXPECT_EQ(told->choices.size(), 0u);
  ASSERT_EQ(told->reversals.size(), 1u);
  const wire::Reversal& reversal = told->reversals[0];
  EXPECT_EQ(reversal.fork.step, 1u);
  EXPECT_EQ(reversal.fork.thread, 0);
  EXPECT_EQ(reversal.thread, 2);
  EXPECT_EQ(reversal.initials, 0b100u);
  EXPECT_EQ(reversal.weak_initials, 0b100u);
}

TEST(Told, WhatASleeperCoversIsLeftOut) {
  Taught taught({wire::Decision::sleep(0, 2)});  // and still sleeps before step 1
  std::optional<ToldLessons> told = read_lessons(taught.bytes(), taught.result);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->reversals.size(), 0u);
}

TEST(Told, WhatWasWrittenOverIsNotBelieved) {
  Taught taught;
  std::vector<char> bytes(taught.told.begin(), taught.told.end());
  EXPECT_TRUE(read_lessons(bytes, taught.result).has_value());
  EXPECT_FALSE(read_lessons({bytes.data(), bytes.size() - 8}, taught.result).has_value());
  EXPECT_FALSE(read_lessons({}, taught.result).has_value());
  auto* head = reinterpret_cast<wire::Lessons*>(bytes.data());
  auto* reversal = reinterpret_cast<wire::Reversal*>(head + 1);
  reversal->fork.step = taught.result.step_count;
  EXPECT_FALSE(read_lessons(bytes, taught.result).has_value());
  reversal->fork.step = 0;
  reversal->thread = 3;
  EXPECT_FALSE(read_lessons(bytes, taught.result).has_value());
  reversal->thread = 2;
  ++reversal->wish_count;
  EXPECT_FALSE(read_lessons(bytes, taught.result).has_value());
  --reversal->wish_count;
  EXPECT_TRUE(read_lessons(bytes, taught.result).has_value());
  head->reversal_count = 0x7fffffff;
  EXPECT_FALSE(read_lessons(bytes, taught.result).has_value());
}

// The same three steps. At the second, thread 2 could have gone, and would have reversed the race;
// it was the second option there, and no preemption. At the last it was all that was left.
struct Shown {
  std::vector<wire::Step> steps{step(1, kStore, 2), step(0, kStore, 1), step(2, kStore, 1)};
  std::vector<uint16_t> option_threads{1, 2, 0, 2, 1, 2};
  wire::Result result{};
  Prospects prospects;
  Array<char> told;

  explicit Shown(uint32_t bound = 1, uint32_t from = 0) {
    steps[1].options = 3;
    steps[1].free_options = 2;
    steps[2].options = 1;
    result.step_count = static_cast<uint32_t>(steps.size());
    result.thread_count = 3;
    result.ending = wire::Ending::finished;
    EXPECT_TRUE(prospects.tell(result, steps, {}, option_threads, from, bound, &told));
  }
  std::optional<ToldProspects> read() const {
    return read_prospects({told.begin(), told.size()}, result);
  }
};

TEST(Told, WaysHaveTheirWorth) {
  Shown shown;
  std::optional<ToldProspects> told = shown.read();
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->head.held_back, 0u);
  ASSERT_EQ(told->forks.size(), 2u);
  EXPECT_EQ(told->forks[0].step, 0u);
  EXPECT_EQ(told->forks[0].options, 2);
  EXPECT_EQ(told->forks[1].step, 1u);
  EXPECT_EQ(told->forks[1].options, 3);
  ASSERT_EQ(told->ways.size(), 3u);
  EXPECT_EQ(told->ways[0], static_cast<wire::Way>(Worth::none));  // nobody else uses it
  EXPECT_EQ(told->ways[1], static_cast<wire::Way>(Worth::reverses));
  EXPECT_EQ(told->ways[2], static_cast<wire::Way>(Worth::none));
}

TEST(Told, WaysAreWithinTheBoundAndFromTheStepOn) {
  Shown shown(0, 1);
  std::optional<ToldProspects> told = shown.read();
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->head.held_back, 1u);
  ASSERT_EQ(told->forks.size(), 1u);
  EXPECT_EQ(told->forks[0].step, 1u);
  EXPECT_EQ(told->forks[0].options, 2);  // the third is a preemption
  EXPECT_EQ(told->ways.size(), 1u);
}

TEST(Told, WaysThatWereWrittenOverAreNotBelieved) {
  Shown shown;
  std::vector<char> bytes(shown.told.begin(), shown.told.end());
  EXPECT_TRUE(read_prospects(bytes, shown.result).has_value());
  EXPECT_FALSE(read_prospects({bytes.data(), bytes.size() - 8}, shown.result).has_value());
  auto* head = reinterpret_cast<wire::Prospects*>(bytes.data());
  auto* fork = reinterpret_cast<wire::Prospect*>(head + 1);
  fork->step = shown.result.step_count;
  EXPECT_FALSE(read_prospects(bytes, shown.result).has_value());
  fork->step = 0;
  fork->options = 4;
  EXPECT_FALSE(read_prospects(bytes, shown.result).has_value());
  fork->options = 2;
  EXPECT_TRUE(read_prospects(bytes, shown.result).has_value());
  head->fork_count = 0x7fffffff;
  EXPECT_FALSE(read_prospects(bytes, shown.result).has_value());
}

}  // namespace
}  // namespace heddle::causality
