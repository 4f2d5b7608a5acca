// A search of a bundle of subtrees (bundle.h): of some that another search has left over, or of the
// whole tree from its root. It ends when it has made so many plans as it may, and leaves over what
// waits then.
//
// It goes depth first, whatever the order of the whole: so what it leaves over is little, a few
// schedules for each step. Which executions all these searches make together does not depend on
// the order, nor on where one ends and the next goes on.
#pragma once

#include "explore/best_first.h"
#include "explore/bundle.h"

namespace heddle::explore {

class BundleSearch final : public Strategy {
 public:
  // No subtrees: from the root.
  BundleSearch(const StrategyOptions& options, const Bundle& subtrees, uint64_t executions);

  Bundle left_over() const { return search_.left_over(); }

  std::optional<pool::Plan> next() override;
  void learn(const pool::Plan& plan, causality::Observation& observation) override;
  // One stage for each number of preemptions, where the whole goes bound by bound; as far as there
  // are executions of it, and never complete: only the whole can be.
  std::vector<Stage> stages() const override;
  std::string stage_of(const pool::Plan& plan) const override;
  TreeStatistics statistics() const override;

  uint32_t lag() const override { return search_.lag(); }
  bool complete() const override { return search_.complete(); }
  bool held_back() const override { return search_.held_back(); }
  bool is_divided() const override { return true; }
  uint64_t waiting() const override { return search_.waiting(); }
  std::optional<Remaining> remaining() const override {
    return Remaining{search_.waiting(), std::nullopt};
  }
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override {
    search_.write_decisions(plan, out);
  }
  bool knows(const pool::Plan& plan) const override { return search_.knows(plan); }
  // It is not saved: who has handed it out does it again.
  void save(ByteWriter& out) const override { search_.save(out); }
  void load(ByteReader& in) override { search_.load(in); }

 private:
  const StrategyOptions options_;
  BestFirst search_;
  const uint64_t nodes_before_;  // of schedules that others have executed
  uint64_t plans_left_;
  std::vector<uint64_t> by_preemptions_;  // executions
  uint64_t executions_ = 0;
};

}  // namespace heddle::explore
