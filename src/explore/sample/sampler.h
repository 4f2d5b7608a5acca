// Samplers: schedules by chance. Execution i has a seed of its own, made of the search's seed and
// i: it is the same whatever ran before it. Who chooses is a decider in the worker.
#pragma once

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
    prepare(&plan);
    return plan;
  }
  void learn(const pool::Plan& plan, causality::Observation& observation) override {
    ++learnt_;
    look_at(plan, observation);
  }
  bool complete() const override { return false; }
  void write_decisions(const pool::Plan&, wire::Decision*) const override {}
  void save(ByteWriter& out) const override {
    out.put(issued_);
    out.put(learnt_);
  }
  void load(ByteReader& in) override {
    in.get(&issued_);
    in.get(&learnt_);
  }

 protected:
  // Its plans depend on what it has looked at: then the first few are made one by one, and later
  // ones no more than a part of all ahead.
  virtual bool learns() const { return false; }
  virtual void look_at(const pool::Plan&, causality::Observation&) {}
  // What else the decider is to know.
  virtual void prepare(pool::Plan*) {}

 private:
  static constexpr uint64_t kAhead = 4;

  wire::Decider decider_;
  uint64_t seed_;
  uint64_t issued_ = 0;
  uint64_t learnt_ = 0;
};

}  // namespace heddle::explore
