// Bound by bound and then all: each stage runs what it should, no more and no less.
#include "explore/staged_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/brute_force.h"
#include "explore/search_fixture.h"
#include "sample_count.h"

namespace heddle::testing {
namespace {

// Notes the preemptions of each execution, and what the stages say of themselves.
struct StagedRun : Searched {
  std::vector<uint32_t> preemptions;
  std::vector<explore::Stage> stages;

  void each(const explore::Occurrence& what) override {
    preemptions.push_back(what.outcome.execution.result.preemptions);
  }
  bool wants_each() const override { return true; }
};

std::vector<explore::StrategyOptions> bounded_then_all(uint32_t bound) {
  explore::StrategyOptions bounded;
  bounded.preemptions = bound;
  bounded.bound_by_bound = true;
  return {bounded, explore::StrategyOptions()};
}

StagedRun run(const std::vector<int>& steps, const std::vector<explore::StrategyOptions>& stages,
              const SearchSetup& setup = {}) {
  StagedRun result;
  FakeProgram program{.steps = steps};
  auto strategy = explore::make_strategy(explore::find_strategy("auto"), stages);
  pool::Pool pool(launch_of(program), setup.settings, *strategy);
  explore::Search search(*strategy, pool, setup.limits, result);
  result.end = search.run();
  result.counts = search.counts();
  result.stages = strategy->stages();
  result.tree = strategy->statistics();
  return result;
}

uint64_t with_preemptions(const std::vector<int>& steps, uint32_t count) {
  auto all = all_interleavings(steps);
  return uint64_t(std::count_if(all.begin(), all.end(),
                                [&](const Interleaving& i) { return i.preemptions == count; }));
}

TEST(StagedSearch, EachStageRunsItsSchedulesOnce) {
  for (const std::vector<int>& steps : {std::vector<int>{4, 4}, {3, 3, 2}, {2, 2, 2, 2}}) {
    for (uint32_t jobs : {1u, 2u}) {
      SearchSetup setup;
      setup.settings.workers = jobs;
      StagedRun result = run(steps, bounded_then_all(2), setup);
      EXPECT_EQ(result.end, explore::SearchEnd::complete);
      ASSERT_EQ(result.stages.size(), 4u);
      uint64_t begin = 0;
      for (uint32_t bound = 0; bound <= 2; ++bound) {
        const explore::Stage& stage = result.stages[bound];
        EXPECT_EQ(stage.preemptions, bound);
        EXPECT_EQ(stage.executions, with_preemptions(steps, bound));
        EXPECT_TRUE(stage.complete);
        for (uint64_t i = 0; i < stage.executions; ++i) {
          ASSERT_EQ(result.preemptions[begin + i], bound) << begin + i;
        }
        begin += stage.executions;
      }
      const explore::Stage& last = result.stages[3];
      EXPECT_EQ(last.preemptions, std::nullopt);
      EXPECT_EQ(last.executions, all_interleavings(steps).size());
      EXPECT_TRUE(last.complete);
      EXPECT_EQ(result.counts.executions, begin + last.executions);
      EXPECT_EQ(result.tree.nodes_created, result.counts.executions);
    }
  }
}

// 2 and 1 steps: no schedule has more than 1 preemption.
TEST(StagedSearch, WithoutALastStageIfNothingWasHeldBack) {
  StagedRun result = run({2, 1}, bounded_then_all(1));
  EXPECT_EQ(result.end, explore::SearchEnd::complete);
  EXPECT_EQ(result.counts.executions, 3u);
  ASSERT_EQ(result.stages.size(), 2u);
  EXPECT_TRUE(result.stages[1].complete);
  result = run({2, 1}, bounded_then_all(0));
  EXPECT_EQ(result.stages.size(), 2u);
  EXPECT_EQ(result.counts.executions, 2u + 3u);
}

TEST(StagedSearch, ABudgetGoesOverAllStages) {
  const std::vector<int> steps = {3, 3, 2};
  StagedRun whole = run(steps, bounded_then_all(2));
  uint64_t total = whole.counts.executions;
  for (uint64_t budget = 1; budget <= total + 1;
       budget += uint64_t(budget < 300 ? sample_count(5, 1) : 37)) {
    SearchSetup setup;
    setup.limits.executions = budget;
    StagedRun result = run(steps, bounded_then_all(2), setup);
    ASSERT_EQ(result.counts.executions, std::min(budget, total));
    ASSERT_EQ(result.end,
              budget < total ? explore::SearchEnd::budget : explore::SearchEnd::complete);
    // What is complete is exactly what the budget was enough for.
    uint64_t needed = 0;
    for (size_t i = 0; i < whole.stages.size(); ++i) {
      needed += whole.stages[i].executions;
      bool complete = i < result.stages.size() && result.stages[i].complete;
      ASSERT_EQ(complete, needed <= budget) << "stage " << i << ", budget " << budget;
    }
  }
}

TEST(StagedSearch, WhatIsCutIsNotComplete) {
  SearchSetup setup;
  setup.settings.max_steps = 4;
  StagedRun result = run({3, 3}, bounded_then_all(2), setup);
  EXPECT_GT(result.counts.cut, 0u);
  for (const explore::Stage& stage : result.stages) EXPECT_FALSE(stage.complete);
}

}  // namespace
}  // namespace heddle::testing
