// Exact counts of the depth-first search, by formula and against the brute-force enumerator.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "explore/brute_force.h"
#include "explore/search_fixture.h"

namespace heddle::testing {
namespace {

uint64_t count_within(const std::vector<int>& steps, uint32_t bound) {
  auto all = all_interleavings(steps);
  return uint64_t(std::count_if(all.begin(), all.end(),
                                [&](const Interleaving& i) { return i.preemptions <= bound; }));
}

Searched run(const std::vector<int>& steps, std::optional<uint32_t> bound, uint32_t jobs = 1) {
  FakeProgram program{.steps = steps};
  SearchSetup setup;
  setup.options.preemptions = bound;
  setup.settings.workers = jobs;
  return search(program, setup);
}

TEST(DepthFirst, TwoThreadsGiveTheBinomial) {
  EXPECT_EQ(run({3, 3}, std::nullopt).counts.executions, 20u);   // 6! / (3! 3!)
  EXPECT_EQ(run({5, 4}, std::nullopt).counts.executions, 126u);  // 9! / (5! 4!)
  EXPECT_EQ(run({1, 9}, std::nullopt).counts.executions, 10u);   // 10! / (1! 9!)
  EXPECT_EQ(run({9, 1}, std::nullopt).counts.executions, 10u);   // the same, threads swapped
}

TEST(DepthFirst, MoreThreadsGiveTheMultinomial) {
  EXPECT_EQ(run({2, 2, 2}, std::nullopt).counts.executions, 90u);  // 6! / 2!^3
  EXPECT_EQ(run({3, 2, 1}, std::nullopt).counts.executions, 60u);  // 6! / (3! 2! 1!)
  EXPECT_EQ(run({1, 2, 3}, std::nullopt).counts.executions, 60u);
  EXPECT_EQ(run({2, 2, 2, 2}, std::nullopt).counts.executions, 2520u);  // 8! / 2!^4
}

TEST(DepthFirst, OneThreadHasOneSchedule) {
  Searched result = run({7}, std::nullopt);
  EXPECT_EQ(result.counts.executions, 1u);
  EXPECT_EQ(result.end, explore::SearchEnd::complete);
}

TEST(DepthFirst, NothingToDoIsOneExecution) { EXPECT_EQ(run({}, 2).counts.executions, 1u); }

TEST(DepthFirst, PreemptionBoundsAgreeWithBruteForce) {
  for (const std::vector<int>& steps :
       {std::vector<int>{3, 3}, {4, 2}, {2, 2, 2}, {3, 1, 2}, {2, 2, 1, 1}}) {
    for (uint32_t bound : {0u, 1u, 2u, 3u}) {
      Searched result = run(steps, bound);
      EXPECT_EQ(result.counts.executions, count_within(steps, bound)) << "bound " << bound;
      EXPECT_EQ(result.end, explore::SearchEnd::complete);
    }
  }
}

TEST(DepthFirst, EveryScheduleIsRunOnce) {
  // The fake's fingerprint is that of the order: 8! / (3! 3! 2!) = 560 different ones.
  Searched result = run({3, 3, 2}, std::nullopt);
  EXPECT_EQ(result.counts.executions, 560u);
  EXPECT_EQ(result.distinct, 560u);
}

TEST(DepthFirst, DepthLimitsTheStepsThatVary) {
  FakeProgram program{.steps = {3, 3}};
  SearchSetup setup;
  setup.options.depth = 1;  // the first step only: which of two threads begins
  EXPECT_EQ(search(program, setup).counts.executions, 2u);
  setup.options.depth = 2;  // 2 * 2
  EXPECT_EQ(search(program, setup).counts.executions, 4u);
  setup.options.depth = 0;
  EXPECT_EQ(search(program, setup).counts.executions, 1u);
}

TEST(DepthFirst, NodesGoWhenTheirSuccessorsHaveGone) {
  Searched result = run({6, 6}, std::nullopt);  // 12! / (6! 6!) = 924
  EXPECT_EQ(result.counts.executions, 924u);
  EXPECT_EQ(result.tree.nodes_created, 924u);
  EXPECT_LT(result.tree.nodes_peak, 924u);
  EXPECT_EQ(result.tree.bytes_peak / 24 > 0, true);
  EXPECT_GT(result.tree.uncompressed_bytes_peak, 0u);
}

TEST(DepthFirst, TracesThroughTheBufferGiveTheSameSearch) {
  FakeProgram program{.steps = {3, 3}, .steps_in_buffer = true};
  SearchSetup setup;
  setup.settings.workers = 2;
  EXPECT_EQ(search(program, setup).counts.executions, 20u);
}

TEST(DepthFirst, LongExecutionsGoThroughBufferAndArea) {
  // 9,000 steps of one thread, then one of another: at each of the first 9,001 places the single
  // step of thread 1 may stand. 9,001 schedules of up to 9,001 steps; the traces of the longest do
  // not fit a ring record.
  FakeProgram program{.steps = {9000, 1}};
  SearchSetup setup;
  setup.limits.executions = 300;
  Searched result = search(program, setup);
  EXPECT_EQ(result.counts.executions, 300u);
  EXPECT_EQ(result.counts.max_steps, 9001u);
  EXPECT_EQ(result.end, explore::SearchEnd::budget);
}

}  // namespace
}  // namespace heddle::testing
