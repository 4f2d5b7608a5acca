#include "causality/partial_order.h"

namespace heddle::causality {

void PartialOrder::look_at(const Execution& execution, uint32_t begin) {
  execution_ = &execution;
  races_.look_at(execution.result, execution.steps, execution.pending, begin == 0 ? 0 : begin - 1);
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

// At each step those are put to sleep whose options stood before the one that was taken.
void PartialOrder::follow_sleepers() {
  are_sleepers_known_ = true;
  redundant_after_ = kNone;
  std::span<const uint16_t> threads = execution_->option_threads;
  uint64_t options = 0;  // of the steps before
  sleep_sets_.follow(races_, 0, [&](uint32_t number, uint64_t* asleep) {
    const wire::Step& step = execution_->steps[number];
    if (step.thread < wire::kSleepers && (*asleep >> step.thread & 1) != 0) {
      redundant_after_ = number;
      return false;
    }
    if (options + step.choice < threads.size()) {
      for (uint32_t k = 0; k < step.choice; ++k) {
        uint32_t other = threads[options + k];
        if (other != step.thread && other < wire::kSleepers) *asleep |= uint64_t{1} << other;
      }
    }
    options += step.options;
    return true;
  });
}

}  // namespace heddle::causality
