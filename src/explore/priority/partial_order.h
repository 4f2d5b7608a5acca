// What partial-order reduction would say of an execution, for the priority functions that use it to
// order a search which it must not prune (gambit, sections 2.3 and 4.1).
//
// One for all functions of an order: looking at an execution is the work of one pass.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "causality/races.h"
#include "explore/priority/conflicts.h"
#include "trace/execution.h"

namespace heddle::explore {

class PartialOrder {
 public:
  // The execution is whole: all steps, what was pending, the threads of all options. Candidates are
  // at step `begin` and later.
  void look_at(const trace::Execution& execution, uint32_t begin);

  enum class Worth : uint8_t {
    reverses,      // reduction would schedule the thread there, to reverse a race
    conservative,  // it would, to be on the safe side
    conflicts,     // it may come to that: the thread later does what depends on the step
    none,
  };
  Worth worth(uint32_t step, uint32_t thread) const;

  // The thread is in the sleep set before the step; or one that was has been run by then, so that
  // all that follows has its equivalent elsewhere. Siblings are ordered by the number of their
  // option.
  bool is_asleep(uint32_t step, uint32_t thread) {
    if (execution_ != nullptr) follow_sleepers(*std::exchange(execution_, nullptr));
    return step > redundant_after_ ||
           (thread < wire::kSleepers && (asleep_at_[step] >> thread & 1) != 0);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  struct Mark {
    uint32_t thread;
    uint32_t next;  // of the same step
    bool conservative;
  };

  void mark_races(uint32_t begin);
  void follow_sleepers(const trace::Execution& execution);

  causality::Races races_;
  Conflicts conflicts_;
  std::vector<Mark> marks_;
  std::vector<uint32_t> first_mark_;             // by step
  const trace::Execution* execution_ = nullptr;  // whose sleepers have not been followed yet
  std::vector<uint64_t> asleep_at_;              // threads, by step
  uint32_t redundant_after_ = kNone;             // the step at which a sleeper was run
};

}  // namespace heddle::explore
