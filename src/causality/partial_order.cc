#include "causality/partial_order.h"

#include "causality/sleepers.h"

namespace heddle::causality {

void PartialOrder::look_at(const wire::Result& result, std::span<const wire::Step> steps,
                           std::span<const wire::Step> pending,
                           std::span<const uint16_t> option_threads, uint32_t begin) {
  steps_ = steps;
  option_threads_ = option_threads;
  races_.look_at(result, steps, pending, begin == 0 ? 0 : begin - 1);
  mark_races(begin);
  conflicts_.look_at(races_, begin);
  are_sleepers_known_ = false;
}

// As a search with reduction would add them, had it seen this execution alone.
void PartialOrder::mark_races(uint32_t begin) {
  marks_.clear();
  first_mark_.assign(races_.step_count(), kNone);
  for (const causality::Race& race : races_.found()) {
    if (race.first < begin) continue;
    bool is_covered = false;
    for (uint32_t i = first_mark_[race.first]; i != kNone && !is_covered; i = marks_[i].next) {
      is_covered = races_.is_weak_initial(race, marks_[i].thread);
    }
    if (is_covered) continue;
    uint32_t thread = races_.event(races_.wakeup(race).front()).thread;
    marks_.push_back({thread, first_mark_[race.first], race.conservative});
    first_mark_[race.first] = static_cast<uint32_t>(marks_.size()) - 1;
  }
}

Worth PartialOrder::worth(uint32_t step, uint32_t thread) const {
  for (uint32_t i = first_mark_[step]; i != kNone; i = marks_[i].next) {
    if (marks_[i].thread == thread) {
      return marks_[i].conservative ? Worth::conservative : Worth::reverses;
    }
  }
  return conflicts_.is_later_user(thread, step) ? Worth::conflicts : Worth::none;
}

void PartialOrder::follow_sleepers() {
  are_sleepers_known_ = true;
  asleep_at_.assign(steps_.size(), 0);
  redundant_after_ = kNone;
  uint64_t asleep = 0;
  size_t options = 0;  // of the steps before
  for (uint32_t i = 0; i < steps_.size(); ++i) {
    const wire::Step& step = steps_[i];
    asleep_at_[i] = asleep;
    if (step.thread < wire::kSleepers && (asleep >> step.thread & 1) != 0) {
      redundant_after_ = i;
      return;
    }
    if (options + step.choice < option_threads_.size()) {
      for (uint32_t k = 0; k < step.choice; ++k) {
        uint32_t other = option_threads_[options + k];
        if (other != step.thread && other < wire::kSleepers) asleep |= uint64_t{1} << other;
      }
    }
    options += step.options;
    if (asleep != 0) asleep = still_asleep(asleep, races_, i);
  }
}

}  // namespace heddle::causality
