// The search: one loop that serves all strategies.
//
// It is deterministic, and independent of the number of workers and of time. Outcomes are looked at
// in the order in which their jobs were issued; and when the outcome of job k is looked at, exactly
// those jobs have been issued that the strategy could name after the outcomes before k, at most
// Strategy::lag() of them at a time. So the number of the execution that fails, and every count,
// is the same in each run and for each --jobs. Budgets in executions are exact; a budget in seconds
// is the one thing that depends on time.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_set>

#include "explore/distinct.h"
#include "explore/state_set.h"
#include "explore/strategy.h"
#include "pool/pool.h"

namespace heddle::explore {

struct Limits {
  std::optional<uint64_t> executions;
  std::optional<double> seconds;
  bool keep_going = false;
  // An execution so many steps longer than any that has ended will never end; 0: who knows.
  uint32_t livelock_after = 0;
  bool ends_with_realised = false;  // an execution that goes as its script says is all it takes
};

// That the plan takes of a budget; of a subtree the most.
uint64_t executions_of(const pool::Plan& plan);

struct Counts {
  uint64_t executions = 0;
  // Of these: of searches before this one, from which it has learnt which places race. They are in
  // the other counts as well, but not in those of what this search covers.
  uint64_t learning = 0;
  uint64_t failing = 0;
  uint64_t failures = 0;  // different ones
  uint64_t steps = 0;
  uint64_t pruned = 0;
  uint64_t redundant = 0;  // of these: cut short by reduction
  uint64_t cut = 0;
  uint64_t finished = 0;
  uint64_t infeasible = 0;  // did not go as the script says
  uint64_t set_back = 0;    // fair scheduling has left schedules out there
  uint64_t counted = 0;     // of these: since a thread made too many steps without a yield
  uint64_t lost = 0;       // failures without steps: what could have come after them is not covered
  uint32_t threads = 0;    // most in one execution
  uint32_t max_steps = 0;  // of the longest execution
  uint32_t last_steps = 0;
  uint32_t longest_ended = 0;  // steps of the longest execution that came to an end
};

// Of the executions of one of several parts of a search: those that all parts run.
struct CommonCounts {
  uint64_t executions = 0;
  uint64_t failing = 0;
  uint64_t steps = 0;
  uint64_t pruned = 0;
  uint64_t redundant = 0;
  uint64_t cut = 0;
  uint64_t set_back = 0;
  uint64_t hash = 0;  // of their steps: the same in all parts, or these are not parts of one search
};

enum class SearchEnd {
  broken,    // an error came between
  complete,  // the strategy has nothing left
  budget,
  failure,   // found one, and was not to go on
  realised,  // an execution goes as the script says, and that was the question
  interrupted,
  diverged,  // the test is not repeatable
  unsupported,
  out_of_space,  // what waits fits neither into memory nor on the disk
  learnt,        // places race that were no operations: the search has to begin again with them
};

// An execution that is worth a closer look. All of it holds during the call only.
struct Occurrence {
  const pool::Plan& plan;
  const pool::Outcome& outcome;
  const pool::Pool& pool;
  uint64_t number;                    // of the execution, from 1
  pool::Pool::Clock::time_point end;  // of the budget in seconds

  // All that a report needs of it: a copy, of more than is needed for most.
  trace::Evidence evidence() const { return pool.evidence(); }
};

enum class Suppression {
  none,
  passed_over,  // the search goes on
  learnt,       // it begins again, and executions go on where they have failed
};

// What the search tells while it runs.
class SearchEvents {
 public:
  virtual ~SearchEvents() = default;

  // The first execution, whatever came of it: of use for a second look in the end.
  virtual void first(const Occurrence&) {}
  // Whether a failure that is not like any before is known, and is to be passed over.
  virtual Suppression suppress(const Occurrence&) { return Suppression::none; }
  // A failure that is not like any before. False: stop.
  virtual bool failure(const Occurrence& what) = 0;
  // The execution did not follow its prefix. The search ends.
  virtual void diverged(const Occurrence& what) = 0;
  // The execution used what cannot be controlled. The search ends.
  virtual void unsupported(const Occurrence& what) = 0;
  // The execution has found places that race, others than those that are operations and those that
  // executions before have found.
  virtual void racing(const Occurrence&) {}
  // The execution cannot go as its script says.
  virtual void infeasible(const Occurrence&) {}
  // It has gone as its script says, which is all that was asked for. The search ends.
  virtual void realised(const Occurrence&) {}
  // Each execution, before anything is made of it; only if wants_each(), which is asked once.
  virtual void each(const Occurrence&) {}
  virtual bool wants_each() const { return false; }
  // … and with all of its steps, whatever the strategy needs of it; asked once, too.
  virtual bool wants_steps() const { return false; }
  // The disk has no room for what waits, or fails. The search ends.
  virtual void out_of_space(const std::string&) {}
  // A few times a second, between two executions.
  virtual void progress(const Counts& counts) = 0;
  // What is to be taken off the budget in seconds for what comes after the search; asked after
  // progress().
  virtual double seconds_to_conclude() { return 0; }
};

class Search {
 public:
  // `before`: what searches before this one have counted, if it goes on from what they have learnt.
  Search(Strategy& strategy, pool::Pool& pool, const Limits& limits, SearchEvents& events,
         const Counts& before = {});

  SearchEnd run();

  // What the strategy does not know: counts, and the plans that are under way. To be called when
  // run() has returned for a budget or an interrupt, or from progress(). After load() the search
  // goes on as if it had never stopped; budgets count from there.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  bool knows_plans() const;  // when the strategy is loaded, too: plans that were under way are its

  const Counts& counts() const { return counts_; }
  const CommonCounts& common() const { return common_; }
  DistinctCounter& distinct() { return distinct_; }
  const StateSet& states() const { return states_; }
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  SearchEnd loop();
  // An outcome is there: what the search does next, if it is not to go on.
  std::optional<SearchEnd> execution_done(const pool::Outcome& outcome);
  // merge.cc: that of a subtree.
  std::optional<SearchEnd> subtree_done(const pool::Outcome& outcome);
  void merge(const causality::Subtree& subtree);
  // Who has run nothing has covered nothing.
  bool complete() const {
    bool has_run = counts_.executions > counts_.learning;
    return has_run && strategy_.complete() && counts_.lost == 0;
  }
  bool learn(const Occurrence& occurrence);
  void issue();
  bool may_issue(pool::Plan* plan) const;
  void submit(pool::Plan plan);
  // Of executions that have been made since there were so many.
  bool lesson_is_over(uint64_t before) const;
  void account(const wire::Result& result);
  void count_common(const Counts& before, const wire::Result& result);
  // What the outcome means for the search; nullopt: go on.
  std::optional<SearchEnd> look_at(const pool::Plan& plan, const pool::Outcome& outcome);
  std::optional<SearchEnd> judge(const Occurrence& occurrence);
  std::optional<SearchEnd> judge_failure(const Occurrence& occurrence);
  Clock::time_point next_stop() const;
  bool time_is_up(bool waited);

  Strategy& strategy_;
  pool::Pool& pool_;
  Limits limits_;
  SearchEvents& events_;
  const bool tell_each_;
  const bool with_steps_;
  const uint64_t lag_;  // the strategy's; less, if the pool holds fewer jobs
  Counts counts_;
  CommonCounts common_;
  DistinctCounter distinct_;
  StateSet states_;
  std::unordered_set<uint64_t> failure_keys_;
  std::unordered_set<uint64_t> racing_keys_;
  std::unordered_set<uint64_t> suppressed_keys_;  // of failures that are passed over
  uint64_t issued_ = 0;  // executions, and as many as subtrees under way may have
  // Plans that the strategy has given out and that are not to be run yet: those of a saved search,
  // and those beyond the budget. Without the budget they would be under way; so what is saved does
  // not depend on it.
  std::deque<pool::Plan> held_;
  uint64_t since_clock_ = 0;
  bool looked_closely_ = false;  // at the last execution: that takes time
  Clock::time_point begin_;
  Clock::time_point end_;   // of the budget in seconds
  Clock::time_point stop_;  // of the search: there is enough left to conclude
  Clock::time_point next_progress_;
};

}  // namespace heddle::explore
