#include "trace/conflict_pairs.h"

#include <gtest/gtest.h>

#include "trace/executions.h"

namespace heddle::trace {
namespace {

using causality::step;
using wire::Op;

constexpr uint64_t kX = 0x1000;
constexpr uint64_t kM = 0x2000;

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

Pairs pairs_of(std::vector<wire::Step> steps) {
  LookedAt execution(std::move(steps), 3);
  Pairs pairs;
  for (const ConflictPair& pair : find_conflict_pairs(execution.races)) {
    pairs.emplace_back(pair.first, pair.second);
  }
  return pairs;
}

TEST(ConflictPairs, NeedAChange) {
  EXPECT_EQ(pairs_of({step(0, Op::read, kX), step(1, Op::read, kX)}), Pairs());
  EXPECT_EQ(pairs_of({step(0, Op::read, kX), step(1, Op::write, kX)}), Pairs({{0, 1}}));
  EXPECT_EQ(pairs_of({step(0, Op::read, kX), step(1, Op::write, kX + 8)}), Pairs());
  EXPECT_EQ(pairs_of({step(0, Op::read, kX), step(0, Op::write, kX)}), Pairs());
}

TEST(ConflictPairs, OfAMutexAreItsLocks) {
  auto take = [](uint32_t thread) {
    wire::Step lock = step(thread, Op::lock, kM);
    lock.flags |= wire::kTakes;
    return lock;
  };
  // What stands between lock and unlock is ordered by them.
  EXPECT_EQ(pairs_of({take(0), step(0, Op::write, kX), step(0, Op::unlock, kM), take(1),
                      step(1, Op::write, kX), step(1, Op::unlock, kM)}),
            Pairs({{0, 3}}));
}

TEST(ConflictPairs, AreAboutAnObject) {
  wire::Step yield = step(1, Op::yield, 0);
  yield.flags |= wire::kYields;  // depends on everything, for the fair scheduler
  EXPECT_EQ(pairs_of({step(0, Op::write, kX), yield}), Pairs());
  EXPECT_EQ(pairs_of({step(0, Op::write, kX), step(1, Op::exit, kM)}), Pairs());
}

}  // namespace
}  // namespace heddle::trace
