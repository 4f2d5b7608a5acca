// guide, as a sampler: beside another search, along pairs of places that race, in both orders
// (those of --races explore). Each execution is a descent of guided search (explore/guide/guide.h)
// from the beginning, without coming back: toward its places by distance, and every second time
// around by chance, so that it is not the same again.
#pragma once

#include <array>

#include "explore/sample/hints.h"
#include "explore/sample/sampler.h"
#include "explore/strategies.h"

namespace heddle::explore {

class GuidedSampler final : public Sampler {
 public:
  // There is one sequence at least.
  GuidedSampler(const GuideOptions& options, uint64_t seed)
      : Sampler(wire::Decider::guide, seed), options_(options) {}

  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override {
    hints_.write(plan, out);
  }
  void save(ByteWriter& out) const override {
    Sampler::save(out);
    hints_.save(out);
  }
  bool knows(const pool::Plan& plan) const override { return hints_.knows(plan); }
  void load(ByteReader& in) override {
    Sampler::load(in);
    hints_.load(in);
  }

 private:
  void prepare(pool::Plan* plan) override {
    size_t count = options_.sequences.size();
    bool by_chance = plan->token / count % 2 != 0;
    auto toward = by_chance ? wire::Toward::chance : wire::Toward::distance;
    plan->parameter = options_.places;
    hints_.give(plan, std::array<uint64_t, 3>{static_cast<uint64_t>(toward), 0,
                                              options_.sequences[plan->token % count]});
  }

  GuideOptions options_;
  Hints hints_;
};

}  // namespace heddle::explore
