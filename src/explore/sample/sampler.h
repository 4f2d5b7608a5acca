// Samplers: schedules by chance. Execution i has a seed of its own, made of the search's seed and
// i: it is the same whatever ran before it. Who chooses is a decider in the worker.
#pragma once

#include <algorithm>

#include "base/hash.h"
#include "explore/strategy.h"

namespace heddle::explore {

class Sampler : public Strategy {
 public:
  Sampler(wire::Decider decider, uint64_t seed) : decider_(decider), seed_(seed) {}

  std::optional<pool::Plan> next() override {
    if (learns() && issued_ - learnt_ > learnt_ / kAhead) return std::nullopt;
    pool::Plan plan;
    plan.token = issued_++;
    plan.seed = mix(seed_, plan.token);
    plan.decider = decider_;
    // Who goes by chance alone keeps nobody from going for ever.
    if (decider_ != wire::Decider::uniform) plan.patience = patience();
    prepare(&plan);
    return plan;
  }
  void learn(const pool::Plan& plan, causality::Observation& observation) override {
    ++learnt_;
    const wire::Result& result = observation.result();
    if (plan.patience == 0 || result.step_count < plan.patience) {
      deepest_ = std::max(deepest_, result.depth);
      note_length(result.step_count);
    }
    look_at(plan, observation);
  }
  bool complete() const override { return false; }
  void write_decisions(const pool::Plan&, wire::Decision*) const override {}
  bool knows(const pool::Plan& plan) const override {
    return plan.executions == 0 && plan.decision_count == 0;
  }

  // An execution of so many steps has come to its end by itself.
  void note_length(uint32_t steps) { longest_ = std::max(longest_, steps); }
  void save(ByteWriter& out) const override {
    out.put(issued_);
    out.put(learnt_);
    out.put(deepest_);
    out.put(longest_);
  }
  void load(ByteReader& in) override {
    in.get(&issued_);
    in.get(&learnt_);
    in.get(&deepest_);
    in.get(&longest_);
  }

 protected:
  // Its plans depend on what it has looked at: then the first few are made one by one, and later
  // ones no more than a part of all ahead.
  virtual bool learns() const { return false; }
  virtual void look_at(const pool::Plan&, causality::Observation&) {}

  uint32_t deepest() const { return deepest_; }  // execution so far, in choice points
  // What else the decider is to know.
  virtual void prepare(pool::Plan*) {}

 private:
  static constexpr uint64_t kAhead = 4;
  static constexpr uint32_t kLonger = 4;
  static constexpr uint32_t kLeastPatience = 1000;
  static constexpr uint32_t kUnknown = 1 << 16;  // no execution has ended yet

  // Steps after which an execution goes on because of who chooses.
  uint32_t patience() const {
    return longest_ == 0 ? kUnknown : kLeastPatience + kLonger * longest_;
  }

  wire::Decider decider_;
  uint64_t seed_;
  uint64_t issued_ = 0;
  uint64_t learnt_ = 0;
  uint32_t deepest_ = 0;
  uint32_t longest_ = 0;  // execution so far, in steps
};

}  // namespace heddle::explore
