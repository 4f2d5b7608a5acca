// The happens-before of one execution, and its races: pairs of dependent steps of two threads whose
// order could have been the other way round.
//
// Flanagan and Godefroid's reduction (gambit, section 2.1 and FindDporBacktrackingPoints in figure
// 4) looks, for each step and each pending operation, for the most recent step that conflicts with
// it and may be co-enabled. This is that search, in one pass over the steps with vector clocks,
// and with a departure: what is to be explored at the earlier step of a race is told by source sets
// (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, 2014): a sequence
// that leads to the race being reversed, of which the first thread is to be scheduled, unless one
// of its weak initials is anyway. One is always enabled, so that figure 4's lines 35 to 37, which
// add every enabled thread, never apply.
//
// Dependence is wire/dependence.h's, and beyond it:
// - the last step of an execution that ended while others could go on (a failure, an exit,
//   heddle::assume) depends on everything: what came before it decides how far the others came;
// - a yield, and a step that is taken while the fair scheduler has somebody stand behind another,
//   depend on everything: their order decides who may go later. Executions that are equivalent are
//   then all fair, or none is (docs/search.md);
// - a transfer of a test script depends on everything: the script may look at all there is;
// - the end of the last thread, where main has left, depends on the ends of all others: that thread
//   makes the exit.
//
// Where operations overlap (wire::Result::overlaps), their bytes are divided at all of their
// borders, and each of the pieces is an object.
//
// A compare-exchange that failed only read. It may succeed elsewhere: where it is asked what could
// have been, it counts as a change.
//
// A sleeper that another thread lets go may have been able to go on by itself (its time is
// limited): that operation is in no trace, for it is not pending any more. It is an event beside
// them, and in a race with the step that let the sleeper go.
//
// The engine and the worker that ran the execution have the same use for it (observation.h), so it
// takes no memory but base/array.h's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/array.h"
#include "wire/dependence.h"
#include "wire/layout.h"

namespace heddle::causality {

inline constexpr uint16_t kFairness = wire::kYields | wire::kSpins | wire::kRanked;

// Whether a step depends on all others: by what it is, or for fairness.
inline bool depends_on_all(const wire::Step& step) {
  return wire::depends_on_all(step.op) || step.op == wire::Op::transfer ||
         (step.flags & kFairness) != 0;
}

struct Race {
  uint32_t first;  // step
  // Event: a step; or, from the number of steps on, a pending operation; or, behind these, what a
  // sleeper could have done before the first let it go.
  uint32_t second;
  // It may turn out that the second cannot be performed before the first; or the first only sets
  // something free. Such races are deferred by mdpor.
  bool conservative;
};

class Races {
 public:
  // Where reduction rests on them, all races are found. For who only wants to know which ways are
  // worth more, a few are enough of those with steps that were taken while somebody stood behind
  // another: of a long execution each step may race with thousands of them.
  enum class Extent { all, most };
  explicit Races(Extent extent = Extent::all) : extent_(extent) {}

  // The execution has all of its steps, and what was pending. Finds the races whose second event
  // is step `from` or later, or which are others than they were by steps from there on. The steps
  // stay where they are as long as questions are asked.
  void look_at(const wire::Result& result, std::span<const wire::Step> steps,
               std::span<const wire::Step> pending, uint32_t from);

  std::span<const Race> found() const { return {races_.begin(), races_.size()}; }

  // The shortest sequence that reverses a race, from before its first step: the events that the
  // second needs, or comes to depend on, in their order, and the second. Its first event can be
  // performed there.
  std::span<const uint32_t> wakeup(const Race& race);

  // Whether all that could have been performed in the place of the race's first step, with the
  // second before it, could also begin with what the thread does next there: if the thread is
  // scheduled there by another schedule, that will lead to the race being reversed.
  bool is_weak_initial(const Race& race, uint32_t thread) const {
    return is_initial(race, thread) || is_independent(race, thread);
  }
  // … and it is part of that.
  bool is_initial(const Race& race, uint32_t thread) const;
  // … and was performed before the race's second event, or is it. What came later need not come
  // once the race is reversed: the second, or its thread, may go another way.
  bool is_early_initial(const Race& race, uint32_t thread) const;

  uint32_t step_count() const { return step_count_; }
  uint32_t thread_count() const { return threads_; }
  // A step or pending operation.
  const wire::Step& event(uint32_t number) const {
    if (number < step_count_) return steps_[number];
    number -= step_count_;
    return number < pending_.size() ? pending_[number] : wakings_[number - pending_.size()];
  }
  // The first event of the thread that is not before step `from`: what it is about to do there.
  // kNoStep: it has ended, or has not begun.
  uint32_t next_event(uint32_t thread, uint32_t from) const {
    uint32_t last = from < step_count_ ? lasts(from)[thread] : last_of_[thread];
    uint32_t next = last != kNone ? next_of_[last] : first_of_[thread];
    return next != kNone ? next : pending_of_[thread];
  }

  // For each thread 1 + its last step that happens before a step or pending operation, or is it.
  const uint32_t* known_at(uint32_t event) const { return row(event); }
  // The step before it of the same thread; kNoStep: there is none.
  uint32_t previous_of_thread(uint32_t event) const {
    uint32_t thread = this->event(event).thread;
    return event < step_count_ ? lasts(event)[thread] : last_of_[thread];
  }
  // The last step before it that changed its (first) object; kNoStep: there is none.
  uint32_t previous_change(uint32_t step) const { return previous_[step]; }

  // Whether an event would have only read at step `from`, as it did later: it is a compare-exchange
  // that failed, and nobody has changed its bytes in between.
  bool only_read_since(uint32_t event, uint32_t from) const {
    if (event >= step_count_ || (steps_[event].flags & wire::kOnlyReads) == 0) return false;
    return previous_[event] == kNone || previous_[event] < from;
  }

  // Calls visit(name, changes) for each object that the event is on.
  template <typename Visit>
  void for_each_object(const wire::Step& step, Visit visit) const {
    char effect = wire::effect_kind(step);
    if (effect == '-') return;
    for_each_piece(step.object, wire::bytes_of(step),
                   [&](uint64_t name) { visit(name, effect == 'w'); });
    if (wire::second_of(step) == 0) return;
    for_each_piece(wire::second_of(step), wire::second_bytes_of(step),
                   [&](uint64_t name) { visit(name, !wire::reads_second(step)); });
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  static_assert(kNone == wire::kNoStep);

  // What the pass knows of an object.
  struct Object {
    uint64_t name;
    uint32_t last_change;   // step
    uint32_t first_read;    // since then: index in reads_
    uint32_t last_acquire;  // step that took it, of a lock
  };
  struct Place {
    uint32_t epoch;  // of the execution; older: free
    uint32_t object;
  };
  struct Read {
    uint32_t step;
    uint32_t next;
  };
  struct Access {
    uint32_t object;  // index in objects_
    bool changes;
  };

  // Rows are taken four numbers at a time.
  static constexpr uint32_t kLane = 4;
  typedef int32_t Lane __attribute__((vector_size(16), aligned(4), may_alias));
  static Lane* lane(uint32_t* row, uint32_t i) { return reinterpret_cast<Lane*>(row + i); }
  static const Lane* lane(const uint32_t* row, uint32_t i) {
    return reinterpret_cast<const Lane*>(row + i);
  }
  // One number of a row, by way of the whole: the rows of a thread's steps come one of the other,
  // and each would have to wait for a part that was stored alone.
  static Lane with(Lane lane, uint32_t place, uint32_t value) {
    auto here = static_cast<int32_t>(place % kLane);
    Lane mask = Lane{0, 1, 2, 3} == Lane{here, here, here, here};
    return mask ? Lane{} + static_cast<int32_t>(value) : lane;
  }

  uint32_t* row(uint32_t event) { return &rows_[uint64_t{event} * stride_]; }
  const uint32_t* row(uint32_t event) const { return &rows_[uint64_t{event} * stride_]; }
  const uint32_t* lasts(uint32_t step) const { return &lasts_[uint64_t{step} * stride_]; }
  // Whether a step happens before an event.
  bool happens_before(uint32_t step, uint32_t event) const {
    return row(event)[steps_[step].thread] > step;
  }
  // … or, after a race's first step, does not depend on it: it could have been without it.
  bool is_without(const Race& race, uint32_t step) const {
    return step > race.first && !happens_before(race.first, step);
  }
  bool is_wide(uint32_t event) const;
  bool may_become_wide(uint32_t event) const;
  bool is_ranked(uint32_t number) const { return (event(number).flags & wire::kRanked) != 0; }
  bool is_independent(const Race& race, uint32_t thread) const;
  bool comes_before_second(const Race& race, uint32_t step) const;
  bool is_needed(const Race& race, uint32_t step) const;
  bool join(uint32_t* into, uint32_t step) const;

  void begin(const wire::Result& result);
  template <uint32_t kLanes>
  void look_at_steps(uint32_t from);
  void look_at_pending();
  void find_borders();
  template <typename Visit>
  void for_each_piece(uint64_t object, uint64_t bytes, Visit visit) const {
    if (!overlaps_) return visit(object);
    const uint64_t* border = std::lower_bound(borders_.begin(), borders_.end(), object);
    for (; border != borders_.end() && *border - object < bytes; ++border) visit(*border);
  }
  void touch(uint64_t name, bool changes) { touched_.push_back({object(name), changes}); }
  void find_touched(uint32_t event);
  uint32_t object(uint64_t name) {
    bool is_recent = recent_ != kNone && objects_[recent_].name == name;
    return is_recent ? recent_ : find_object(name);
  }
  uint32_t find_object(uint64_t name);
  void grow_table();

  void find_candidates(uint32_t event);
  void consider_changes(uint32_t event, const Object& object, bool is_first);
  void consider(uint32_t step, bool conservative) { candidates_.push_back({step, conservative}); }
  void consider_all_threads(uint32_t event);
  void consider_wide_steps(uint32_t event);
  bool has_ended(uint32_t thread) const;
  void find_last_end();
  void drop_repeated_candidates();
  void keep_candidates(uint32_t event);
  bool join_dependent(uint32_t event);
  bool perform_quietly(uint32_t step, const uint32_t* row);
  void perform(uint32_t step);
  void remember_read(Object& object, uint32_t step);
  void find_wakings(uint32_t from);
  bool may_come_to_write(uint32_t step) const;
  void drop_known(uint32_t from);
  bool is_waking(uint32_t event) const { return event >= step_count_ + pending_.size(); }

  std::span<const wire::Step> steps_;
  std::span<const wire::Step> pending_;
  Array<wire::Step> wakings_;  // of sleepers by themselves, who were let go instead
  uint32_t step_count_ = 0;
  uint32_t threads_ = 0;
  uint32_t stride_ = 0;  // of rows_ and lasts_
  bool overlaps_ = false;
  bool ends_early_ = false;  // the last step depends on everything
  bool is_redundant_ = false;

  // For each event and thread: 1 + the last step of that thread which happens before the event, or
  // is it. While an event is looked at, of what happens before its thread alone.
  Array<uint32_t> rows_;
  Array<uint32_t> current_;        // row of the running thread
  Array<uint32_t> lasts_;          // for each step and thread: the thread's last step before it
  Array<uint32_t> next_of_;        // for each step: the next one of its thread
  Array<uint32_t> previous_wide_;  // step that depends on everything, for each that does
  Array<uint32_t> previous_;       // change of the first object, for each step; if the step only
                                   // read, of any
  Array<uint32_t> first_of_;       // step, for each thread
  Array<uint32_t> last_of_;        // step, for each thread
  Array<uint32_t> pending_of_;     // event, for each thread
  Extent extent_;
  uint32_t last_wide_ = kNone;  // step that depends on everything
  uint32_t last_end_ = kNone;   // step: the end of the thread that then made the exit

  Array<Place> table_;  // objects by name; at most half full
  uint32_t epoch_ = 0;
  Array<Object> objects_;
  uint32_t recent_ = kNone;  // the object that was touched last
  Array<Read> reads_;
  Array<Access> touched_;    // by the event that is looked at
  Array<uint64_t> borders_;  // where pieces of overlapping objects begin, and end

  struct Candidate {
    uint32_t step;
    bool conservative;
  };
  Array<Candidate> candidates_;
  Array<Race> races_;
  Array<uint32_t> wakeup_;
};

}  // namespace heddle::causality
