// Exact counts of the enumerating searches, by formula and against the brute-force enumerator; and
// the orders, which change nothing but the order.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "explore/brute_force.h"
#include "explore/search_fixture.h"
#include "sample_count.h"

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
  EXPECT_EQ(result.tree.bytes_peak, result.tree.nodes_peak * 16);
  EXPECT_GT(result.tree.uncompressed_bytes_peak, 0u);
  // After 500 samples every second was left out: those of 1, 3, … 499, then of 501, 503, … 923, and
  // the end.
  ASSERT_EQ(result.tree.samples.size(), 250u + 212u + 1u);
  EXPECT_EQ(result.tree.samples.back().executions, 924u);
  EXPECT_EQ(result.tree.samples.back().alive, 0u);
  EXPECT_EQ(result.tree.samples.back().nodes_created, 924u);
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
  setup.limits.executions = uint64_t(sample_count(80, 300));
  Searched result = search(program, setup);
  EXPECT_EQ(result.counts.executions, setup.limits.executions);
  EXPECT_EQ(result.counts.max_steps, 9001u);
  EXPECT_EQ(result.end, explore::SearchEnd::budget);
}

// Delays: what it costs to let thread t go is the number of enabled threads that stand before it:
// the running one, then the others by number.
uint64_t count_delayed(const std::vector<int>& steps, uint32_t delays, uint32_t preemptions = ~0u) {
  auto all = all_interleavings(steps);
  return uint64_t(std::count_if(all.begin(), all.end(), [&](const Interleaving& interleaving) {
    if (interleaving.preemptions > preemptions) return false;
    std::vector<int> left = steps;
    int running = -1;
    uint32_t sum = 0;
    for (int thread : interleaving.order) {
      bool goes_on = running >= 0 && left[size_t(running)] > 0;
      if (thread != running) {
        if (goes_on) ++sum;
        for (int t = 0; t < thread; ++t) {
          if (left[size_t(t)] > 0 && !(goes_on && t == running)) ++sum;
        }
      }
      --left[size_t(thread)];
      running = thread;
    }
    return sum <= delays;
  }));
}

TEST(BestFirst, DelayBoundsAgreeWithBruteForce) {
  for (const std::vector<int>& steps :
       {std::vector<int>{3, 3}, {4, 2}, {2, 2, 2}, {3, 1, 2}, {2, 2, 1, 1}}) {
    for (uint32_t delays : {0u, 1u, 2u, 3u, 5u}) {
      for (uint32_t preemptions : {~0u, 1u}) {
        FakeProgram program{.steps = steps};
        SearchSetup setup;
        setup.options.delays = delays;
        if (preemptions != ~0u) setup.options.preemptions = preemptions;
        Searched result = search(program, setup);
        EXPECT_EQ(result.counts.executions, count_delayed(steps, delays, preemptions))
            << delays << " delays";
        EXPECT_EQ(result.distinct, result.counts.executions);
        EXPECT_EQ(result.end, explore::SearchEnd::complete);
      }
    }
  }
}

// The fake's fingerprint is that of the order: as many different ones as brute force knows, each
// once, whatever comes first.
TEST(BestFirst, OrdersCoverTheSame) {
  std::vector<int> steps = {3, 2, 2};
  for (std::vector<std::string> order :
       {std::vector<std::string>{"pb"}, {"rand"}, {"rand", "pb"}, {"pb", "rand"}}) {
    for (uint32_t bound : {1u, 2u, 9u}) {
      for (uint32_t jobs : {1u, 2u}) {
        FakeProgram program{.steps = steps};
        SearchSetup setup;
        setup.strategy = "best-first";
        setup.options.order = order;
        setup.options.preemptions = bound;
        setup.settings.workers = jobs;
        Searched result = search(program, setup);
        EXPECT_EQ(result.counts.executions, count_within(steps, bound));
        EXPECT_EQ(result.distinct, result.counts.executions);
        EXPECT_EQ(result.end, explore::SearchEnd::complete);
        EXPECT_EQ(result.tree.samples.back().alive, 0u);
      }
    }
  }
}

// The tree takes one block of 256 KB; 16 KB are left for the fringe. Most of it goes to disk, and
// nothing else changes.
constexpr uint64_t kLittleMemory = (256 + 16) << 10;

TEST(BestFirst, IsTheSameWithLittleMemory) {
  FakeProgram program{.steps = {4, 4, 4}};  // 12! / 4!^3 = 34,650
  SearchSetup setup;
  setup.strategy = "best-first";
  setup.options.order = {"pb"};
  Searched plain = search(program, setup);
  EXPECT_EQ(plain.counts.executions, 34'650u);
  setup.options.memory = kLittleMemory;
  setup.options.directory = ::testing::TempDir();
  Searched spilled = search(program, setup);
  EXPECT_EQ(spilled.end, explore::SearchEnd::complete);
  EXPECT_EQ(spilled.counts.executions, plain.counts.executions);
  EXPECT_EQ(spilled.counts.steps, plain.counts.steps);
  EXPECT_EQ(spilled.distinct, plain.distinct);
  EXPECT_EQ(spilled.tree.nodes_peak, plain.tree.nodes_peak);
  EXPECT_EQ(plain.tree.spilled_bytes_peak, 0u);
  EXPECT_GT(spilled.tree.spilled_bytes_peak, plain.tree.bytes_peak / 4);
  EXPECT_LT(spilled.tree.bytes_peak, plain.tree.bytes_peak);
}

TEST(BestFirst, AFullDiskEndsTheSearchWithItsFindings) {
  FakeProgram program{.steps = {4, 4, 4}, .end = [](const std::vector<int>& order, wire::Region*) {
                        if (order[0] == 0) return FakeEnd{};
                        return FakeEnd{wire::Ending::failed, wire::Failure::assertion, 1};
                      }};
  SearchSetup setup;
  setup.strategy = "best-first";
  setup.options.order = {"pb"};
  setup.options.memory = kLittleMemory;
  setup.options.directory = ::testing::TempDir();
  setup.limits.keep_going = true;
  Searched result;
  result.small_files_after_first = 10'000;
  search(program, setup, &result);
  EXPECT_EQ(result.end, explore::SearchEnd::out_of_space);
  EXPECT_EQ(result.failures.size(), 1u);
  EXPECT_NE(result.out_of_space_because, "");
}

// Preemptions in the order in which the schedules are run, by way of failures that are all
// different.
std::vector<uint32_t> preemptions_in_order(const std::string& order) {
  FakeProgram program{.steps = {3, 3, 1},
                      .end = [](const std::vector<int>& threads, wire::Region*) {
                        uint64_t key = 1;
                        for (int thread : threads) key = key * 4 + uint64_t(thread);
                        return FakeEnd{wire::Ending::failed, wire::Failure::assertion, key};
                      }};
  SearchSetup setup;
  setup.strategy = "best-first";
  setup.options.order = {order};
  setup.limits.keep_going = true;
  setup.settings.window = 1;  // else what waits is taken before better ones are known
  std::vector<uint32_t> preemptions;
  for (const FoundFailure& failure : search(program, setup).failures) {
    preemptions.push_back(failure.preemptions);
  }
  return preemptions;
}

TEST(BestFirst, FewPreemptionsComeFirst) {
  std::vector<uint32_t> found = preemptions_in_order("pb");
  EXPECT_EQ(found.size(), 140u);  // 7! / (3! 3! 1!)
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  EXPECT_EQ(found.back(), 4u);  // 0 1 0 1 0, then 1 since 0 has ended
  std::vector<uint32_t> by_chance = preemptions_in_order("rand");
  EXPECT_EQ(by_chance.size(), 140u);
  EXPECT_FALSE(std::is_sorted(by_chance.begin(), by_chance.end()));
}

TEST(BestFirst, ChanceFollowsItsSeed) {
  FakeProgram program{.steps = {5, 5}, .end = [](const std::vector<int>& order, wire::Region*) {
                        bool fails = order[1] == 1 && order[4] == 0 && order[7] == 1;
                        if (!fails) return FakeEnd{};
                        return FakeEnd{wire::Ending::failed, wire::Failure::assertion, 1};
                      }};
  std::set<uint64_t> numbers;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SearchSetup setup;
    setup.strategy = "best-first";
    setup.options.order = {"rand"};
    setup.options.seed = seed;
    setup.settings.window = 1;
    uint64_t number = search(program, setup).counts.executions;
    EXPECT_EQ(search(program, setup).counts.executions, number);
    numbers.insert(number);
  }
  EXPECT_GT(numbers.size(), 3u);
}

}  // namespace
}  // namespace heddle::testing
