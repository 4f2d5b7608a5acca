// Subtrees that workers search by themselves: what is counted is what a search that runs everything
// itself counts, whatever befalls the workers.
#include "explore/subtrees.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>

#include "causality/subtree_search.h"
#include "explore/brute_force.h"
#include "explore/bytes_in_memory.h"
#include "explore/search_fixture.h"

namespace heddle::testing {
namespace {

SearchSetup setup_with(bool subtrees, uint32_t jobs = 1) {
  SearchSetup setup;
  setup.options.subtrees = subtrees;
  setup.settings.workers = jobs;
  return setup;
}

uint64_t count_within(const std::vector<int>& steps, uint32_t bound) {
  uint64_t count = 0;
  for (const Interleaving& one : all_interleavings(steps)) count += one.preemptions <= bound;
  return count;
}

void expect_same(const Searched& a, const Searched& b) {
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.counts.executions, b.counts.executions);
  EXPECT_EQ(a.counts.steps, b.counts.steps);
  EXPECT_EQ(a.counts.failing, b.counts.failing);
  EXPECT_EQ(a.counts.failures, b.counts.failures);
  EXPECT_EQ(a.counts.pruned, b.counts.pruned);
  EXPECT_EQ(a.counts.finished, b.counts.finished);
  EXPECT_EQ(a.counts.threads, b.counts.threads);
  EXPECT_EQ(a.counts.max_steps, b.counts.max_steps);
  EXPECT_EQ(a.counts.lost, b.counts.lost);
  EXPECT_EQ(a.distinct, b.distinct);
  EXPECT_EQ(a.tree.nodes_created, b.tree.nodes_created);
}

// … and in the order of its findings.
void expect_alike(const Searched& a, const Searched& b) {
  expect_same(a, b);
  ASSERT_EQ(a.failures.size(), b.failures.size());
  for (size_t i = 0; i < a.failures.size(); ++i) {
    EXPECT_EQ(a.failures[i].number, b.failures[i].number);
    EXPECT_EQ(a.failures[i].key, b.failures[i].key);
  }
}

// 12! / (4! 4! 4!) schedules.
const std::vector<int> kThree = {4, 4, 4};
constexpr uint64_t kThreeSchedules = 34'650;

TEST(Subtrees, AllSchedulesAreRunOnce) {
  FakeProgram program{.steps = kThree};
  Searched one = search(program, setup_with(true));
  EXPECT_EQ(one.counts.executions, kThreeSchedules);
  EXPECT_EQ(one.distinct, kThreeSchedules);
  EXPECT_EQ(one.end, explore::SearchEnd::complete);
  expect_same(one, search(program, setup_with(true, 3)));
  expect_same(one, search(program, setup_with(false)));
}

TEST(Subtrees, BoundsAgreeWithBruteForce) {
  FakeProgram program{.steps = {5, 4, 5}};
  for (uint32_t bound : {3u, 4u}) {
    SearchSetup setup = setup_with(true, 2);
    setup.options.preemptions = bound;
    Searched found = search(program, setup);
    EXPECT_EQ(found.counts.executions, count_within(program.steps, bound));
    EXPECT_GT(found.counts.executions, explore::Subtrees::kAlone);
    EXPECT_EQ(found.end, explore::SearchEnd::complete);
  }
  SearchSetup setup = setup_with(true, 2), without = setup_with(false);
  setup.options.delays = without.options.delays = 5;
  setup.options.depth = without.options.depth = 11;
  expect_same(search(program, setup), search(program, without));
}

FakeEnd pruned_or_failed(const std::vector<int>& order, wire::Region*) {
  if (order.back() == 2) return {};
  if (order.front() == 2) return {.ending = wire::Ending::pruned};
  // Known after a while; and some that come late, and once each.
  uint64_t key = order[4] == 1 ? 7 : 8;
  if (order == std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0}) key = 9;
  return {.ending = wire::Ending::failed, .failure = wire::Failure::assertion, .failure_key = key};
}

TEST(Subtrees, FailuresAreCountedAndFound) {
  FakeProgram program{.steps = kThree, .end = pruned_or_failed};
  SearchSetup setup = setup_with(true), two = setup_with(true, 2), without = setup_with(false);
  for (SearchSetup* one : {&setup, &two, &without}) one->limits.keep_going = true;
  Searched found = search(program, setup);
  EXPECT_EQ(found.counts.executions, kThreeSchedules);
  EXPECT_EQ(found.counts.failures, 3u);
  expect_alike(found, search(program, two));
  expect_same(found, search(program, without));
}

TEST(Subtrees, TheFirstFailureEndsTheSearch) {
  FakeProgram program{.steps = kThree, .end = [](const std::vector<int>& order, wire::Region*) {
                        bool fails = order == std::vector<int>{2, 1, 2, 1, 2, 0, 1, 2, 0, 0, 0, 1};
                        if (!fails) return FakeEnd{};
                        return FakeEnd{.ending = wire::Ending::failed,
                                       .failure = wire::Failure::assertion,
                                       .failure_key = 4};
                      }};
  Searched found = search(program, setup_with(true));
  EXPECT_EQ(found.end, explore::SearchEnd::failure);
  ASSERT_EQ(found.failures.size(), 1u);
  EXPECT_EQ(found.failures[0].number, found.counts.executions);
  EXPECT_GT(found.counts.executions, explore::Subtrees::kAlone);
  expect_alike(found, search(program, setup_with(true, 3)));
}

TEST(Subtrees, WorkersMayDie) {
  FakeProgram program{.steps = kThree, .end = [](const std::vector<int>& order, wire::Region*) {
                        bool dies = order.front() == 2 && order[1] == 1 && order[2] == 0 &&
                                    order[3] == 0 && order[4] == 0 && order.back() == 1;
                        if (dies) raise(SIGILL);
                        return FakeEnd{};
                      }};
  SearchSetup setup = setup_with(true), two = setup_with(true, 2), without = setup_with(false);
  for (SearchSetup* one : {&setup, &two, &without}) one->limits.keep_going = true;
  Searched found = search(program, setup);
  EXPECT_EQ(found.counts.executions, kThreeSchedules);
  EXPECT_EQ(found.counts.failing,
            60u);  // one 0, two 1 and three 2 between what is said of the ends: 6! / (2! 3!)
  expect_alike(found, search(program, two));
  expect_same(found, search(program, without));
}

TEST(Subtrees, BudgetsAreExact) {
  FakeProgram program{.steps = kThree};
  for (uint64_t budget : {uint64_t{2048}, uint64_t{2049}, uint64_t{2100}, uint64_t{30'001}}) {
    SearchSetup setup = setup_with(true), two = setup_with(true, 2);
    setup.limits.executions = two.limits.executions = budget;
    Searched found = search(program, setup);
    EXPECT_EQ(found.counts.executions, budget);
    EXPECT_EQ(found.end, explore::SearchEnd::budget);
    expect_same(found, search(program, two));
  }
  SearchSetup all = setup_with(true);
  all.limits.executions = kThreeSchedules;
  EXPECT_EQ(search(program, all).end, explore::SearchEnd::complete);
}

// In pieces, each saved and loaded.
TEST(Subtrees, WhatIsSavedGoesOn) {
  FakeProgram program{.steps = kThree, .end = pruned_or_failed};
  SearchSetup setup = setup_with(true);
  setup.limits.keep_going = true;
  Searched whole = search(program, setup);
  explore::BytesInMemory saved;
  Searched pieces;
  bool is_begun = false;
  for (uint64_t budget : {1'500, 600, 3, 1, 77, 5'000, 20'000, 100'000}) {
    setup.limits.executions = budget;
    setup.settings.workers = setup.settings.workers % 3 + 1;
    auto strategy = explore::find_strategy(setup.strategy).make(setup.options);
    pool::Pool pool(launch_of(program), setup.settings, *strategy);
    explore::Search one(*strategy, pool, setup.limits, pieces);
    uint64_t before = 0;
    if (is_begun) {
      one.load(saved);
      strategy->load(saved);
      ASSERT_TRUE(one.knows_plans());
      ASSERT_TRUE(saved.all_read());
      before = one.counts().executions;
    }
    pieces.end = one.run();
    pieces.counts = one.counts();
    pieces.distinct = one.distinct().count();
    pieces.tree = strategy->statistics();
    if (pieces.end == explore::SearchEnd::complete) break;
    EXPECT_EQ(pieces.counts.executions, before + budget);
    is_begun = true;
    one.save(saved);
    strategy->save(saved);
  }
  expect_alike(whole, pieces);
}

// Of what a worker tells nothing is believed that cannot be.
TEST(Subtrees, ReportsAreChecked) {
  wire::SubtreeReport report{};
  report.end = wire::SubtreeEnd::budget;
  report.executions = report.counted = report.finished = report.fingerprints = 1;
  report.decisions = 1;
  report.entries = 2;
  std::vector<uint64_t> words = {42};
  std::vector<wire::Decision> decisions = {{3, 1}};
  std::vector<wire::SubtreeEntry> entries = {{0, 3, 0, 2, 2}, {1, 5, 0, 1, 2}};
  auto is_sound = [&] {
    std::vector<char> bytes(sizeof report + 8 + 8 + 32);
    char* out = bytes.data();
    auto put = [&](const void* from, size_t size) {
      std::memcpy(out, from, size);
      out += size;
    };
    put(&report, sizeof report);
    put(words.data(), 8);
    put(decisions.data(), 8);
    put(entries.data(), 32);
    causality::Subtree subtree;
    return subtree.read(bytes) && causality::is_sensible(subtree);
  };
  EXPECT_TRUE(is_sound());
  auto refused = [&](auto* field, auto value) {
    auto good = *field;
    *field = value;
    EXPECT_FALSE(is_sound());
    *field = good;
  };
  refused(&report.executions, 1u << 20);
  refused(&report.counted, 2u);
  refused(&report.finished, 0u);
  refused(&report.fingerprints, 0u);
  refused(&report.entries, 1u);
  refused(&report.entries, 0xffffffffu);
  refused(&report.end, wire::SubtreeEnd::complete);
  refused(&report.end, wire::SubtreeEnd::lost);
  refused(&decisions[0].choice, 0u);
  refused(&entries[0].choice, uint16_t{0});
  refused(&entries[0].last, uint16_t{1});
  refused(&entries[1].depth, 2u);
  refused(&entries[1].step, 3u);
  refused(&entries[0].depth, 1u);
  EXPECT_TRUE(is_sound());
}

// Whoever writes over what is remembered is noticed: there is no report then.
TEST(SubtreeSearch, NoticesWildWrites) {
  wire::Job job{};
  job.executions = 10;
  job.bound = wire::kNoBound;
  job.depth = wire::kNoStep;
  wire::SubtreeOrder order{1, 0, wire::kNoBound, 1000};
  wire::SubtreeEntry entry{0, 1, 0, 1, 2};
  wire::Decision words[4];
  std::memcpy(words, &order, sizeof order);
  std::memcpy(words + 2, &entry, sizeof entry);
  job.decision_count = job.hint_count = 4;
  for (bool is_hit : {false, true}) {
    causality::SubtreeSearch search;
    search.begin(job, words);
    wire::Job next;
    ASSERT_TRUE(search.next(&next));
    if (is_hit) const_cast<wire::Decision*>(search.decisions())->step ^= 1;
    EXPECT_EQ(search.end().empty(), is_hit);
    EXPECT_EQ(search.is_sound(), !is_hit);
  }
}

}  // namespace
}  // namespace heddle::testing
