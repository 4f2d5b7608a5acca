// rand: by chance, from the search's seed. So the search does not linger where it began, and covers
// what it would cover in any other order.
//
// The number comes from the schedule itself, by way of its sequence hash: what was asked before
// makes no difference. There are kLevels of them, so that bins stay few.
#pragma once

#include "base/hash.h"
#include "explore/priority/priority.h"

namespace heddle::explore {

class ByChance final : public Priority {
 public:
  static constexpr uint64_t kLevels = 1024;

  explicit ByChance(uint64_t seed) : seed_(seed) {}

  bool by_choice() const override { return true; }

  int32_t of(const Candidate& candidate) override {
    uint64_t prefix = uint64_t{candidate.check} << 32 | candidate.step;
    return static_cast<int32_t>(mix(mix(seed_, prefix), candidate.choice) % kLevels);
  }

 private:
  uint64_t seed_;
};

}  // namespace heddle::explore
