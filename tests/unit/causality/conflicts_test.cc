#include "causality/conflicts.h"

#include <gtest/gtest.h>

#include <vector>

#include "causality/steps.h"
#include "trace/execution.h"

namespace heddle::causality {
namespace {

struct Looked {
  std::vector<wire::Step> steps;
  Races races;
  Conflicts conflicts;

  Looked(std::vector<wire::Step> list, uint32_t threads) : steps(std::move(list)) {
    trace::Execution execution;
    execution.result.step_count = static_cast<uint32_t>(steps.size());
    execution.result.thread_count = threads;
    execution.steps = steps;
    races.look_at(execution.result, execution.steps, execution.pending, 0);
    conflicts.look_at(races, 0);
  }
};

constexpr auto kLoad = wire::Op::atomic_load;
constexpr auto kStore = wire::Op::atomic_store;
constexpr uint64_t kX = 0x1000;
constexpr uint64_t kY = 0x2000;

TEST(Conflicts, AreAllThatALaterStepDependsOn) {
  Looked l({step(0, kStore, kX), step(0, kLoad, kX), step(0, kStore, kY), step(0, kStore, kX),
            step(1, kLoad, kX)},
           2);
  EXPECT_TRUE(l.conflicts.is_later_user(1, 0));   // not only the last store
  EXPECT_FALSE(l.conflicts.is_later_user(1, 1));  // both read
  EXPECT_FALSE(l.conflicts.is_later_user(1, 2));  // another object
  EXPECT_TRUE(l.conflicts.is_later_user(1, 3));
  EXPECT_FALSE(l.conflicts.is_later_user(0, 4));  // it was earlier
  EXPECT_FALSE(l.conflicts.is_later_user(0, 0));  // itself
}

TEST(Conflicts, SecondObjectsAreChanged) {
  wire::Step both = step(0, kLoad, kX);
  both.second = kY;
  Looked l({both, step(1, kLoad, kX), step(2, kLoad, kY)}, 3);
  EXPECT_FALSE(l.conflicts.is_later_user(1, 0));
  EXPECT_TRUE(l.conflicts.is_later_user(2, 0));
}

TEST(Conflicts, OfManyObjects) {
  std::vector<wire::Step> steps;
  for (uint64_t i = 0; i < 1000; ++i) steps.push_back(step(0, kStore, kX + 8 * i));
  for (uint64_t i = 0; i < 1000; i += 2) steps.push_back(step(1, kLoad, kX + 8 * i));
  Looked l(std::move(steps), 2);
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(l.conflicts.is_later_user(1, i), i % 2 == 0) << i;
  }
}

// The tables know only the first threads; of others nothing is told.
TEST(Conflicts, OfMoreThreadsThanItKnows) {
  Looked l({step(0, kStore, kX), step(64, kStore, kX), step(63, kStore, kX)}, 65);
  EXPECT_TRUE(l.conflicts.is_later_user(63, 0));
  EXPECT_FALSE(l.conflicts.is_later_user(64, 0));
}

}  // namespace
}  // namespace heddle::causality
