#include "trace/happens_before.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "causality/steps.h"
#include "wire/dependence.h"

namespace heddle::trace {
namespace {

using causality::step;
using testing::ElementsAre;
using testing::IsEmpty;
using wire::Op;

std::vector<uint32_t> of(const Causes& causes, uint32_t number) {
  auto found = causes.of(number);
  return {found.begin(), found.end()};
}

TEST(HappensBefore, ReadsComeAfterTheLastWriteAndBeforeTheNext) {
  std::vector<wire::Step> steps = {step(0, Op::atomic_store, 8), step(1, Op::atomic_load, 8),
                                   step(2, Op::atomic_load, 8), step(0, Op::atomic_store, 8),
                                   step(0, Op::atomic_store, 16)};
  Causes causes = causes_of(steps);
  EXPECT_THAT(of(causes, 0), IsEmpty());
  EXPECT_THAT(of(causes, 1), ElementsAre(0));
  EXPECT_THAT(of(causes, 2), ElementsAre(0));
  EXPECT_THAT(of(causes, 3), ElementsAre(2, 1));
  EXPECT_THAT(of(causes, 4), IsEmpty());
}

// The third store comes after the first by way of the second.
TEST(HappensBefore, LeavesOutWhatFollowsFromOthers) {
  std::vector<wire::Step> steps = {step(0, Op::atomic_store, 8), step(0, Op::atomic_store, 16),
                                   step(1, Op::atomic_load, 16), step(1, Op::atomic_store, 24),
                                   step(2, Op::atomic_load, 24), step(2, Op::atomic_load, 8)};
  Causes causes = causes_of(steps);
  EXPECT_THAT(of(causes, 2), ElementsAre(1));
  EXPECT_THAT(of(causes, 4), ElementsAre(3));
  EXPECT_THAT(of(causes, 5), IsEmpty());
}

TEST(HappensBefore, AThreadBeginsAfterItsCreation) {
  std::vector<wire::Step> steps = {step(0, Op::create, 1), step(0, Op::atomic_store, 8),
                                   step(1, Op::begin, 1)};
  steps[2].after = 0;
  EXPECT_THAT(of(causes_of(steps), 2), ElementsAre(0));
}

TEST(HappensBefore, OperationsOnCommonBytesDepend) {
  std::vector<wire::Step> steps = {step(0, Op::write, 100), step(1, Op::read, 104),
                                   step(1, Op::read, 108)};
  steps[0].size = 8;
  steps[1].size = steps[2].size = 4;
  Causes causes = causes_of(steps);
  EXPECT_THAT(of(causes, 1), ElementsAre(0));
  EXPECT_THAT(of(causes, 2), IsEmpty());
}

TEST(HappensBefore, NothingIsBelievedOfATrace) {
  std::vector<wire::Step> steps(100, step(0, Op::atomic_store, ~uint64_t{0}));
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].op = static_cast<Op>(i * 7);
    steps[i].thread = static_cast<uint16_t>(i * 997);
    steps[i].size = static_cast<uint16_t>(i % 2 == 0 ? wire::kManyBytes : i);
    steps[i].second = ~uint64_t{i};
    steps[i].after = static_cast<uint32_t>(i * i);
  }
  EXPECT_EQ(causes_of(steps).begin.size(), 101u);
}

// By its definition: pairs that depend on each other, and all that follows from them.
TEST(HappensBefore, IsTheReductionOfTheOrder) {
  constexpr uint32_t kCount = 60;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    std::mt19937 chance(seed);
    std::vector<wire::Step> steps;
    for (uint32_t i = 0; i < kCount; ++i) {
      constexpr Op kOps[] = {Op::atomic_load, Op::atomic_store, Op::fence, Op::fd_read, Op::cancel};
      uint32_t op = chance() % 40;
      steps.push_back(step(chance() % 4,
                           kOps[op < 18   ? 0
                                : op < 36 ? 1
                                          : op - 35],
                           100 + chance() % 12));
      steps.back().size = static_cast<uint16_t>(1 << chance() % 3);
    }
    Causes causes = causes_of(steps);
    bool before[kCount][kCount] = {};
    bool reached[kCount][kCount] = {};
    for (uint32_t b = 0; b < kCount; ++b) {
      std::vector<uint32_t> direct = of(causes, b);
      for (uint32_t a = 0; a < b; ++a) {
        bool same = steps[a].thread == steps[b].thread;
        before[a][b] = same || wire::depend(wire::effect_of(steps[a]), wire::effect_of(steps[b]));
        reached[a][b] = same || std::ranges::find(direct, a) != direct.end();
      }
    }
    for (uint32_t k = 0; k < kCount; ++k) {
      for (uint32_t a = 0; a < k; ++a) {
        for (uint32_t b = k + 1; b < kCount; ++b) {
          before[a][b] |= before[a][k] && before[k][b];
          reached[a][b] |= reached[a][k] && reached[k][b];
        }
      }
    }
    for (uint32_t b = 0; b < kCount; ++b) {
      for (uint32_t a = 0; a < b; ++a)
        EXPECT_EQ(before[a][b], reached[a][b]) << seed << " " << a << " " << b;
      for (uint32_t cause : of(causes, b)) {
        EXPECT_NE(steps[cause].thread, steps[b].thread);
        for (uint32_t k = cause + 1; k < b; ++k) EXPECT_FALSE(before[cause][k] && before[k][b]);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::trace
