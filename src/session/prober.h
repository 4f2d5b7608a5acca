// Runs that explain a failure: many of them, one after the other, of which nothing is kept but
// where they lead. What asks for them (simplifier, critical, twin) sees an interface, and runs on a
// model in its tests.
//
// All of it is deterministic: runs are seen in the order in which they were asked for, what is
// asked ahead does not depend on the number of workers, and a budget counts executions and steps.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "trace/execution.h"

namespace heddle::session {

// What to run: a directive, with the schedule that it is to follow.
struct Rerun : wire::Directive {
  Rerun() : Directive(wire::plain_directive()) {}
  trace::Schedule schedule;
};

// What came of it. The spans hold while it is looked at.
struct Probe {
  const wire::Result& result;
  std::span<const wire::Step> steps;  // all; empty: the worker took them with it
  std::span<const uint64_t> notes;    // kNoteStates: see runtime/schedule/state_keys.h
  bool declares_states = false;       // heddle::state: then the notes are the test's own word
};

// The lower, the simpler.
struct Cost {
  uint32_t preemptions = 0;
  uint32_t switches = 0;
  uint32_t steps = 0;
  auto operator<=>(const Cost&) const = default;
};

// An execution, as a value: how to come to it again, and what it did.
struct KnownRun {
  wire::Result result{};
  std::vector<wire::Step> steps;

  Cost cost() const;
  trace::Schedule schedule() const { return trace::schedule_of(steps); }
};
KnownRun known_run(const Probe& probe);

inline bool is_preemption(const wire::Step& step) {
  return step.choice >= step.free_options && step.choice != 0;
}
uint32_t switches_of(std::span<const wire::Step> steps);

// Executions and steps that may be spent; an execution costs as much as so many steps would. Time
// is an emergency brake alone, for programs that compute for long between two steps.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  Budget(uint64_t units, uint32_t of_execution, Clock::time_point end = Clock::time_point::max())
      : left_(units), of_execution_(of_execution), end_(end) {}

  void pay(const wire::Result& result);
  bool is_spent() const { return left_ == 0 || Clock::now() >= end_; }
  uint64_t left() const { return left_; }
  // A part of what is left; the rest comes back with give_back.
  Budget part(uint64_t units);
  void give_back(const Budget& part) { left_ += part.left_; }

 private:
  uint64_t left_;
  uint32_t of_execution_;
  Clock::time_point end_;
};

class Prober {
 public:
  // Nothing: not until something that is under way has been seen; or never again.
  using Next = std::function<std::optional<Rerun>()>;
  // False: it is enough.
  using See = std::function<bool(const Probe& probe)>;

  virtual ~Prober() = default;
  // Until `see` has enough, or `next` has nothing while nothing is under way. False: there was an
  // interrupt.
  virtual bool run_all(const Next& next, const See& see) = 0;
};

// One alone; nullopt: there was an interrupt.
std::optional<KnownRun> run_one(Prober& prober, const Rerun& rerun);

// A run that follows these decisions, and then the default behaviour.
Rerun rerun_along(trace::Schedule schedule, uint32_t flags = 0);
// The first `count` steps, and at the next one this option.
trace::Schedule branch_off(std::span<const wire::Step> steps, uint32_t count, uint32_t choice);

inline uint32_t notes_flag(bool wanted) { return wanted ? uint32_t{wire::kNoteStates} : 0; }

// The keys of the states of a run, by rising step.
class StateNotes {
 public:
  explicit StateNotes(std::span<const uint64_t> notes) : notes_(notes) {}
  struct Note {
    uint64_t step;
    uint64_t key;
    uint64_t thread;  // that is running
  };
  // Before this step; nullopt: it was not noted.
  std::optional<Note> at(uint32_t step);

 private:
  std::span<const uint64_t> notes_;  // those that are still to come
};

}  // namespace heddle::session
