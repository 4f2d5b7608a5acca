#include "trace/pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <set>

#include "trace/executions.h"
#include "wire/dependence.h"

namespace heddle::trace {
namespace {

using causality::step;
using wire::Op;

constexpr uint64_t kX = 0x1000;
constexpr uint64_t kY = 0x2000;
constexpr uint64_t kM = 0x3000;

using Found = std::vector<std::array<uint32_t, 4>>;  // before, entry, exit, after

// The last `waiting` steps are what threads wait for, in a deadlock.
Found found_in(std::vector<wire::Step> steps, size_t waiting = 0) {
  LookedAt execution(std::move(steps), 4, waiting);
  Found found;
  for (const Interference& one : find_interference(execution.races, waiting != 0)) {
    found.push_back({one.before, one.entry, one.exit, one.after});
  }
  return found;
}

TEST(Pieces, OneChangeBetweenTwoReads) {
  EXPECT_EQ(found_in({step(0, Op::read, kX), step(1, Op::write, kX), step(0, Op::read, kX)}),
            Found({{0, 1, 1, 2}}));
  EXPECT_EQ(found_in({step(0, Op::read, kX), step(1, Op::read, kX), step(0, Op::read, kX)}),
            Found());
  // It can be moved before the first, or behind the last.
  EXPECT_EQ(found_in({step(0, Op::read, kY), step(1, Op::write, kX), step(0, Op::read, kX)}),
            Found());
  EXPECT_EQ(found_in({step(0, Op::read, kX), step(1, Op::write, kX), step(0, Op::read, kY)}),
            Found());
}

TEST(Pieces, AYieldPointBetween) {
  for (Op op : {Op::label, Op::yield, Op::sleep, Op::join, Op::sem_wait}) {
    EXPECT_EQ(found_in({step(0, Op::read, kX), step(1, Op::write, kX), step(0, op, 0),
                        step(0, Op::read, kX)}),
              Found())
        << wire::op_name(op);
  }
  // Before or after both it does not help.
  EXPECT_EQ(found_in({step(0, Op::label, 0), step(0, Op::read, kX), step(1, Op::write, kX),
                      step(0, Op::read, kX), step(0, Op::label, 0)}),
            Found({{1, 2, 2, 3}}));
}

TEST(Pieces, TwoCriticalSections) {
  std::vector<wire::Step> steps = {step(0, Op::lock, kM), step(0, Op::unlock, kM),
                                   step(1, Op::lock, kM), step(1, Op::unlock, kM),
                                   step(0, Op::lock, kM), step(0, Op::unlock, kM)};
  EXPECT_EQ(found_in(steps), Found({{1, 2, 3, 4}}));
  steps.insert(steps.begin() + 4, step(0, Op::label, 0));
  EXPECT_EQ(found_in(steps), Found());
}

TEST(Pieces, AWaitOnAConditionPartsThem) {
  wire::Step wait = step(0, Op::cond_wait, kX);
  wait.second = kM;  // it lets go of the mutex
  wire::Step relock = step(0, Op::cond_relock, kM);
  relock.after = 3;
  EXPECT_EQ(
      found_in({step(0, Op::lock, kM), wait, step(1, Op::lock, kM), step(1, Op::cond_signal, kX),
                step(1, Op::unlock, kM), relock, step(0, Op::unlock, kM)}),
      Found());
}

// Each piece has a step that comes before one of the other's: no single thread is run through.
TEST(Pieces, NotEveryCycleIsAPathOfSteps) {
  EXPECT_EQ(found_in({step(1, Op::write, kX), step(0, Op::write, kY), step(1, Op::write, kY),
                      step(0, Op::write, kX)}),
            Found({{1, 2, 0, 3}}));
}

TEST(Pieces, ACycleOfThree) {
  EXPECT_EQ(found_in({step(0, Op::write, kX), step(1, Op::write, kX), step(1, Op::label, 0),
                      step(1, Op::write, kY), step(2, Op::write, kY), step(2, Op::write, kM),
                      step(0, Op::write, kM)}),
            Found({{0, 1, 5, 6}}));
}

TEST(Pieces, EachInterferenceOnce) {
  EXPECT_EQ(found_in({step(0, Op::read, kX), step(1, Op::write, kX), step(0, Op::read, kX),
                      step(0, Op::read, kX), step(1, Op::label, 0), step(1, Op::write, kX),
                      step(0, Op::read, kX)}),
            Found({{0, 1, 1, 2}, {3, 5, 5, 6}}));
}

TEST(Pieces, ACreatedThreadComesAfterItsCreation) {
  wire::Step begin = step(1, Op::begin, 0);
  begin.after = 0;
  EXPECT_EQ(
      found_in({step(0, Op::create, kM), begin, step(1, Op::write, kX), step(0, Op::read, kX)}),
      Found({{0, 1, 2, 3}}));
}

// Each holds what the other wants: with whole pieces one would have had both.
TEST(Pieces, ADeadlockBetweenPieces) {
  std::vector<wire::Step> steps = {step(0, Op::lock, kX), step(1, Op::lock, kY),
                                   step(0, Op::lock, kY), step(1, Op::lock, kX)};
  EXPECT_EQ(found_in(steps, 2), Found({{1, 2, 0, 3}}));
  // Where one may give way before its second lock, it is a deadlock of pieces, too.
  steps.insert(steps.begin() + 2, step(1, Op::label, 0));
  EXPECT_EQ(found_in(steps, 2), Found());
  // One that waits at a yield point, with the mutex, has not been interrupted.
  EXPECT_EQ(found_in({step(0, Op::lock, kX), step(0, Op::lock, kY), step(0, Op::sem_wait, kM),
                      step(1, Op::lock, kX)},
                     2),
            Found());
}

// By definition: some order of the pieces, each whole, keeps the order of all dependent steps.
bool is_serialisable(const std::vector<wire::Step>& steps, uint32_t threads) {
  std::vector<uint32_t> piece(steps.size());
  std::vector<int> current(threads, -1);
  uint32_t count = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    bool ends = wire::has(steps[i].op, wire::kEndsPiece);
    int& mine = current[steps[i].thread];
    if (ends || mine < 0) mine = static_cast<int>(count++);
    piece[i] = static_cast<uint32_t>(mine);
    if (ends) mine = -1;
  }
  std::set<std::pair<uint32_t, uint32_t>> order;
  for (size_t i = 0; i < steps.size(); ++i) {
    for (size_t j = i + 1; j < steps.size(); ++j) {
      bool depend = steps[i].thread == steps[j].thread ||
                    wire::depend(wire::effect_of(steps[i]), wire::effect_of(steps[j]));
      if (depend && piece[i] != piece[j]) order.insert({piece[i], piece[j]});
    }
  }
  std::vector<uint32_t> left(count);
  for (uint32_t i = 0; i < count; ++i) left[i] = i;
  while (!left.empty()) {
    auto is_first = [&](uint32_t one) {
      return std::ranges::none_of(left, [&](uint32_t other) {
        return order.contains({other, one});
      });
    };
    auto first = std::ranges::find_if(left, is_first);
    if (first == left.end()) return false;
    left.erase(first);
  }
  return true;
}

TEST(Pieces, AgreeWithTheDefinition) {
  constexpr uint32_t kThreads = 3;
  std::mt19937 random(1);
  uint32_t serialisable = 0;
  constexpr uint32_t kRounds = 3000;
  for (uint32_t round = 0; round < kRounds; ++round) {
    std::vector<wire::Step> steps;
    size_t length = 2 + random() % 9;
    for (size_t i = 0; i < length; ++i) {
      constexpr std::array<Op, 5> kOps = {Op::read, Op::write, Op::read, Op::write, Op::label};
      Op op = kOps[random() % kOps.size()];
      steps.push_back(step(random() % kThreads, op, op == Op::label ? 0 : kX + 8 * (random() % 3)));
    }
    bool expected = is_serialisable(steps, kThreads);
    serialisable += expected ? 1 : 0;
    LookedAt execution(steps, kThreads);
    std::vector<Interference> found = find_interference(execution.races, false);
    ASSERT_EQ(found.empty(), expected) << round;
    // With the yield points that it asks for, from the last to the first, nothing is left.
    std::ranges::reverse(found);
    for (const Interference& one : found) {
      steps.insert(steps.begin() + one.after, step(steps[one.after].thread, Op::label, 0));
    }
    ASSERT_TRUE(is_serialisable(steps, kThreads)) << round;
  }
  EXPECT_GT(serialisable, kRounds / 10);
  EXPECT_LT(serialisable, kRounds - kRounds / 10);
}

}  // namespace
}  // namespace heddle::trace
