// The driver: the same search whatever the number of workers; budgets to the execution; failures
// once each.
#include "explore/search.h"

#include <gtest/gtest.h>

#include <atomic>

#include "explore/search_fixture.h"

namespace heddle::testing {
namespace {

using explore::SearchEnd;

// Fails in every schedule in which thread 1 makes its last step before thread 0 makes its last.
FakeEnd fail_if_thread_0_is_last(const std::vector<int>& order, wire::Region*) {
  if (order.back() != 0) return {};
  return {wire::Ending::failed, wire::Failure::assertion, 42};
}

TEST(Search, IsTheSameForEachNumberOfWorkers) {
  FakeProgram program{.steps = {4, 4}, .end = [](const std::vector<int>& order, wire::Region*) {
                        bool fails = order[2] == 1 && order[5] == 0;
                        if (!fails) return FakeEnd{};
                        return FakeEnd{wire::Ending::failed, wire::Failure::assertion, 42};
                      }};
  std::optional<Searched> first;
  for (uint32_t workers : {1u, 2u, 3u, 1u, 5u}) {
    SearchSetup setup;
    setup.settings.workers = workers;
    Searched result = search(program, setup);
    ASSERT_EQ(result.failures.size(), 1u);
    if (!first.has_value()) first = std::move(result);
    const Searched& other = result.failures.empty() ? *first : result;
    EXPECT_EQ(other.end, SearchEnd::failure);
    EXPECT_EQ(other.counts.executions, first->counts.executions);
    EXPECT_EQ(other.counts.steps, first->counts.steps);
    EXPECT_EQ(other.failures[0].number, first->failures[0].number);
    EXPECT_EQ(other.failures[0].schedule.size(), first->failures[0].schedule.size());
    EXPECT_EQ(other.distinct, first->distinct);
    EXPECT_EQ(other.tree.nodes_peak, first->tree.nodes_peak);
  }
}

TEST(Search, KeepsItsBudgetToTheExecution) {
  FakeProgram program{.steps = {5, 5}};  // 252 schedules
  for (uint64_t budget : {1u, 2u, 100u, 251u}) {
    SearchSetup setup;
    setup.limits.executions = budget;
    setup.settings.workers = 2;
    Searched result = search(program, setup);
    EXPECT_EQ(result.counts.executions, budget);
    EXPECT_EQ(result.end, SearchEnd::budget);
  }
  SearchSetup setup;
  setup.limits.executions = 252;
  EXPECT_EQ(search(program, setup).end, SearchEnd::complete);
}

TEST(Search, EndsInTime) {
  FakeProgram program{.steps = {2, 2}};
  SearchSetup setup;
  setup.strategy = "random";
  setup.limits.seconds = 0.3;
  Searched result = search(program, setup);
  EXPECT_EQ(result.end, SearchEnd::budget);
  EXPECT_GE(result.seconds, 0.3);
  EXPECT_LT(result.seconds, 1.5);
}

TEST(Search, EndsInTimeWhileAnExecutionTakesLong) {
  FakeProgram program{.steps = {1}, .end = [](const std::vector<int>&, wire::Region*) -> FakeEnd {
                        for (;;) pause();
                      }};
  SearchSetup setup;
  setup.settings.hang_after = 60;
  setup.limits.seconds = 0.2;
  Searched result = search(program, setup);
  EXPECT_EQ(result.end, SearchEnd::budget);
  EXPECT_EQ(result.counts.executions, 0u);
  EXPECT_LT(result.seconds, 1.5);
}

TEST(Search, KeepGoingTellsEachFailureOnce) {
  FakeProgram program{.steps = {3, 3}, .end = [](const std::vector<int>& order, wire::Region*) {
                        uint64_t place = order.back() == 0 ? 1 : 2;
                        return FakeEnd{wire::Ending::failed, wire::Failure::crash, place, true};
                      }};
  SearchSetup setup;
  setup.limits.keep_going = true;
  setup.settings.workers = 2;
  Searched result = search(program, setup);
  EXPECT_EQ(result.end, SearchEnd::complete);
  EXPECT_EQ(result.counts.executions, 20u);
  EXPECT_EQ(result.counts.failing, 20u);
  EXPECT_EQ(result.failures.size(), 2u);
}

TEST(Search, FailureInEverySecondExecutionIsExploredToTheEnd) {
  FakeProgram program{.steps = {4, 4}, .end = fail_if_thread_0_is_last};
  SearchSetup setup;
  setup.limits.keep_going = true;
  Searched result = search(program, setup);
  EXPECT_EQ(result.counts.executions, 70u);  // 8! / (4! 4!)
  EXPECT_EQ(result.counts.failing, 35u);     // by symmetry, thread 0 is last in half of them
}

TEST(Search, RandomIsRepeatableAndFollowsItsSeed) {
  FakeProgram program{.steps = {6, 6}};
  SearchSetup setup;
  setup.strategy = "random";
  setup.limits.executions = 500;
  setup.options.seed = 7;
  Searched first = search(program, setup);
  setup.settings.workers = 3;
  Searched again = search(program, setup);
  EXPECT_EQ(first.counts.executions, 500u);
  EXPECT_EQ(first.end, SearchEnd::budget);
  EXPECT_EQ(first.distinct, again.distinct);
  setup.options.seed = 8;
  EXPECT_NE(search(program, setup).distinct, first.distinct);
}

TEST(Search, CountsWhatWasPrunedAndCut) {
  FakeProgram program{.steps = {3, 3}, .end = [](const std::vector<int>& order, wire::Region*) {
                        if (order[0] == 0) return FakeEnd{};
                        return FakeEnd{wire::Ending::pruned};
                      }};
  EXPECT_EQ(search(program).counts.pruned, 10u);  // those that begin with thread 1: 5! / (2! 3!)
  SearchSetup setup;
  setup.settings.max_steps = 4;  // of 6: every execution is cut
  Searched result = search(FakeProgram{.steps = {3, 3}}, setup);
  EXPECT_EQ(result.counts.cut, result.counts.executions);
  EXPECT_EQ(result.counts.executions, 14u);  // words of 4 letters with at most 3 of each: 16 - 2
}

// Notes how many executions it had learnt from when it was asked for each of its plans.
class Attentive final : public explore::Strategy {
 public:
  explicit Attentive(uint32_t lag) : lag_(lag) {}
  uint32_t lag() const override { return lag_; }
  std::optional<pool::Plan> next() override {
    pool::Plan plan;
    plan.decider = wire::Decider::uniform;
    plan.seed = known.size();
    known.push_back(learnt_);
    return plan;
  }
  void learn(const pool::Plan&, causality::Observation&) override { ++learnt_; }
  bool complete() const override { return false; }
  void write_decisions(const pool::Plan&, wire::Decision*) const override {}
  void save(explore::ByteWriter&) const override {}
  void load(explore::ByteReader&) override {}

  std::vector<uint64_t> known;

 private:
  uint32_t lag_;
  uint64_t learnt_ = 0;
};

TEST(Search, WhatAStrategyKnowsIsAFunctionOfItsLag) {
  FakeProgram program{.steps = {3, 3}};
  for (uint32_t lag : {1u, 3u, 16u}) {
    for (uint32_t workers : {1u, 2u, 4u}) {
      SearchSetup setup;
      setup.settings.workers = workers;
      setup.limits.executions = 50;
      Attentive strategy(lag);
      pool::Pool pool(launch_of(program), setup.settings, strategy);
      Searched events;
      EXPECT_EQ(explore::Search(strategy, pool, setup.limits, events).run(), SearchEnd::budget);
      ASSERT_GE(strategy.known.size(), 50u);
      for (uint64_t i = 0; i < 50; ++i) {
        EXPECT_EQ(strategy.known[i], i < lag ? 0 : i + 1 - lag) << "lag " << lag;
      }
    }
  }
}

TEST(Search, StopsAtATestThatIsNotRepeatable) {
  FakeProgram program{.steps = {3, 3}, .unrepeatable_from = 9};
  Searched result = search(program);
  EXPECT_EQ(result.end, SearchEnd::diverged);
  EXPECT_EQ(result.diverged_at, 10u);
}

TEST(Search, StopsOnAnInterrupt) {
  std::atomic<int> interrupt = 0;
  FakeProgram program{.steps = {1}, .end = [](const std::vector<int>&, wire::Region*) -> FakeEnd {
                        for (;;) pause();
                      }};
  SearchSetup setup;
  setup.settings.interrupt = &interrupt;
  setup.settings.hang_after = 60;
  interrupt = 1;
  EXPECT_EQ(search(program, setup).end, SearchEnd::interrupted);
}

}  // namespace
}  // namespace heddle::testing
