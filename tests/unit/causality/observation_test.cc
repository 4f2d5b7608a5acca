#include "causality/observation.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "causality/received.h"
#include "causality/steps.h"

namespace heddle::causality {
namespace {

constexpr auto kStore = wire::Op::atomic_store;

// Two threads store to one place, and a third to another: before them.
struct Looked {
  std::vector<wire::Step> steps{step(1, kStore, 2), step(0, kStore, 1), step(2, kStore, 1)};
  std::vector<uint16_t> option_threads;
  wire::Directive directive = wire::plain_directive();
  Execution execution;
  Observation observation;
  Array<char> digest;

  Looked(uint32_t flags, wire::Ending ending) {
    directive.flags = flags;
    execution.result.step_count = static_cast<uint32_t>(steps.size());
    execution.result.thread_count = 3;
    execution.result.sequence = 77;
    execution.result.ending = ending;
  }
  void look(const std::vector<wire::Decision>& decisions = {}) {
    execution.steps = steps;
    execution.option_threads = option_threads;
    observation.look_at(directive, execution, decisions);
    EXPECT_TRUE(observation.write(&digest));
  }
  // As the engine has it that got the digest.
  Execution sent() const {
    Execution received;
    received.result = execution.result;
    received.result.first_step = received.result.step_count;
    received.digest = {digest.begin(), digest.size()};
    return received;
  }
  std::vector<char> bytes() const { return {digest.begin(), digest.end()}; }
  bool is_believed(const std::vector<char>& bytes) const {
    return is_sensible(bytes, execution.result);
  }
};

// Nothing is cut off.
struct Taught : Looked {
  explicit Taught(const std::vector<wire::Decision>& decisions = {})
      : Looked(wire::kObserveReversals, wire::Ending::redundant) {
    look(decisions);
  }
};

void expect_one_reversal(Observation& observation) {
  ASSERT_TRUE(observation.has_reversals());
  EXPECT_EQ(observation.last().step, 2u);
  EXPECT_EQ(observation.last().thread, 2);
  EXPECT_EQ(observation.last_op(), kStore);
  EXPECT_EQ(observation.open_steps().size(), 0u);
  ASSERT_EQ(observation.reversal_count(), 1u);
  EXPECT_EQ(observation.reversal_step(0), 1u);
  for (uint32_t thread = 0; thread < 3; ++thread) {
    EXPECT_EQ(observation.is_initial(0, thread), thread == 2);
    EXPECT_EQ(observation.is_weak_initial(0, thread), thread == 2);
  }
  wire::Reversal reversal = observation.reversal(0);
  EXPECT_EQ(reversal.fork.step, 1u);
  EXPECT_EQ(reversal.fork.thread, 0);
  EXPECT_EQ(reversal.thread, 2);
  EXPECT_EQ(observation.wakeup(reversal).size(), 0u);
}

TEST(Observation, OneRaceIsToBeReversed) {
  Taught taught;
  expect_one_reversal(taught.observation);
}

TEST(Observation, WhoGetsTheDigestSeesTheSame) {
  Taught taught;
  Execution sent = taught.sent();
  ASSERT_TRUE(is_sensible(sent.digest, sent.result));
  Observation read;
  read.read(sent);
  expect_one_reversal(read);
}

TEST(Observation, WhatASleeperCoversIsLeftOut) {
  Taught taught({wire::Decision::sleep(0, 2)});  // and still sleeps before step 1
  EXPECT_TRUE(taught.observation.has_reversals());
  EXPECT_EQ(taught.observation.reversal_count(), 0u);
}

TEST(Observation, WithoutAllStepsThereAreNoReversals) {
  Taught taught;
  taught.execution.result.first_step = 1;
  taught.execution.steps = taught.execution.steps.subspan(1);
  taught.observation.look_at(taught.directive, taught.execution, {});
  EXPECT_FALSE(taught.observation.has_reversals());
  EXPECT_EQ(taught.observation.reversal_count(), 0u);
}

// The wakeup sequence of each reversal is its own, also where there are several: two pairs of
// threads, each with a race of its own, whose second needs a step before it.
TEST(Observation, WakeupSequencesComeWithTheirReversals) {
  Looked looked(wire::kObserveReversals, wire::Ending::redundant);
  looked.steps = {step(0, kStore, 1), step(2, kStore, 5), step(1, kStore, 5), step(1, kStore, 1),
                  step(3, kStore, 9)};
  looked.execution.result.step_count = 5;
  looked.execution.result.thread_count = 4;
  looked.look();
  Observation read;
  Execution sent = looked.sent();
  ASSERT_TRUE(is_sensible(sent.digest, sent.result));
  read.read(sent);
  ASSERT_EQ(read.reversal_count(), looked.observation.reversal_count());
  ASSERT_EQ(read.reversal_count(), 2u);
  for (uint32_t i = 0; i < 2; ++i) {
    wire::Reversal mine = looked.observation.reversal(i);
    wire::Reversal theirs = read.reversal(i);
    EXPECT_EQ(mine.fork.step, theirs.fork.step);
    EXPECT_EQ(mine.thread, theirs.thread);
    std::span<const wire::WakeupStep> a = looked.observation.wakeup(mine);
    std::span<const wire::WakeupStep> b = read.wakeup(theirs);
    ASSERT_EQ(a.size(), b.size());
    for (size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a[k].step, b[k].step);
      EXPECT_EQ(a[k].thread, b[k].thread);
    }
  }
}

// The script may have looked at where it was: nothing is reversed there, and nothing left out.
TEST(Observation, WhereAScriptDecidesAllWhoCouldHaveGoneAreAlternatives) {
  Looked looked(wire::kObserveReversals, wire::Ending::redundant);
  looked.steps[1].flags = wire::kScripted;
  looked.option_threads = {1, 0, 0, 2, 2, 1};
  looked.look();
  Observation read;
  Execution sent = looked.sent();
  read.read(sent);
  for (const Observation* observation : {&looked.observation, &read}) {
    EXPECT_EQ(observation->reversal_count(), 0);
    ASSERT_EQ(observation->alternatives().size(), 1);
    EXPECT_EQ(observation->alternatives()[0].fork.step, 1);
    EXPECT_EQ(observation->alternatives()[0].thread, 2);
  }
  std::vector<char> bytes = looked.bytes();
  EXPECT_TRUE(looked.is_believed(bytes));
  bytes[bytes.size() - sizeof(wire::Alternative) + offsetof(wire::Alternative, thread)] = 7;
  EXPECT_FALSE(looked.is_believed(bytes));
}

TEST(Observation, WhatWasWrittenOverIsNotBelieved) {
  Taught taught;
  std::vector<char> bytes = taught.bytes();
  EXPECT_TRUE(taught.is_believed(bytes));
  EXPECT_FALSE(is_sensible({bytes.data(), bytes.size() - 8}, taught.execution.result));
  EXPECT_FALSE(taught.is_believed({}));
  auto* head = reinterpret_cast<wire::Digest*>(bytes.data());
  auto* reversal = reinterpret_cast<wire::Reversal*>(head + 1);
  reversal->fork.step = taught.execution.result.step_count;
  EXPECT_FALSE(taught.is_believed(bytes));
  reversal->fork.step = 0;
  reversal->thread = 3;
  EXPECT_FALSE(taught.is_believed(bytes));
  reversal->thread = 2;
  ++reversal->wakeup_count;
  EXPECT_FALSE(taught.is_believed(bytes));
  --reversal->wakeup_count;
  reversal->initials |= 0b1000;
  EXPECT_FALSE(taught.is_believed(bytes));
  reversal->initials = 0b100;
  ++head->sequence;  // of another execution
  EXPECT_FALSE(taught.is_believed(bytes));
  --head->sequence;
  head->last.thread = 3;
  EXPECT_FALSE(taught.is_believed(bytes));
  head->last.thread = 2;
  EXPECT_TRUE(taught.is_believed(bytes));
  head->counts[static_cast<uint32_t>(wire::Section::reversals)] = 0x7fffffff;
  EXPECT_FALSE(taught.is_believed(bytes));
}

// The same three steps. At the second, thread 2 could have gone, and would have reversed the race;
// it was the second option there, and no preemption. At the last it was all that was left.
struct Shown : Looked {
  explicit Shown(uint32_t bound = 1, uint32_t from = 0)
      : Looked(wire::kObserveBranches | wire::kWeigh, wire::Ending::finished) {
    steps[1].options = 3;
    steps[1].free_options = 2;
    steps[2].options = 1;
    option_threads = {1, 2, 0, 2, 1, 2};
    directive.bound = bound;
    directive.first_step = from;
    look();
  }
};

void expect_ways(const Observation& observation) {
  EXPECT_FALSE(observation.held_back());
  EXPECT_EQ(observation.end(), 3u);
  ASSERT_EQ(observation.branches().size(), 2u);
  EXPECT_EQ(observation.branches()[0].step, 0u);
  EXPECT_EQ(observation.branches()[0].options, 2);
  EXPECT_EQ(observation.branches()[1].step, 1u);
  EXPECT_EQ(observation.branches()[1].options, 3);
  EXPECT_EQ(observation.branches()[1].first_option, 2u);
  std::span<const wire::Way> ways = observation.ways();
  ASSERT_EQ(ways.size(), 3u);
  EXPECT_EQ(ways[0], static_cast<wire::Way>(Worth::none));  // nobody else uses it
  EXPECT_EQ(ways[1], static_cast<wire::Way>(Worth::reverses));
  EXPECT_EQ(ways[2], static_cast<wire::Way>(Worth::none));
}

TEST(Observation, WaysHaveTheirWorth) {
  Shown shown;
  expect_ways(shown.observation);
  Execution sent = shown.sent();
  ASSERT_TRUE(is_sensible(sent.digest, sent.result));
  Observation read;
  read.read(sent);
  expect_ways(read);
  EXPECT_FALSE(read.has_reversals());
}

TEST(Observation, BranchesAreWithinTheBoundsAndFromTheStepOn) {
  Shown shown(0, 1);
  EXPECT_TRUE(shown.observation.held_back());
  ASSERT_EQ(shown.observation.branches().size(), 1u);
  EXPECT_EQ(shown.observation.branches()[0].step, 1u);
  EXPECT_EQ(shown.observation.branches()[0].options, 2);  // the third is a preemption
  EXPECT_EQ(shown.observation.ways().size(), 1u);
  shown.directive.depth = 1;
  shown.look();
  EXPECT_EQ(shown.observation.end(), 1u);
  EXPECT_EQ(shown.observation.branches().size(), 0u);
}

TEST(Observation, BranchesThatWereWrittenOverAreNotBelieved) {
  Shown shown;
  std::vector<char> bytes = shown.bytes();
  EXPECT_TRUE(shown.is_believed(bytes));
  EXPECT_FALSE(is_sensible({bytes.data(), bytes.size() - 8}, shown.execution.result));
  auto* head = reinterpret_cast<wire::Digest*>(bytes.data());
  auto* branch = reinterpret_cast<wire::Branch*>(head + 1);
  branch->step = shown.execution.result.step_count;
  EXPECT_FALSE(shown.is_believed(bytes));
  branch->step = 0;
  branch->options = 4;
  EXPECT_FALSE(shown.is_believed(bytes));
  branch->options = 2;
  EXPECT_TRUE(shown.is_believed(bytes));
  head->counts[static_cast<uint32_t>(wire::Section::branches)] = 0x7fffffff;
  EXPECT_FALSE(shown.is_believed(bytes));
}

TEST(Received, StepsThatWereWrittenOverAreNotBelieved) {
  Taught taught;
  Execution& execution = taught.execution;
  std::vector<wire::Step>& steps = taught.steps;
  EXPECT_TRUE(is_sensible(execution));
  steps[1].thread = 3;
  EXPECT_FALSE(is_sensible(execution));
  steps[1].thread = 0;
  steps[1].after = 1;  // itself
  EXPECT_FALSE(is_sensible(execution));
  steps[1].after = 0;
  EXPECT_TRUE(is_sensible(execution));
  steps[2].choice = 2;
  EXPECT_FALSE(is_sensible(execution));
  steps[2].choice = 1;
  steps[2].op = static_cast<wire::Op>(255);
  EXPECT_FALSE(is_sensible(execution));
  steps[2].op = kStore;
  std::vector<uint16_t> options = {0, 3};
  execution.option_threads = options;
  EXPECT_FALSE(is_sensible(execution));
}

}  // namespace
}  // namespace heddle::causality
