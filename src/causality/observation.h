// An observation: what an execution taught. The one thing that strategies learn from.
//
// Whoever has the steps makes it (look_at). That may be the worker that ran the execution: it
// writes the observation down as a digest (write), and the steps stay where they are; the engine
// reads it (read). Or it is the engine, which got the steps. Who looks is the pool's business
// (pool/observer.h); a strategy cannot tell. Of what the directive asks for there is:
//
// - branches: the steps that had other options within the bounds, and, if they are to be weighed,
//   what a reduction would say of each option (kObserveBranches, kWeigh);
// - reversals: the races that are to be reversed, each with the threads that would do and with its
//   wakeup sequence; the steps whose operation had several outcomes; and how the execution ended
//   (kObserveReversals). These need all steps, and what was pending;
// - children, if they can be told, in the place of reversals (kObserveLineage).
#pragma once

#include <cstdint>
#include <span>

#include "base/array.h"
#include "causality/execution.h"
#include "causality/lineage.h"
#include "causality/partial_order.h"
#include "causality/races.h"
#include "causality/sleep_sets.h"
#include "wire/observation.h"

namespace heddle::causality {

class Observation {
 public:
  // More threads than this, and there are no reversals: a search could not number them.
  static constexpr uint32_t kMaxThreads = 0x7ffe;
  static constexpr uint32_t kMaxWakeup = 16;  // steps of a wakeup sequence that are kept

  // The execution, and the decisions that it was to follow, stay as long as questions are asked. Of
  // the decisions only those matter that put a thread to sleep. Of interest is what could have been
  // otherwise at step `directive.first_step` or later, and races of which the second step is.
  void look_at(const wire::Directive& directive, const Execution& execution,
               std::span<const wire::Decision> decisions);

  // The execution came with a digest, of which is_sensible() is true (received.h).
  void read(const Execution& execution);

  // All of it as a digest. False: it would be too long, or there are too many threads.
  bool write(Array<char>* out);

  const Execution& execution() const { return *execution_; }
  const wire::Result& result() const { return execution_->result; }

  std::span<const wire::Branch> branches() const { return branches_; }
  // Of the branches, in their order; empty: they were not weighed.
  std::span<const wire::Way> ways() const { return ways_; }
  uint32_t preemptions() const { return head_.preemptions; }  // before the first step of interest
  uint32_t end() const { return head_.end; }  // steps from this one on are not varied
  bool held_back() const { return head_.held_back != 0; }

  // Without it the rest is not known.
  bool has_reversals() const { return head_.has_reversals != 0; }
  std::span<const wire::OpenStep> open_steps() const { return open_steps_; }
  // At the steps of which a test script has decided: none of them is left out, since the script may
  // look at where it is.
  std::span<const wire::Alternative> alternatives() const { return alternatives_; }
  bool misses_alternatives() const { return head_.misses_alternatives != 0; }
  const wire::Fork& last() const { return head_.last; }
  wire::Op last_op() const { return head_.last_op; }

  // Told: the reversals are the execution's children (lineage.h).
  wire::Lineage lineage() const { return head_.lineage; }

  uint32_t reversal_count() const { return reversal_count_; }
  uint32_t reversal_step(uint32_t number) const {
    return is_read_ ? reversals_[number].fork.step : race(number).first;
  }
  // Whether the thread would do in the place of the one that is to be scheduled: see Races. Where
  // the observation was not read, this is found out when it is asked: there may be thousands of
  // threads, and most reversals are covered by one that has been added before.
  bool is_initial(uint32_t number, uint32_t thread) const {
    return is_read_ ? has(reversals_[number].initials, thread)
                    : races_.is_initial(race(number), thread);
  }
  bool is_weak_initial(uint32_t number, uint32_t thread) const {
    return is_read_ ? has(reversals_[number].weak_initials, thread)
                    : races_.is_weak_initial(race(number), thread);
  }
  // Threads, a bit for each, that sleep before the step; only where it was not read.
  uint64_t asleep_before(uint32_t step) const { return sleep_sets_.before(step); }
  // Without the initials, if it was not read; its wakeup sequence holds until the next call.
  wire::Reversal reversal(uint32_t number);
  std::span<const wire::WakeupStep> wakeup(const wire::Reversal& reversal) const {
    return wakeup_.subspan(reversal.first_wakeup, reversal.wakeup_count);
  }

 private:
  static bool has(uint64_t threads, uint32_t thread) {
    return thread < wire::kMaxDigestThreads && (threads >> thread & 1) != 0;
  }
  const Race& race(uint32_t number) const { return races_.found()[race_of_[number]]; }
  std::span<const wire::Step> steps() const { return execution_->steps; }

  // branches.cc
  void find_branches(const wire::Directive& directive);
  void weigh(const wire::Branch& branch);
  uint32_t preemptions_before(uint32_t step) const;

  bool find_lineage(const wire::Directive& directive, std::span<const wire::Decision> decisions);
  wire::Reversal child(uint32_t number);
  void find_reversals(const wire::Directive& directive, std::span<const wire::Decision> decisions);
  void follow_sleepers(std::span<const wire::Decision> decisions);
  bool is_covered_by_sleeper(const Race& race) const;
  wire::Fork fork(uint32_t step);
  wire::Fork fork_with(uint32_t step, uint32_t preemptions) const;
  void find_alternatives(uint32_t from);
  bool is_of_script(const Race& race) const;
  void find_wakeup(const Race& race, std::span<const uint32_t> sequence);
  void add_initials(uint32_t number, wire::Reversal* reversal) const;

  const Execution* execution_ = nullptr;
  bool is_read_ = false;  // not looked at
  wire::Digest head_{};
  uint32_t reversal_count_ = 0;

  // What the questions are answered from: where it was looked at, the arrays below; else a digest.
  std::span<const wire::Branch> branches_;
  std::span<const wire::Way> ways_;
  std::span<const wire::OpenStep> open_steps_;
  std::span<const wire::Reversal> reversals_;  // empty, if it was looked at
  std::span<const wire::WakeupStep> wakeup_;
  std::span<const wire::Alternative> alternatives_;

  PartialOrder order_;
  Array<wire::Branch> found_branches_;
  Array<wire::Way> found_ways_;

  Races races_;
  SleepSets sleep_sets_;
  Lineage lineage_;
  Array<uint32_t> race_of_;      // of each reversal, among those of races_
  Array<uint32_t> preemptions_;  // before each step, as far as anybody has asked
  Array<wire::OpenStep> found_open_;
  Array<wire::Alternative> found_alternatives_;
  Array<wire::WakeupStep> found_wakeup_;  // of the reversal that was asked for last
  Array<wire::WakeupStep> all_wakeup_;    // for write()
};

}  // namespace heddle::causality
