// How many schedules a search that enumerates them has still to run, and how sure that is.
//
// Schedules fall into classes: by the step of their last decision, and by their level: how much of
// the bound they have used up, in preemptions or delays; without a bound all are of one level. An
// execution passes the steps after its own decision, and at each it may add schedules, of its own
// level or of a higher one. So for each step and level it is known how many executions have passed,
// how many schedules they added, and how many of these have been run. Of T(step, level), the number
// of schedules that agree with an execution of that level before that step, follows
//
//   T(s, l) = T(s + 1, l) * (1 + same(s, l)) + sum over r > 0 of raised(s, l, r) * T(s + 1, l + r)
//
// where same and raised are what was added, for each execution that passed, and T = 1 after the
// last step. What remains is the sum of T(step + 1, level) over the schedules that wait. This is
// Knuth's method (Estimating the efficiency of backtrack programs, 1975) in classes, as Chen has
// them (Heuristic sampling, 1992), with the executions of the search in the place of random ones.
//
// The averages hide how choices depend on each other. If each of ten executions has one step with a
// choice of two, each elsewhere, T should be 2 and not 1.1 to the tenth. That comes out if 1 + same
// is not averaged but its logarithm is; then T is too small where choices do not exclude each
// other. Nor do all executions have the same length: if some end after a step, T is 1 for these;
// but which will end there, those that are still to be run may not share. So T is computed twice,
// too low and too high, and the estimate is the middle between the two, as factors go.
//
// The range goes a part of the way from the middle to the two, and is widened by a factor: for what
// the search has not come to yet, and for what its estimates turned out to be wrong by of late. How
// much was found by experiment, so that the truth is within the range some 19 times in 20
// (tests/unit/explore/tree_estimate_test.cc). It never begins below what waits: all of that will be
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/bytes.h"
#include "explore/strategy.h"

namespace heddle::explore {

class TreeEstimate {
 public:
  // Levels go from 0 to `bound`; without one, or with one above kMaxBound, there is only 0. A
  // decision raises the level by at most `most_rise`. Depth-first search knows little of what it
  // will come to last, and is often too high.
  TreeEstimate(std::optional<uint32_t> bound, uint32_t most_rise, bool depth_first);

  // An execution whose last decision is at step `own` (kNoStep: it has none), and which may add
  // schedules at steps from `begin` to before `end`: told by added(), after this call.
  void executed(uint32_t own, uint32_t level, uint32_t begin, uint32_t end) {
    if (end >= steps_) grow(end);
    if (too_long_) return;
    ++executions_;
    if (own < steps_) ++cell(own, level).run;
    if (begin >= end) return;
    ++cell(begin, level).begun;
    ++cell(end, level).ended;
  }

  // The execution adds so many schedules at this step: all that raise the level so far.
  void added(uint32_t step, uint32_t level, uint32_t rise, uint32_t count) {
    if (too_long_) return;
    rise = levels_ == 1 ? 0 : rise < most_rise_ ? rise : most_rise_;
    if (rise > 0) {
      raised(step, level, rise) += count;
    } else {
      cell(step, level).same += count;
      cell(step, level).log_same += log_of(1 + count);
    }
  }

  // When all of an execution has been told.
  void finish() {
    if (executions_ >= next_check_) check();
  }

  // Of all schedules, or of those of at most this level. None: too little is known.
  std::optional<Range> remaining(uint32_t level) const;
  std::optional<Range> remaining() const { return remaining(levels_ - 1); }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr uint32_t kMaxBound = 31;
  static constexpr uint64_t kMaxCells = 1 << 18;  // some 15 MB
  static constexpr uint64_t kFirstCheck = 16;     // executions: what fewer show is no estimate
  static constexpr size_t kChecks = 4;            // that are remembered: two doublings
  static constexpr uint32_t kLogs = 32;

  struct Cell {
    uint64_t begun = 0;  // executions that pass from this step on
    uint64_t ended = 0;  // that passed up to the step before
    uint64_t run = 0;    // whose own decision is here
    uint64_t same = 0;   // schedules added, of the same level
    double log_same = 0;
  };
  // Over all that wait: their number, and the sums of T: too low, too high, and the middle.
  struct Sums {
    double waiting = 0;
    double low = 0;
    double high = 0;
    double middle = 0;
  };
  // What the estimate was, for each level.
  struct Check {
    uint64_t executions;
    std::vector<double> middle;
  };

  Cell& cell(uint32_t step, uint32_t level) {
    return cells_[size_t{step} * levels_ + (level < levels_ ? level : levels_ - 1)];
  }
  uint64_t& raised(uint32_t step, uint32_t level, uint32_t rise) {
    size_t index = size_t{step} * levels_ + (level < levels_ ? level : levels_ - 1);
    return raised_[index * most_rise_ + rise - 1];
  }
  double log_of(uint32_t number) const;
  void grow(uint32_t end);
  void check();
  Sums sums(uint32_t level) const;

  uint32_t levels_;
  uint32_t most_rise_;  // 0 if there is one level
  bool depth_first_;
  uint32_t steps_ = 0;  // that have cells
  std::vector<Cell> cells_;
  std::vector<uint64_t> raised_;
  std::vector<double> logs_;
  bool too_long_ = false;  // executions have too many steps to be counted: nothing is known
  uint64_t executions_ = 0;
  uint64_t next_check_ = kFirstCheck;
  std::vector<Check> checks_;
};

}  // namespace heddle::explore
