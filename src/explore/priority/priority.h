// A priority function (gambit, section 4): how soon a schedule is to be run. Lower is sooner.
//
// Each is a file of this folder, listed in explore/order.cc. It is asked once for each schedule
// that is added to the fringe, and must be deterministic: the same number for the same execution
// and candidate, whatever the time and the number of workers.
#pragma once

#include <cstdint>

#include "causality/partial_order.h"
#include "trace/execution.h"

namespace heddle::explore {

// A schedule that could be run: the execution that is looked at, up to a step, and there another
// option.
struct Candidate {
  uint32_t step;
  uint32_t choice;
  uint32_t thread;       // that would go there; wire::kNoThread: not known
  uint32_t check;        // of the steps before: see wire::Step
  uint32_t preemptions;  // of the new schedule, up to and with this step
  bool preempts;         // the step is one of them
  // Where the order asks for it: what a reduction says to it, and whether sleep sets would leave it
  // out and it preempts.
  causality::Worth worth = causality::Worth::none;
  bool asleep = false;
};

class Priority {
 public:
  virtual ~Priority() = default;

  // Whether executions must be whole, with all steps, what was pending and the threads of options.
  // Without it look_at() may not be called, and the candidates' threads may not be known: the
  // worker can then look at the execution itself, and its steps stay where they are.
  virtual bool needs_whole() const { return false; }

  // Whether it looks at more of a candidate than its step, its preemptions, its worth and whether
  // it is asleep. Those that do not differ in these are of one priority otherwise.
  virtual bool by_choice() const { return needs_whole(); }

  // Called once for each execution, before its candidates; it lasts until they have been asked for.
  virtual void look_at(const trace::Execution&) {}

  virtual int32_t of(const Candidate& candidate) = 0;
};

}  // namespace heddle::explore
