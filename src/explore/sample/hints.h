// The hints of plans that are under way: words for the decider, which go with the decisions; and a
// sampler that gives some.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "explore/sample/sampler.h"
#include "explore/strategy.h"

namespace heddle::explore {

class Hints {
 public:
  // The plan has no decisions.
  void give(pool::Plan* plan, std::span<const uint64_t> words) {
    of(plan->token).assign(words.begin(), words.end());
    plan->hint_count = plan->decision_count = static_cast<uint32_t>(words.size());
  }
  std::span<const uint64_t> of(const pool::Plan& plan) const {
    return std::span(kept_[plan.token % kKept]).first(plan.hint_count);
  }
  void write(const pool::Plan& plan, wire::Decision* out) const {
    std::ranges::transform(of(plan), out,
                           [](uint64_t word) { return std::bit_cast<wire::Decision>(word); });
  }
  bool knows(const pool::Plan& plan) const {
    return plan.executions == 0 && plan.decision_count == plan.hint_count &&
           plan.hint_count <= kept_[plan.token % kKept].size();
  }
  void save(ByteWriter& out) const {
    for (const std::vector<uint64_t>& words : kept_) out.put_all(words);
  }
  void load(ByteReader& in) {
    for (std::vector<uint64_t>& words : kept_) words = in.get_all<uint64_t>();
  }

 private:
  // No more plans are under way than this: Strategy::lag().
  static constexpr size_t kKept = kUsualLag * 2;

  std::vector<uint64_t>& of(uint64_t token) { return kept_[token % kKept]; }

  std::array<std::vector<uint64_t>, kKept> kept_;
};

class HintingSampler : public Sampler {
 public:
  using Sampler::Sampler;

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

 protected:
  Hints hints_;
};

}  // namespace heddle::explore
