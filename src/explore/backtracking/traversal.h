// One traversal of the state space, depth first, with randomized backtracking (Parizek, Lhotak:
// Randomized Backtracking in State Space Traversal, 2011, figure 2). Since executions cannot go
// back, it is made of descents: each follows the stack, takes one more transition, and goes on
// along first transitions to its end (runtime/decide/descend.h).
//
//   figure 2                                         here
//   explore(s), down to the first return             an execution; learn() follows it
//   s' in visited                                    count(); what the execution does after is void
//   depth >= threshold, rnd(0, 1) > ratio(depth)     of first transitions: in the worker; of
//   others:
//                                                    find_next()
//   return, backtrackAgain                           find_next(), `again_`
//
// The figure lets a jump end in any state; but section 3 says that one above the threshold is not
// left before all of its transitions are explored, and table 5 shows it (with a large threshold the
// states are those of the default order). So a jump ends there.
//
// The figure's depth is the size of the stack, which has the initial state. Where section 3 leaves
// open from which numbers a random jump is drawn, it is from 1 to the depth.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/ratio.h"
#include "causality/observation.h"
#include "explore/state_matcher.h"
#include "explore/strategies.h"

namespace heddle::explore {

class Traversal {
 public:
  Traversal(const StrategyOptions& options, uint32_t threshold, uint64_t seed);

  bool is_finished() const { return is_finished_; }
  bool has_pruned() const { return has_pruned_; }  // something was left out by chance
  bool held_back() const { return held_back_; }    // … or by the bound
  uint64_t states() const { return states_; }
  uint64_t matched() const { return matches_ ? matcher_.matched() : 0; }
  size_t depth() const { return stack_.size(); }

  // The next descent. Not when it is finished, nor twice without learn() between.
  pool::Plan next();
  void write_decisions(wire::Decision* out) const;
  void learn(const causality::Observation& observation);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  bool knows(const pool::Plan& plan) const;

 private:
  // A state with its outgoing transitions, which are choices.
  struct Frame {
    uint32_t step;
    uint32_t check;
    uint32_t taken;                // the last one that was explored
    std::vector<uint16_t> others;  // the ones to come, the next last
  };

  bool count(bool is_new);  // false: it was seen before, and that matters
  void push(const wire::Branch& branch, std::span<const uint16_t> threads, uint32_t running);
  void descend(const causality::Observation& observation);
  void begin_jump(size_t depth);
  void find_next();

  const DescentOptions options_;
  const uint32_t bound_;
  const uint32_t depth_;
  const bool matches_;
  const uint64_t threshold_;
  Random random_;
  std::vector<Frame> stack_;
  StateMatcher matcher_;  // `visited`
  uint64_t states_ = 0;
  uint64_t jumps_ = 0;
  uint64_t again_ = 0;  // transitions that the jump has still to go back
  bool is_finished_ = false;
  bool has_pruned_ = false;
  bool held_back_ = false;
};

}  // namespace heddle::explore
