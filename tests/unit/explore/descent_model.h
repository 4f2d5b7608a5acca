// A program in memory, for tests of randomized backtracking: a graph of states, and a worker that
// runs descents over it as runtime/decide/descend.h says. And the algorithm of the paper's figure
// 2, word by word, to compare with: it shares nothing with the strategy but the sequence of Luby.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "base/ratio.h"
#include "causality/observation.h"
#include "explore/backtracking/luby.h"
#include "explore/strategies.h"

namespace heddle::explore {

// State 0 is the first; transition i of a state is a step of thread i, and leads to next[state][i].
// A state without transitions is an end, one with a single transition no choice.
struct Graph {
  std::vector<std::vector<uint32_t>> next;
};

inline constexpr uint64_t kKeyOfState = 0x1000;  // … and its number is the key in its note

// One execution, with all that an observation of it needs.
struct Descent {
  std::vector<wire::Step> steps;
  std::vector<uint16_t> option_threads;
  std::vector<uint64_t> notes;
  std::vector<uint32_t>
      states;  // in which there was a choice, or that were an end, after the prefix
  causality::Execution execution;
  causality::Observation observation;
};

// Threads in the order of options: the running one first, then the others.
inline std::vector<uint16_t> options_of(const Graph& graph, uint32_t state, uint32_t running) {
  auto count = static_cast<uint16_t>(graph.next[state].size());
  std::vector<uint16_t> options;
  if (running < count) options.push_back(static_cast<uint16_t>(running));
  for (uint16_t thread = 0; thread < count; ++thread) {
    if (thread != running) options.push_back(thread);
  }
  return options;
}

class DescentWorker {
 public:
  explicit DescentWorker(const Graph& graph) : graph_(graph) {}

  void run(const pool::Plan& plan, const std::vector<wire::Decision>& all, Descent* descent) {
    std::vector<uint64_t> hints;
    for (size_t i = all.size() - plan.hint_count; i < all.size(); ++i) {
      hints.push_back(std::bit_cast<uint64_t>(all[i]));
    }
    auto decision = all.begin();
    const auto decisions_end = all.end() - plan.hint_count;
    Random random(plan.seed);
    uint64_t depth = hints[4];
    uint32_t state = 0;
    uint32_t running = 0;
    uint64_t sequence = 1;
    bool is_stopped = false;
    wire::Result& result = descent->execution.result;
    for (; !graph_.next[state].empty(); ++result.step_count) {
      uint32_t number = result.step_count;
      std::vector<uint16_t> options = options_of(graph_, state, running);
      if (number == plan.check_step) {
        EXPECT_EQ(static_cast<uint32_t>(sequence), plan.check);
      }
      if (options.size() > 1 && number >= plan.first_step) {
        descent->notes.insert(descent->notes.end(), {number, kKeyOfState + state, running});
        descent->states.push_back(state);
      }
      uint32_t choice = 0;
      if (decision != decisions_end && decision->step == number) {
        choice = decision++->choice;
      } else if (options.size() > 1) {
        EXPECT_TRUE(decision == decisions_end) << "a choice that the schedule leaves open";
        ++depth;
        is_stopped = depth >= hints[1] && !goes_on({hints[2], hints[3]}, depth, random.next());
        if (is_stopped) break;
        choice = first(static_cast<wire::DescentOrder>(hints[0]), options, running, &random);
      }
      wire::Step step{};
      step.thread = options[choice];
      step.choice = static_cast<uint16_t>(choice);
      step.options = step.free_options = static_cast<uint16_t>(options.size());
      step.outcomes = 1;
      step.after = wire::kNoStep;
      step.check = static_cast<uint32_t>(sequence);
      descent->steps.push_back(step);
      descent->option_threads.insert(descent->option_threads.end(), options.begin(), options.end());
      sequence = mix(sequence, step.thread + 1u);
      running = options[choice];
      state = graph_.next[state][running];
    }
    EXPECT_TRUE(decision == decisions_end);
    if (!is_stopped) descent->states.push_back(state);
    result.ending = is_stopped ? wire::Ending::redundant : wire::Ending::finished;
    result.fingerprint = kKeyOfState + state;
    result.sequence = sequence;
    descent->execution.steps = descent->steps;
    descent->execution.option_threads = descent->option_threads;
    descent->execution.notes = descent->notes;
    descent->observation.look_at(plan, descent->execution, {});
  }

 private:
  static uint32_t first(wire::DescentOrder order, const std::vector<uint16_t>& options,
                        uint32_t running, Random* random) {
    if (order == wire::DescentOrder::by_chance) {
      return static_cast<uint32_t>(random->below(options.size()));
    }
    auto rank = [&](uint16_t thread) {
      bool goes_last = order == wire::DescentOrder::other_than_last && thread == running;
      return thread + (goes_last ? 1000u : 0u);
    };
    return static_cast<uint32_t>(std::ranges::min_element(options, {}, rank) - options.begin());
  }

  const Graph& graph_;
};

// Chance that is enumerated: each run draws the numbers of the next leaf of the tree of all
// drawings, and knows how likely it was.
class Drawings {
 public:
  // Of `weights`, which add up to 1: which one.
  size_t draw(const std::vector<double>& weights) {
    if (place_ == path_.size()) path_.push_back({0, weights});
    Drawn& drawn = path_[place_++];
    while (drawn.weights[drawn.which] == 0) ++drawn.which;
    probability_ *= drawn.weights[drawn.which];
    return drawn.which;
  }
  double probability() const { return probability_; }
  // On to the next run; false: there is none.
  bool next() {
    place_ = 0;
    probability_ = 1;
    while (!path_.empty()) {
      Drawn& last = path_.back();
      do ++last.which;
      while (last.which < last.weights.size() && last.weights[last.which] == 0);
      if (last.which < last.weights.size()) return true;
      path_.pop_back();
    }
    return false;
  }

 private:
  struct Drawn {
    size_t which;
    std::vector<double> weights;
  };
  std::vector<Drawn> path_;
  size_t place_ = 0;
  double probability_ = 1;
};

struct FigureOptions {
  uint64_t threshold = 0;
  Jump jump = Jump::fixed;
  std::function<double(uint64_t)> ratio;
};

// Figure 2 for the order by threads. Which states are explored, with a bit for each, and how
// likely.
class FigureTwo {
 public:
  FigureTwo(const Graph& graph, const FigureOptions& options) : graph_(graph), options_(options) {}

  std::map<uint64_t, double> distribution() {
    std::map<uint64_t, double> all;
    do {
      visited_ = 1;
      stack_ = 1;
      jumps_ = again_ = 0;
      explore(0);
      all[visited_] += drawings_.probability();
    } while (drawings_.next());
    return all;
  }

 private:
  void explore(uint32_t state) {
    const auto& transitions = graph_.next[state];
    for (size_t i = 0; i < transitions.size(); ++i) {
      uint32_t to = transitions[i];
      if (stack_ >= options_.threshold) {
        double ratio = options_.ratio(stack_);
        if (drawings_.draw({ratio, 1 - ratio}) == 1) return begin_jump();
      }
      if ((visited_ >> to & 1) != 0) continue;
      visited_ |= uint64_t{1} << to;
      ++stack_;
      explore(to);
      --stack_;
      // Section 3: above the threshold no state is left before all of it is explored.
      bool must_stay = stack_ < options_.threshold && i + 1 < transitions.size();
      if (must_stay) again_ = 0;
      if (again_ > 0) {
        --again_;
        return;
      }
    }
    begin_jump();
  }
  void begin_jump() {
    ++jumps_;
    uint64_t length = options_.jump == Jump::luby ? luby(jumps_) : 1;
    if (options_.jump == Jump::random) {
      length = 1 + drawings_.draw(std::vector<double>(stack_, 1.0 / static_cast<double>(stack_)));
    }
    again_ = length - 1;
  }

  const Graph& graph_;
  const FigureOptions options_;
  Drawings drawings_;
  uint64_t visited_ = 0;
  uint64_t stack_ = 0;
  uint64_t jumps_ = 0;
  uint64_t again_ = 0;
};

}  // namespace heddle::explore
