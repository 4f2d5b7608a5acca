// The estimate of what remains: exact for trees that are regular, and for others within its range
// nearly always. Searches are driven here without workers, over programs that are functions.
#include "explore/tree_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "base/hash.h"
#include "explore/bytes_in_memory.h"
#include "explore/strategies.h"
#include "sample_count.h"

namespace heddle::testing {
namespace {

using explore::Range;
using explore::Remaining;
using Steps = std::vector<wire::Step>;
using Program = std::function<Steps(const std::vector<wire::Decision>&)>;

wire::Step step_of(uint32_t options, uint32_t free_options) {
  wire::Step step{};
  step.options = static_cast<uint16_t>(options);
  step.free_options = static_cast<uint16_t>(free_options);
  return step;
}

// Takes the decisions one by one.
class Follower {
 public:
  explicit Follower(const std::vector<wire::Decision>& decisions) : decisions_(decisions) {}
  uint16_t choice(size_t step) {
    if (next_ == decisions_.size() || decisions_[next_].step != step) return 0;
    return static_cast<uint16_t>(decisions_[next_++].choice);
  }

 private:
  const std::vector<wire::Decision>& decisions_;
  size_t next_ = 0;
};

// So many options at each of so many steps.
Program regular(uint32_t steps, uint32_t options, uint32_t free_options) {
  return [=](const std::vector<wire::Decision>& decisions) {
    Steps all;
    Follower follower(decisions);
    for (uint32_t i = 0; i < steps; ++i) {
      all.push_back(step_of(options, free_options));
      all.back().choice = follower.choice(i);
    }
    return all;
  };
}

// Threads with so many steps each.
Program interleaved(const std::vector<int>& lengths) {
  return [=](const std::vector<wire::Decision>& decisions) {
    Steps all;
    Follower follower(decisions);
    std::vector<int> left = lengths;
    size_t running = 0;
    for (;;) {
      std::vector<size_t> options;
      if (left[running] > 0) options.push_back(running);
      for (size_t t = 0; t < left.size(); ++t) {
        if (t != running && left[t] > 0) options.push_back(t);
      }
      if (options.empty()) return all;
      auto count = static_cast<uint32_t>(options.size());
      all.push_back(step_of(count, left[running] > 0 ? 1 : count));
      all.back().choice = follower.choice(all.size() - 1);
      running = options[all.back().choice];
      --left[running];
    }
  };
}

// By chance: at each state 1 to 3 options, all of them free or one, and perhaps the end. With
// `skewed`, the subtrees of the later options are longer.
Program by_chance(uint64_t seed, bool skewed) {
  return [=](const std::vector<wire::Decision>& decisions) {
    Steps all;
    Follower follower(decisions);
    uint64_t state = mix(seed, 0);
    uint32_t left = 12;
    while (left-- > 0) {
      state = mix(state, 1);
      if (all.size() > 6 && state % 8 == 0) break;
      uint32_t options = 1 + static_cast<uint32_t>(state >> 8) % 3;
      all.push_back(step_of(options, (state >> 16) % 3 == 0 ? options : 1));
      all.back().choice = follower.choice(all.size() - 1);
      state = mix(state, 2 + all.back().choice);
      if (skewed && all.back().choice > 0) left += all.back().choice;
      left = std::min(left, 24 - std::min<uint32_t>(24, static_cast<uint32_t>(all.size())));
    }
    return all;
  };
}

class Drive {
 public:
  Drive(Program program, const explore::StrategyOptions& options)
      : program_(std::move(program)), strategy_(explore::find_strategy("dfs").make(options)) {}

  // False: there is nothing left.
  bool run_one() {
    std::optional<pool::Plan> plan = strategy_->next();
    if (!plan) return false;
    std::vector<wire::Decision> decisions(plan->decision_count);
    strategy_->write_decisions(*plan, decisions.data());
    Steps steps = program_(decisions);
    trace::Execution execution;
    execution.result.ending = wire::Ending::finished;
    execution.result.first_step = plan->first_step;
    execution.result.step_count = static_cast<uint32_t>(steps.size());
    for (const wire::Step& step : steps) {
      if (step.choice >= step.free_options) ++execution.result.preemptions;
    }
    execution.steps = std::span(steps).subspan(std::min<size_t>(plan->first_step, steps.size()));
    observation_.look_at(*plan, execution, decisions);
    strategy_->learn(*plan, observation_);
    ++executions_;
    return true;
  }
  void run(uint64_t executions) {
    while (executions_ < executions && run_one()) {
    }
  }

  uint64_t executions() const { return executions_; }
  explore::Strategy& strategy() { return *strategy_; }
  Remaining remaining() const { return *strategy_->remaining(); }

 private:
  Program program_;
  std::unique_ptr<explore::Strategy> strategy_;
  causality::Observation observation_;
  uint64_t executions_ = 0;
};

explore::StrategyOptions options_of(std::optional<uint32_t> bound,
                                    const std::vector<std::string>& order = {}) {
  explore::StrategyOptions options;
  options.preemptions = bound;
  options.order = order;
  return options;
}

uint64_t total_of(const Program& program, std::optional<uint32_t> bound, uint64_t most) {
  Drive drive(program, options_of(bound));
  drive.run(most);
  return drive.executions();
}

TEST(TreeEstimate, RegularTreesAreKnownFromTheFirst) {
  Drive drive(regular(10, 3, 3), options_of(std::nullopt));  // 3^10 = 59,049
  for (uint64_t executions : {16u, 100u, 1000u, 59'000u}) {
    drive.run(executions);
    Range range = *drive.remaining().range;
    EXPECT_NEAR(range.estimate, 59'049.0 - double(executions), 0.01);
    EXPECT_LE(range.low, range.estimate);
    EXPECT_LE(range.estimate, range.high);
    EXPECT_LT(range.high, 4 * range.estimate);
  }
}

TEST(TreeEstimate, BoundsAreLevels) {
  // 30 steps with one preemption each: 1 + 30 + 30 * 29 / 2 = 466 with at most two of them.
  for (const std::vector<std::string>& order : {std::vector<std::string>{}, {"pb"}, {"rand"}}) {
    Drive drive(regular(30, 2, 1), options_of(2, order));
    for (uint64_t executions : {16u, 40u, 100u, 465u}) {
      drive.run(executions);
      EXPECT_NEAR(drive.remaining().range->estimate, 466.0 - double(executions), 0.01);
    }
    EXPECT_TRUE(drive.run_one());
    EXPECT_FALSE(drive.run_one());
  }
}

TEST(TreeEstimate, DelaysAreLevels) {
  // Choice c costs c delays. 20 steps of three options and at most two delays: none, one at one of
  // 20 steps, two at one of 20 steps, or one at each of two: 1 + 20 + 20 + 190 = 231.
  explore::StrategyOptions options;
  options.delays = 2;
  Drive drive(regular(20, 3, 3), options);
  for (uint64_t executions : {16u, 50u, 200u}) {
    drive.run(executions);
    EXPECT_NEAR(drive.remaining().range->estimate, 231.0 - double(executions), 0.01);
  }
}

TEST(TreeEstimate, AStageIsWithinItsBound) {
  explore::StrategyOptions options = options_of(2);
  options.bound_by_bound = true;
  Drive drive(regular(30, 2, 1), options);
  drive.run(20);  // 1 without preemptions, 19 of 30 with one
  EXPECT_NEAR(drive.strategy().remaining_in_stage()->estimate, 31 - 20, 0.01);
  EXPECT_NEAR(drive.remaining().range->estimate, 466 - 20, 0.01);
  drive.run(200);
  EXPECT_NEAR(drive.strategy().remaining_in_stage()->estimate, 466 - 200, 0.01);
}

TEST(TreeEstimate, NothingIsLeftInTheEnd) {
  Drive drive(interleaved({3, 3, 2}), options_of(std::nullopt));
  drive.run(560);
  EXPECT_EQ(drive.remaining().waiting, 0u);
  EXPECT_EQ(drive.remaining().range->high, 0);
}

TEST(TreeEstimate, WhatWaitsIsTheLeast) {
  Drive drive(interleaved({5, 5, 5}), options_of(2, {"pb"}));
  while (drive.run_one()) {
    Remaining remaining = drive.remaining();
    if (!remaining.range) continue;
    EXPECT_GE(remaining.range->low, double(remaining.waiting));
    EXPECT_GE(remaining.range->estimate, remaining.range->low);
    EXPECT_GE(remaining.range->high, remaining.range->estimate);
  }
}

TEST(TreeEstimate, UnknownWhereLittleIsKnown) {
  Drive begun(regular(10, 3, 3), options_of(std::nullopt));
  begun.run(1);
  EXPECT_EQ(begun.remaining().waiting, 2u * 10);  // two more options at each step
  begun.run(15);
  EXPECT_FALSE(begun.remaining().range);
  Drive longer(regular(300'000, 1, 1), options_of(2));
  longer.run(1);
  EXPECT_FALSE(longer.remaining().range);
}

// How often the range holds the truth, and how far the estimate is off.
struct Score {
  int asked = 0;
  int held = 0;
  double off = 0;    // sum of logarithms
  double width = 0;  // of logarithms of high / low

  void look_at(const Program& program, std::optional<uint32_t> bound,
               const std::vector<std::string>& order, uint64_t total) {
    Drive drive(program, options_of(bound, order));
    for (double part : {0.03, 0.1, 0.3, 0.6, 0.9}) {
      drive.run(static_cast<uint64_t>(double(total) * part));
      std::optional<Range> range = drive.remaining().range;
      auto truth = double(total - drive.executions());
      if (!range || truth == 0) continue;
      ++asked;
      held += range->low <= truth && truth <= range->high ? 1 : 0;
      off += std::abs(std::log(range->estimate / truth));
      width += std::log(range->high / range->low);
    }
  }
  // Factors, of the geometric mean.
  void expect(double most_off, double most_width) const {
    EXPECT_GT(asked, 500);
    EXPECT_GE(held, asked * 0.94);
    EXPECT_LE(std::exp(off / asked), most_off);
    EXPECT_LE(std::exp(width / asked), most_width);
  }
};

const std::vector<std::vector<std::string>> kOrders = {{}, {"pb"}, {"rand"}};

TEST(TreeEstimate, InterleavingsAreWithinTheRange) {
  Score score;
  std::mt19937 random(3);
  const auto most = static_cast<uint64_t>(sample_count(2'500, 10'000));
  for (int programs = 0; programs < 40;) {
    std::vector<int> lengths(2 + random() % 3);
    for (int& length : lengths) length = 1 + static_cast<int>(random() % 8);
    std::optional<uint32_t> bound = random() % 4;
    if (*bound == 0) bound = std::nullopt;
    uint64_t total = total_of(interleaved(lengths), bound, most + 1);
    if (total < 500 || total > most) continue;
    ++programs;
    for (const auto& order : kOrders) score.look_at(interleaved(lengths), bound, order, total);
  }
  score.expect(1.4, 6);
}

TEST(TreeEstimate, RandomTreesAreWithinTheRange) {
  const auto most = static_cast<uint64_t>(sample_count(5'000, 10'000));
  for (bool skewed : {false, true}) {
    Score score;
    uint64_t seed = 0;
    for (int programs = 0; programs < 40; ++seed) {
      std::optional<uint32_t> bound = seed % 4;
      if (*bound == 0) bound = std::nullopt;
      uint64_t total = total_of(by_chance(seed, skewed), bound, most + 1);
      if (total < 500 || total > most) continue;
      ++programs;
      for (const auto& order : kOrders) score.look_at(by_chance(seed, skewed), bound, order, total);
    }
    score.expect(skewed ? 1.7 : 1.5, skewed ? 30 : 10);
  }
}

TEST(TreeEstimate, IsSavedWithTheSearch) {
  Drive whole(interleaved({6, 5, 4}), options_of(2, {"pb"}));
  Drive first(interleaved({6, 5, 4}), options_of(2, {"pb"}));
  Drive second(interleaved({6, 5, 4}), options_of(2, {"pb"}));
  whole.run(500);
  first.run(200);
  explore::BytesInMemory bytes;
  first.strategy().save(bytes);
  second.strategy().load(bytes);
  EXPECT_TRUE(bytes.all_read());
  EXPECT_EQ(second.remaining().range->estimate, first.remaining().range->estimate);
  second.run(300);
  EXPECT_EQ(second.remaining().waiting, whole.remaining().waiting);
  EXPECT_EQ(second.remaining().range->low, whole.remaining().range->low);
  EXPECT_EQ(second.remaining().range->estimate, whole.remaining().range->estimate);
  EXPECT_EQ(second.remaining().range->high, whole.remaining().range->high);
}

}  // namespace
}  // namespace heddle::testing
