// Sleep sets after the fact: who sleeps before each step of an execution. The runtime does the same
// while it runs it (runtime/filter/sleep.h).
#pragma once

#include <cstdint>

#include "base/array.h"
#include "causality/races.h"

namespace heddle::causality {

class SleepSets {
 public:
  void clear() { asleep_.clear(); }

  // From step `begin` of the execution that `races` has looked at. `add(step, &asleep)` puts
  // threads to sleep at a step, and returns false if nobody will sleep after it, or if it does not
  // matter any more.
  template <typename Add>
  void follow(const Races& races, uint32_t begin, Add add) {
    asleep_.clear();
    begin_ = begin;
    uint64_t asleep = 0;
    for (uint32_t i = begin; i < races.step_count(); ++i) {
      asleep_.push_back(asleep);
      if (!add(i, &asleep)) return;
      if (asleep != 0) asleep = still_asleep(asleep, races, i);
    }
  }

  // Threads, a bit for each: before the step, and before any is put to sleep there.
  uint64_t before(uint32_t step) const {
    return step < begin_ || step - begin_ >= asleep_.size() ? 0 : asleep_[step - begin_];
  }

 private:
  // Of those who sleep when the step is made, the ones who still do after it.
  static uint64_t still_asleep(uint64_t asleep, const Races& races, uint32_t step);

  uint32_t begin_ = 0;
  Array<uint64_t> asleep_;  // by step, from begin_ on, as long as anybody sleeps
};

}  // namespace heddle::causality
