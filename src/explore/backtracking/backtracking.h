// Depth-first search with randomized backtracking: a traversal for each threshold (traversal.h),
// which take turns by the number of the execution. When all have come to their end it is over; or,
// if there is a budget, they begin anew, with other numbers.
#pragma once

#include <vector>

#include "explore/backtracking/traversal.h"

namespace heddle::explore {

class Backtracking final : public Strategy {
 public:
  explicit Backtracking(const StrategyOptions& options);

  uint32_t lag() const override { return static_cast<uint32_t>(traversals_.size()); }
  std::optional<pool::Plan> next() override;
  void learn(const pool::Plan& plan, causality::Observation& observation) override;
  // Nothing was left out: the thresholds were too large.
  bool complete() const override { return is_complete_; }
  bool held_back() const override { return held_back_; }
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;
  std::optional<Matching> matching() const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  bool knows(const pool::Plan& plan) const override;

 private:
  bool begin_again();

  const StrategyOptions options_;
  std::vector<Traversal> traversals_;
  std::vector<uint8_t> under_way_;  // 1: a plan of that traversal is
  size_t turn_ = 0;
  uint64_t rounds_ = 0;
  uint64_t states_ = 0;  // of the rounds before
  uint64_t matched_ = 0;
  bool is_complete_ = false;
  bool held_back_ = false;
};

}  // namespace heddle::explore
