// The critical step of a failing execution: the state before it has a continuation that passes, the
// state after it has none.
//
// From the end of the execution backwards, all continuations of each of its states are run, depth
// first, but none twice from a state that was seen before: the first that passes tells the step.
// All that come after it have been run then. Where there are too many for the budget, the step is
// searched for by halves, with some continuations of each state, those with few preemptions first;
// then it is as good as these are.
#pragma once

#include "session/prober.h"

namespace heddle::session {

struct Critical {
  // After this step every continuation that was run fails. None: no execution that was run passes,
  // whatever comes first.
  std::optional<uint32_t> step;
  uint64_t tried = 0;  // continuations of the state after it, the failing execution among them
  bool all = false;    // all that there are, up to equivalence
  std::optional<KnownRun> passing;  // comes to the state before the step, and passes
};

// nullopt: nothing is known, since there was an interrupt, or the budget did not last.
std::optional<Critical> find_critical(Prober& prober, const KnownRun& failing, bool matches,
                                      Budget* budget);

}  // namespace heddle::session
