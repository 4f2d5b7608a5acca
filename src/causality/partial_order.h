// What partial-order reduction would say of an execution, for the priority functions that use it to
// order a search which it must not prune (gambit, sections 2.3 and 4.1).
//
// One for all functions of an order: looking at an execution is the work of one pass.
#pragma once

#include <cstdint>
#include <span>

#include "base/array.h"
#include "causality/conflicts.h"
#include "causality/execution.h"
#include "causality/races.h"
#include "causality/sleep_sets.h"

namespace heddle::causality {

enum class Worth : uint8_t {
  reverses,      // reduction would schedule the thread there, to reverse a race
  conservative,  // it would, to be on the safe side
  conflicts,     // it may come to that: the thread later does what depends on the step
  none,
};

class PartialOrder {
 public:
  // The execution is whole: all steps, what was pending, the threads of the options of all steps,
  // as far as they are known. Questions are for step `begin` and later; it stays as long as any are
  // asked.
  void look_at(const Execution& execution, uint32_t begin);

  Worth worth(uint32_t step, uint32_t thread) const;

  // The thread is in the sleep set before the step; or one that was has been run by then, so that
  // all that follows has its equivalent elsewhere. Siblings are ordered by the number of their
  // option.
  bool is_asleep(uint32_t step, uint32_t thread) {
    if (!are_sleepers_known_) follow_sleepers();
    return step > redundant_after_ ||
           (thread < wire::kSleepers && (sleep_sets_.before(step) >> thread & 1) != 0);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  struct Mark {
    uint32_t thread;
    uint32_t next;  // of the same step
    bool conservative;
  };

  void mark_races(uint32_t begin);
  void follow_sleepers();

  Races races_{Races::Extent::most};
  Conflicts conflicts_;
  const Execution* execution_ = nullptr;
  Array<Mark> marks_;
  Array<uint32_t> first_mark_;       // by step
  bool are_sleepers_known_ = false;  // the two below
  SleepSets sleep_sets_;
  uint32_t redundant_after_ = kNone;  // the step at which a sleeper was run
};

}  // namespace heddle::causality
