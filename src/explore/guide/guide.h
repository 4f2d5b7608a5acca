// Guided search: greedily along a route, a sequence of places in the program (Rungta and Mercer, "A
// Meta Heuristic for Effectively Detecting Concurrency Errors", figures 2 to 5).
//
// A descent is an execution: who goes is decided in the worker (runtime/decide/guide.h), which
// notes how it ranked those that did not. They are the points to come back to. Where there are
// several sequences, descents take them in turn, wherever they begin. Every schedule is run once:
// while none of the points had to be given up, a search that comes to its end has run them all. The
// paper's set of visited states (figure 4, line 3) is left out: a search without states has none,
// and what it would save comes after the failure mostly.
#pragma once

#include <vector>

#include "base/random.h"
#include "explore/guide/backtrack_points.h"
#include "explore/strategies.h"

namespace heddle::explore {

class Guide final : public Strategy {
 public:
  explicit Guide(const StrategyOptions& options);

  std::optional<pool::Plan> next() override;
  void learn(const pool::Plan& plan, causality::Observation& observation) override;
  bool complete() const override { return is_over() && !has_dropped_; }
  bool held_back() const override { return held_back_; }
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;
  std::optional<Remaining> remaining() const override { return Remaining{waiting(), std::nullopt}; }
  uint64_t waiting() const override { return points_.size() + issued_ - learnt_; }
  std::optional<Guided> guided() const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  bool knows(const pool::Plan& plan) const override;

 private:
  // What an execution chose, and how to get back there.
  struct Choice {
    uint32_t step;
    uint32_t check;
    uint32_t choice;
  };
  struct Descent {
    std::vector<Choice> choices;  // at all branches, from the first step on
    wire::RouteSequence sequence = 0;
    uint32_t live = 0;  // points, and plans that are under way; 0: free
  };

  bool is_over() const { return issued_ != 0 && issued_ == learnt_ && points_.size() == 0; }
  uint32_t new_descent();
  void release(uint32_t descent);

  GuideOptions options_;
  uint32_t bound_;
  uint32_t depth_;
  Random random_;
  BacktrackPoints points_;
  std::vector<Descent> descents_;  // by number; a plan's token is the number of its own
  std::vector<uint32_t> free_;
  uint64_t issued_ = 0;
  uint64_t learnt_ = 0;
  uint64_t states_ = 0;
  uint32_t farthest_ = 0;  // places that some execution has passed
  bool held_back_ = false;
  bool has_dropped_ = false;
};

}  // namespace heddle::explore
