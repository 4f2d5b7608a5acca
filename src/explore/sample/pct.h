// Priorities by chance, which change d - 1 times: runtime/decide/pct.h. How long executions are is
// learnt from those before: the longest counts.
#pragma once

#include <algorithm>

#include "explore/sample/sampler.h"

namespace heddle::explore {

class Pct final : public Sampler {
 public:
  // From `depth` to `deepest`, in turn.
  Pct(uint64_t seed, uint32_t depth, uint32_t deepest)
      : Sampler(wire::Decider::pct, seed), depth_(depth), deepest_(deepest) {}

  bool learns() const override { return true; }

 private:
  static constexpr uint32_t kLongest = (1u << 24) - 1;

  void prepare(pool::Plan* plan) override {
    auto depth = depth_ + static_cast<uint32_t>(plan->token % (deepest_ - depth_ + 1));
    plan->parameter = std::clamp(deepest(), 1u, kLongest) << 8 | depth;
  }

  uint32_t depth_;
  uint32_t deepest_;
};

}  // namespace heddle::explore
