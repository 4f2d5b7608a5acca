#include "trace/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::trace {
namespace {

using testing::IsEmpty;
using wire::Op;

struct Simple {
  uint16_t thread;
  Op op;
  uint64_t object = 0;
  bool preemption = false;
};

class TurnsTest : public testing::Test {
 protected:
  // The object is named by its number, and stands in that line.
  std::vector<Turn> turns(const std::vector<Simple>& steps) {
    for (const Simple& simple : steps) {
      wire::Step step{};
      step.thread = simple.thread;
      step.op = simple.op;
      step.object = simple.object;
      step.options = 2;
      step.free_options = 1;
      step.choice = simple.preemption ? 1 : 0;
      steps_.push_back(step);
    }
    auto detail = [this](size_t index) {
      DetailedStep step;
      step.step = static_cast<uint32_t>(index);
      step.op = steps_[index].op;
      step.object = std::to_string(steps_[index].object);
      Place place;
      place.file = "a.cc";
      place.line = static_cast<int>(steps_[index].object);
      step.stack = {place};
      return step;
    };
    return turns_of({steps_, &finding_, detail});
  }

  Finding finding_;
  std::vector<wire::Step> steps_;
};

TEST_F(TurnsTest, EndWhereAnotherThreadGoesOn) {
  finding_.kind = wire::Failure::assertion;
  std::vector<Turn> all = turns({{0, Op::begin},
                                 {0, Op::create, 9},
                                 {1, Op::begin},
                                 {1, Op::atomic_load, 5},
                                 {0, Op::atomic_store, 5, true},
                                 {1, Op::atomic_store, 5},
                                 {1, Op::end},
                                 {0, Op::join, 9}});
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].thread, "0");
  EXPECT_EQ(all[0].end, 2u);
  EXPECT_EQ(all[0].stop, Turn::Stop::gives_way);
  EXPECT_EQ(all[0].next.step, 4u);
  EXPECT_EQ(all[1].thread, "1");
  EXPECT_EQ(all[1].stop, Turn::Stop::preempted);
  EXPECT_EQ(all[1].next.op, Op::atomic_store);
  EXPECT_EQ(all[1].same, 1u);      // the first store …
  EXPECT_EQ(all[1].accesses, 2u);  // … after a load …
  EXPECT_EQ(all[1].updates, 0u);
  EXPECT_EQ(all[1].in_line, 2u);                // … in the same line
  EXPECT_EQ(all[2].stop, Turn::Stop::blocked);  // main waits to join
  EXPECT_EQ(all[3].stop, Turn::Stop::ended);
  EXPECT_EQ(all[4].stop, Turn::Stop::last);
}

TEST_F(TurnsTest, TheOperationWithWhichATurnBeginsIsNotCounted) {
  finding_.kind = wire::Failure::assertion;
  std::vector<Turn> all = turns({{0, Op::atomic_rmw, 5},
                                 {0, Op::atomic_rmw, 5},
                                 {0, Op::atomic_rmw, 6},
                                 {1, Op::begin, 0, true},
                                 {0, Op::atomic_rmw, 5}});
  EXPECT_EQ(all[0].same, 2u);
  EXPECT_EQ(all[0].updates, 2u);
}

TEST_F(TurnsTest, OfADeadlockTheLastThreadIsBlockedToo) {
  finding_.kind = wire::Failure::deadlock;
  finding_.threads.resize(1);
  finding_.threads[0].pending = Op::lock;
  finding_.threads[0].object = "5";
  std::vector<Turn> all = turns({{0, Op::begin}, {0, Op::lock, 5}});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].stop, Turn::Stop::blocked);
  EXPECT_EQ(all[0].next.object, "5");
  EXPECT_EQ(all[0].same, 2u);  // by name: there is no step
}

TEST_F(TurnsTest, WhoSleepsWaitsForItsCondition) {
  finding_.kind = wire::Failure::assertion;
  std::vector<Turn> all =
      turns({{0, Op::cond_wait, 7}, {1, Op::cond_signal, 7}, {0, Op::cond_relock, 8}});
  EXPECT_EQ(all[0].stop, Turn::Stop::blocked);
  EXPECT_EQ(all[0].next.op, Op::cond_sleep);
  EXPECT_EQ(all[0].next.object, "7");
}

// A prefix of one step, and a cycle of two threads, three times.
TEST_F(TurnsTest, OfACycleThereIsOneRound) {
  finding_.kind = wire::Failure::livelock;
  finding_.cycle = Cycle{1, 2, 3, {}};
  std::vector<Turn> all = turns({{0, Op::begin},
                                 {0, Op::atomic_load, 5},
                                 {1, Op::atomic_load, 6},
                                 {0, Op::atomic_load, 5},
                                 {1, Op::atomic_load, 6},
                                 {0, Op::atomic_load, 5},
                                 {1, Op::atomic_load, 6}});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].stop, Turn::Stop::preempted);  // where the cycle begins
  EXPECT_EQ(all[0].next.step, 5u);                // as the last round has it
  EXPECT_EQ(all[1].begin, 1u);
  EXPECT_EQ(all[1].next.object, "5");
  EXPECT_EQ(all[2].end, 3u);
  EXPECT_EQ(all[2].next.object, "6");
}

TEST_F(TurnsTest, TooManyAreNone) {
  finding_.kind = wire::Failure::assertion;
  std::vector<Simple> steps;
  for (size_t i = 0; i <= kMaxTurns; ++i)
    steps.push_back({static_cast<uint16_t>(i % 2), Op::atomic_load, 5});
  EXPECT_THAT(turns(steps), IsEmpty());
}

TEST(Deeds, FollowFromTheTraits) {
  EXPECT_EQ(deed_of(Op::lock), Deed::locks);
  EXPECT_EQ(deed_of(Op::trylock), Deed::locks);
  EXPECT_EQ(deed_of(Op::wrlock), Deed::locks);
  EXPECT_EQ(deed_of(Op::unlock), Deed::unlocks);
  EXPECT_EQ(deed_of(Op::rwunlock), Deed::unlocks);
  EXPECT_EQ(deed_of(Op::cond_wait), Deed::waits);
  EXPECT_EQ(deed_of(Op::sem_wait), Deed::waits);
  EXPECT_EQ(deed_of(Op::atomic_load), Deed::reads);
  EXPECT_EQ(deed_of(Op::write), Deed::writes);
  EXPECT_EQ(deed_of(Op::atomic_cas), Deed::updates);
  for (Op op : {Op::cond_signal, Op::create, Op::end, Op::sem_post, Op::once_done, Op::fence})
    EXPECT_EQ(deed_of(op), Deed::other) << wire::op_name(op);
}

}  // namespace
}  // namespace heddle::trace
