// Which execution each other one comes from: a tree of all classes of equivalent executions, in
// which every class has one parent, that can be told from itself alone. A search that goes down
// this tree runs each class once, in any order, and remembers nothing (HACKING.md, "Lineage").
//
// The default behaviour makes a thread go on as long as it can, and then the first that can. Of an
// execution the canonical order is: ask the default who is next, and make all steps that have to
// come before that thread's step in this execution (an inversion), then that step (a pick). In the
// canonical order the execution of the default alone has no inversions. Of every other one the last
// inversion stands for what it is: the pick, and the steps that come before it. Without the last
// one of these, and by default from there on, the execution is its parent: a class with a smaller
// inversion at the same pick, and the same before. Its steps after the last inversion follow from
// that, so whoever has the parent can tell all of its children: for each pick, and each step of
// another thread that could have been there before it, those sets of other steps that may come
// before it too, and are no less the parent's by default without it.
//
// Where a pick is the lock of a mutex, and another thread takes that first, the pick cannot be made
// behind the inversion: it is put off until the default has it again.
//
// The steps of a schedule that lead to the end of its last inversion are named in it; what follows
// is the default. That the runtime's default is what is taken for it here is looked at in each
// execution. Where it is not, or where there are operations whose default is not known (foreign),
// nothing is told, and the search is another one.
//
// Who finds a compare-exchange before other steps than it had does not know whether it succeeds.
// Then both are taken for possible: the child is run, and found to be no one's, or another's
// (redundant).
#pragma once

#include <cstdint>
#include <span>

#include "base/array.h"
#include "causality/races.h"
#include "wire/layout.h"
#include "wire/observation.h"

namespace heddle::causality {

class Lineage {
 public:
  // A schedule: the steps before `step` as in this execution, and then these: those that the
  // running thread makes because it goes on are left out, but for the last.
  struct Child {
    uint32_t step;
    uint32_t first;  // in schedule()
    uint32_t count;
  };

  // Redundant: the class is the child of another execution than the one that it was made from.
  // Foreign: nothing is known of it.
  //
  // `races` has looked at the execution. Its last inversion is to be that of the steps
  // `begin` and up to the last decision: those from `begin` on name its threads. No decisions: it
  // is the root, and has none.
  wire::Lineage look_at(const Races& races, const wire::Result& result, uint32_t begin,
                        std::span<const wire::Decision> decisions);

  std::span<const Child> children() const { return {children_.begin(), children_.size()}; }
  std::span<const wire::WakeupStep> schedule(const Child& child) const {
    return {schedules_.begin() + child.first, child.count};
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kMostThreads = 64;
  static constexpr uint32_t kMostSteps = 4096;
  static constexpr uint32_t kMostFurther = 48;     // steps of which any may come before a candidate
  static constexpr uint32_t kMostTried = 1 << 12;  // sets of these, of one execution

  // A part of the execution that can be run by itself: of each thread 1 + its last step in it.
  using Cut = uint32_t*;
  enum : uint32_t { kBefore, kWalked, kNeeded, kChosen };  // and behind it, one for each further

  // A step by default.
  struct Pick {
    uint32_t begin;  // of its inversion; the step itself, if there is none
    uint32_t step;
  };

  // A step or pending operation of another thread, that could come before a pick.
  struct Candidate {
    Pick pick;
    uint32_t event;
    bool locks;  // both are locks of one mutex
  };

  const wire::Step& event(uint32_t number) const { return races_->event(number); }
  uint32_t thread_of(uint32_t number) const { return event(number).thread; }
  Cut cut(uint32_t which) { return &cuts_[uint64_t{which} * thread_count_]; }
  const uint32_t* cut(uint32_t which) const { return &cuts_[uint64_t{which} * thread_count_]; }
  bool is_in(uint32_t step, const uint32_t* cut) const { return cut[thread_of(step)] > step; }
  void clear(Cut cut) const;
  void copy(const uint32_t* from, Cut to) const;
  void join(uint32_t step, Cut into) const;

  bool is_known(const wire::Result& result);
  bool is_known_step(uint32_t number) const;
  bool is_known_pending(uint32_t number) const;
  bool is_last_exit() const;
  uint32_t last_on(uint64_t object) const;
  bool is_held(uint32_t lock, const uint32_t* cut) const;
  bool can_go(uint32_t thread, const uint32_t* cut) const;
  uint32_t next(const uint32_t* cut, uint32_t last) const;

  bool follows(uint32_t begin, std::span<const wire::Decision> decisions) const;
  wire::Lineage find_picks(uint32_t begin, uint32_t end);
  uint32_t end_of_inversion(uint32_t begin, uint32_t wanted) const;
  bool stands_for_inversion(uint32_t begin, uint32_t pick) const;

  bool find_children(const Pick& pick);
  bool find_candidates(const Pick& pick, uint32_t thread);
  bool find_further(const Candidate& candidate);
  bool add_needed(uint32_t number, Cut into) const;
  bool choose(const Candidate& candidate, uint32_t from, uint32_t which);
  bool may_be(const Candidate& candidate, const uint32_t* chosen);
  bool may_be(const Candidate& candidate, const uint32_t* chosen, bool only_reads);
  uint32_t last_change(const wire::Step& step, uint32_t end, const uint32_t* within) const;
  bool follows_by_default(const Candidate& candidate, const uint32_t* chosen);
  void add_child(const Candidate& candidate, const uint32_t* chosen);

  const Races* races_ = nullptr;
  uint32_t steps_ = 0;
  uint32_t events_ = 0;  // with the pending
  uint32_t thread_count_ = 0;
  bool overlaps_ = false;
  uint32_t last_inversion_ = 0;  // where it ends
  uint32_t tried_ = 0;

  Array<Pick> picks_;
  Array<uint32_t> cuts_;
  Array<uint32_t> further_;  // steps that may come before the candidate, or not
  Array<uint8_t> left_out_;  // of these: they do not
  Array<Child> children_;
  Array<wire::WakeupStep> schedules_;
};

}  // namespace heddle::causality
