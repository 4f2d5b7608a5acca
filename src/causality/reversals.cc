// The questions of races.h about a race that is to be reversed: what leads to that, and what could
// come first there.
#include <algorithm>

#include "causality/blocking.h"
#include "causality/races.h"
#include "wire/dependence.h"

namespace heddle::causality {

// Whether it depends on everything, or may, once a race that it is the second of is reversed: a try
// that was not in vain may be so then, and is a yield.
bool Races::may_become_wide(uint32_t number) const {
  return is_wide(number) || (event(number).flags & wire::kMayYield) != 0;
}

// A compare-exchange that failed may succeed once it comes first, and then depends on more: on what
// reads its bytes, too. Whether such a step, which could have been without the race's first, is to
// come before the second: the second alone would stand for the other order only.
bool Races::comes_before_second(const Race& race, uint32_t step) const {
  if (race.second >= step_count_ || (steps_[race.second].flags & wire::kOnlyReads) == 0) {
    return false;
  }
  return is_without(race, step) &&
         depend(wire::effect_elsewhere(steps_[race.second]), wire::effect_of(steps_[step]));
}

// Whether the second needs the step, or one that comes before it does.
bool Races::is_needed(const Race& race, uint32_t step) const {
  if (step < race.second && happens_before(step, race.second)) return true;
  for (uint32_t i = step; i < step_count_; ++i) {
    if (comes_before_second(race, i) && (i == step || happens_before(step, i))) return true;
  }
  return false;
}

std::span<const uint32_t> Races::wakeup(const Race& race) {
  wakeup_.clear();
  if (is_waking(race.second)) {
    wakeup_.push_back(race.second);
    return {wakeup_.begin(), wakeup_.size()};
  }
  bool is_failed_exchange =
      race.second < step_count_ && (steps_[race.second].flags & wire::kOnlyReads) != 0;
  uint32_t end = is_failed_exchange ? step_count_ : std::min(race.second, step_count_);
  for (uint32_t i = race.first + 1; i < end; ++i) {
    if (!is_without(race, i)) continue;
    bool needed = is_failed_exchange ? is_needed(race, i) : happens_before(i, race.second);
    if (needed) wakeup_.push_back(i);
  }
  wakeup_.push_back(race.second);
  return {wakeup_.begin(), wakeup_.size()};
}

bool Races::is_initial(const Race& race, uint32_t thread) const {
  if (is_waking(race.second)) return thread == event(race.second).thread;
  if (thread == steps_[race.first].thread) return false;
  uint32_t next = next_event(thread, race.first + 1);
  if (next != race.second && (next >= step_count_ || !is_without(race, next))) return false;
  // The second may be more than it was, once it comes first.
  if (next > race.second && next < step_count_ &&
      (may_become_wide(race.second) ||
       (!comes_before_second(race, next) &&
        depend(wire::effect_elsewhere(event(race.second)), wire::effect_of(event(next)))))) {
    return false;
  }
  if (next == race.second) {
    for (uint32_t i = race.first + 1; i < step_count_; ++i) {
      if (comes_before_second(race, i)) return false;
    }
  }
  // What happens before a step that could have been without the first could have been so, too.
  if (next != race.second) {
    for (uint32_t other = 0; other < threads_; ++other) {
      if (other != thread && row(next)[other] > race.first + 1) return false;
    }
    return true;
  }
  for (uint32_t other = 0; other < threads_; ++other) {
    uint32_t earlier = next_event(other, race.first + 1);
    if (other != thread && earlier < std::min(next, step_count_) && is_without(race, earlier) &&
        happens_before(earlier, next)) {
      return false;
    }
  }
  return true;
}

bool Races::is_early_initial(const Race& race, uint32_t thread) const {
  uint32_t next = next_event(thread, race.first + 1);
  bool is_early = next < std::min(race.second, step_count_) || thread == event(race.second).thread;
  return is_early && is_initial(race, thread);
}

// Whether what the thread does next is no part of what could have been performed, and independent
// of it.
bool Races::is_independent(const Race& race, uint32_t thread) const {
  if (thread == steps_[race.first].thread || is_waking(race.second)) return false;
  uint32_t next = next_event(thread, race.first + 1);
  // One that may have to wait may not have been able to go there at all.
  if (next == kNone || next == race.second || may_wait(event(next))) return false;
  if (next < step_count_ && is_without(race, next)) return false;
  const wire::Step& step = event(next);
  bool was_let_go = step.after != wire::kNoStep && step.after > race.first;
  if (was_let_go || may_become_wide(next) || may_become_wide(race.second)) return false;
  wire::Effect effect = wire::effect_elsewhere(step);
  if (depend(effect, wire::effect_elsewhere(event(race.second)))) return false;
  for (uint32_t i = race.first + 1; i < step_count_; ++i) {
    if (is_without(race, i) && depend(effect, wire::effect_of(event(i)))) return false;
  }
  return true;
}

}  // namespace heddle::causality
