#include "trace/waits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::trace {
namespace {

using testing::ElementsAre;
using wire::Op;

DetailedStep step_of(const std::string& thread, Op op, const std::string& object = "",
                     uint8_t size = 0, uint64_t before = 0, uint64_t after = 0) {
  DetailedStep step;
  step.thread = thread;
  step.op = op;
  step.object = object;
  step.size = size;
  step.before = before;
  step.after = after;
  return step;
}

DetailedStep in_vain(DetailedStep step, const std::string& holder = "") {
  step.in_vain = true;
  step.holder = holder;
  return step;
}

std::vector<std::string> told(const std::vector<DetailedStep>& steps) {
  std::vector<std::string> all;
  for (const Wait& wait : waits_of(steps)) all.push_back(wait.thread + " " + wait.words);
  return all;
}

TEST(Waits, TriesThatFail) {
  EXPECT_THAT(
      told({step_of("2", Op::lock, "b"), step_of("1", Op::lock, "a"),
            in_vain(step_of("2", Op::trylock, "a"), "1"),
            in_vain(step_of("1", Op::trylock, "b"), "2"), step_of("1", Op::trylock, "c")}),
      ElementsAre("1 tries to lock mutex b, held by T2", "2 tries to lock mutex a, held by T1"));
}

TEST(Waits, ReadsBeforeTheYield) {
  // The round of the thread is cut where the cycle begins: its yield is in the middle of it.
  EXPECT_THAT(told({step_of("1", Op::atomic_load, "second", 4, 5, 5), step_of("1", Op::yield),
                    step_of("1", Op::atomic_load, "first", 4, 0, 0)}),
              ElementsAre("1 reads first: 0", "1 reads second: 5"));
}

TEST(Waits, WhatTheSchedulerTakesForAYield) {
  // A spin that was recognised, and a try: the yield is the look itself.
  DetailedStep spin = step_of("1", Op::atomic_load, "flag", 1, 0, 0);
  spin.yields = true;
  EXPECT_THAT(told({step_of("1", Op::atomic_load, "other", 1, 3, 3), spin,
                    step_of("1", Op::atomic_store, "third", 1, 1, 2)}),
              ElementsAre("1 reads other: 3", "1 reads flag: 0"));
  DetailedStep attempt = step_of("1", Op::sem_wait, "free");
  attempt.yields = true;
  EXPECT_THAT(told({attempt}), ElementsAre("1 tries to wait on semaphore free"));
}

TEST(Waits, WhatChangesNothingIsALook) {
  EXPECT_THAT(told({step_of("1", Op::atomic_rmw, "lock", 1, 1, 1),
                    step_of("1", Op::atomic_rmw, "counter", 4, 1, 2), step_of("1", Op::yield)}),
              ElementsAre("1 finds lock: 1"));
  EXPECT_THAT(told({step_of("1", Op::atomic_cas, "x", 4, 3, 3), step_of("1", Op::yield)}),
              ElementsAre("1 finds x: 3"));
  EXPECT_THAT(told({step_of("1", Op::atomic_cas, "x", 4, 3, 4)}),
              ElementsAre("1 repeats: compare-exchange x, and looks at nothing"));
  EXPECT_THAT(told({in_vain(step_of("1", Op::cond_sleep, "ready"))}),
              ElementsAre("1 time out on condition ready, without success"));
}

TEST(Waits, SomeLookAtNothing) {
  EXPECT_THAT(
      told({step_of("1", Op::sleep), step_of("2", Op::sleep), step_of("2", Op::yield),
            step_of("3", Op::yield), step_of("3", Op::atomic_store, "x", 4, 0, 1)}),
      ElementsAre("1 only sleeps, and looks at nothing", "2 only yields, and looks at nothing",
                  "3 repeats: atomic store x, and looks at nothing"));
}

TEST(Waits, TheLastThreeThatDiffer) {
  std::vector<DetailedStep> steps;
  for (const char* name : {"a", "b", "c", "d", "d"}) {
    steps.push_back(step_of("1", Op::atomic_load, name, 4, 7, 7));
  }
  EXPECT_THAT(told(steps), ElementsAre("1 reads b: 7", "1 reads c: 7", "1 reads d: 7"));
}

}  // namespace
}  // namespace heddle::trace
