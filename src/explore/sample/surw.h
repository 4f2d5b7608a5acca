// Selectively uniform random walk: runtime/decide/surw.h. Each execution looks at one object, by
// chance, of those that several threads use; how often each thread does is learnt from the first
// execution, and then from one of kProfiles.
#pragma once

#include <vector>

#include "base/random.h"
#include "explore/sample/hints.h"
#include "explore/sample/sampler.h"

namespace heddle::explore {

class Surw final : public Sampler {
 public:
  explicit Surw(uint64_t seed) : Sampler(wire::Decider::surw, seed) {}

  bool learns() const override { return true; }
  void look_at(const pool::Plan& plan, causality::Observation& observation) override;
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override {
    hints_.write(plan, out);
  }
  void save(ByteWriter& out) const override;
  bool knows(const pool::Plan& plan) const override { return hints_.knows(plan); }
  void load(ByteReader& in) override;

 private:
  static constexpr uint64_t kProfiles = 64;

  struct Thread {
    uint64_t id;
    uint32_t parent;  // number; wire::kNoThread: none
  };
  struct Use {
    uint64_t object;
    uint32_t thread;  // number
    uint32_t count;   // of its operations on the object
  };

  void prepare(pool::Plan* plan) override;
  void profile(const causality::Execution& execution);

  std::vector<Thread> threads_;
  std::vector<Use> uses_;          // by object
  std::vector<uint64_t> objects_;  // those that several threads use
  Hints hints_;
};

}  // namespace heddle::explore
