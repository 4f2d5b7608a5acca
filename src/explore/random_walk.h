// Every decision by chance, all options alike. Execution i has a seed of its own, made of the
// search's seed and i: it is the same whatever ran before it.
#pragma once

#include "base/hash.h"
#include "explore/strategy.h"

namespace heddle::explore {

class RandomWalk final : public Strategy {
 public:
  explicit RandomWalk(uint64_t seed) : seed_(seed) {}

  std::optional<pool::Plan> next() override {
    pool::Plan plan;
    plan.token = issued_++;
    plan.seed = mix(seed_, plan.token);
    plan.decider = wire::Decider::uniform;
    return plan;
  }
  void learn(const pool::Plan&, causality::Observation&) override {}
  bool complete() const override { return false; }
  void write_decisions(const pool::Plan&, wire::Decision*) const override {}
  void save(ByteWriter& out) const override { out.put(issued_); }
  void load(ByteReader& in) override { in.get(&issued_); }

 private:
  uint64_t seed_;
  uint64_t issued_ = 0;
};

}  // namespace heddle::explore
