// The one interface of all strategies: which schedule next, and what an execution teaches.
//
// A strategy is a file of its own, listed in strategies.cc. It must be deterministic: the driver
// (search.cc) calls it in an order that depends neither on time nor on the number of workers, but
// on its lag() alone. It runs once for each execution, up to a million times a second: no
// allocation for each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "causality/observation.h"
#include "causality/subtree.h"
#include "explore/bytes.h"
#include "pool/plan.h"

namespace heddle::explore {

// The search tree and the fringe at one time.
struct TreeSample {
  uint64_t executions = 0;  // so far
  uint64_t nodes_created = 0;
  uint64_t alive = 0;  // nodes, and schedules that wait
  uint64_t bytes = 0;  // that these take in memory
  // Of the tree of partial schedules that these stand for (tree_history.h); not always counted.
  std::optional<uint64_t> uncompressed_bytes;
};

struct TreeStatistics {
  uint64_t nodes_created = 0;
  uint64_t nodes_peak = 0;               // alive, with the schedules that wait
  uint64_t bytes_peak = 0;               // in memory
  uint64_t spilled_bytes_peak = 0;       // on disk
  uint64_t uncompressed_bytes_peak = 0;  // of the samples, also of those that were left out
  std::vector<TreeSample> samples;
};

// A part of a search that goes from small to large (staged_search.h), as far as it has come.
struct Stage {
  std::string name;                     // "at most 1 preemption"
  std::string order;                    // of its schedules, with commas between the functions
  std::optional<uint32_t> preemptions;  // the bound; the schedules below it are those before
  bool reduce = false;
  uint64_t executions = 0;  // of this stage
  uint64_t common = 0;      // of these: those that all parts of a search run
  bool complete = false;
  double seconds = 0;
};

// What a sampler has run, in a search that has some beside it (portfolio.h).
struct Sampled {
  std::string name;
  uint64_t executions;
  uint64_t distinct;  // of these: unlike any before
};

// Of a search that knows the states it has come through.
struct Matching {
  uint64_t states;   // that it has processed; different ones, if it matches them
  uint64_t matched;  // how often it has come to one that it had been in
  bool on;           // … and has stopped there
};

// Of a guided search.
struct Guided {
  uint32_t places;  // of its route
  uint32_t passed;  // that some execution has passed, at most
  uint64_t states;  // steps, without those that executions repeat
  bool dropped;     // points to come back to were given up
};

// How many schedules: an estimate, and from where to where the number may lie.
struct Range {
  double estimate;
  double low;
  double high;
};

// What a search has still to run.
struct Remaining {
  uint64_t waiting = 0;        // schedules that are known already, with those under way
  std::optional<Range> range;  // these, and all that will come of them; none: not known
};

// Plans that may be under way while workers are kept busy, and that a strategy which does not mind
// makes ahead.
inline constexpr uint32_t kUsualLag = 256;

class Strategy : public pool::Planner {
 public:
  // How far its plans may be ahead of what it has learnt. When it is asked for its n-th plan, it
  // has learnt from the first n - lag() executions; from more of them only if it had no plan when
  // it was asked before. Always the same number, at least 1. A small one suits a strategy that is
  // to learn from its tenth execution; many workers then wait for each other.
  virtual uint32_t lag() const { return kUsualLag; }

  // The next schedule to run; nullopt: none at the moment, or none any more.
  virtual std::optional<pool::Plan> next() = 0;

  // What the execution of a plan that next() gave out has taught. Called once for each, in the
  // order of next().
  virtual void learn(const pool::Plan& plan, causality::Observation& observation) = 0;

  // The same of a plan of a subtree: Plan::executions. It has been searched as far as the plan
  // says, or as far as its worker could; or it is lost.
  virtual void learn_subtree(const pool::Plan&, const causality::Subtree&) { HEDDLE_CHECK(false); }

  // Everything that the strategy sets out to cover has been executed.
  virtual bool complete() const = 0;

  // From the execution of the plan it learns what threads would have done next: if that was lost
  // with its worker there is a gap.
  virtual bool needs_pending(const pool::Plan&) const { return false; }

  // The bound on preemptions kept schedules out: what is complete is not all.
  virtual bool held_back() const { return false; }

  // Of a search that goes bound by bound, fewest preemptions first: the bound of what is run now,
  // and whether all within it has been executed.
  virtual std::optional<uint32_t> bound() const { return std::nullopt; }
  virtual bool bound_is_complete() const { return false; }

  // Those that have begun; none: it has no stages. Those that are not complete are under way.
  virtual std::vector<Stage> stages() const { return {}; }
  // Of one of several parts of a search (cut.h): whether the plan is one of the common executions,
  // which all parts run; asked before it is learnt from.
  virtual bool is_common(const pool::Plan&) const { return false; }
  // … and whether others have a part of what it sets out to cover.
  virtual bool is_divided() const { return false; }

  // The name of the one that has made the plan; empty: none.
  virtual std::string stage_of(const pool::Plan&) const { return ""; }

  virtual std::optional<Matching> matching() const { return std::nullopt; }
  virtual std::optional<Guided> guided() const { return std::nullopt; }

  // The sampler that has made the plan; empty: it is of the strategy itself.
  virtual std::string sampler_of(const pool::Plan&) const { return ""; }
  virtual std::vector<Sampled> sampled() const { return {}; }

  // Until all is covered that the strategy sets out to cover; none: it has no end.
  virtual std::optional<Remaining> remaining() const { return std::nullopt; }
  // Of these, schedules that are known already, with those under way.
  virtual uint64_t waiting() const { return 0; }
  // Until the stage that is under way is complete; of a search without stages the same.
  virtual std::optional<Range> remaining_in_stage() const {
    std::optional<Remaining> all = remaining();
    return all ? all->range : std::nullopt;
  }

  virtual TreeStatistics statistics() const { return {}; }

  // All that the strategy has learnt and has to remember (bytes.h). Plans that are under way are
  // kept by the driver: after load() they are as if next() had given them out.
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
  // After load(): whether the plan can be one that next() has given out, with as many decisions as
  // write_decisions() writes.
  virtual bool knows(const pool::Plan& plan) const { return plan.decision_count == 0; }
};

}  // namespace heddle::explore
