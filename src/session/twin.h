// Twins: two executions, one that fails and one that passes, which differ in as little as can be:
// two steps that follow each other, in the other order.
//
// First the failing execution's own steps at and before its critical one are exchanged. If nothing
// passes so, there is an execution that comes to the same state and passes, and in which the
// critical step comes later, if at all: it is moved forward there, step by step, until the
// execution fails. Where the two steps exclude each other (whoever takes a lock keeps the other
// from it), the twins differ in which of them goes.
#pragma once

#include "session/critical.h"

namespace heddle::session {

struct Twins {
  uint32_t step = 0;      // the first that differs
  bool adjacent = false;  // this step and the next are exchanged; false: another thread goes here
  KnownRun passing;
  std::optional<KnownRun> failing;  // none: the failing execution that was given
};

// nullopt: none was found.
std::optional<Twins> find_twins(Prober& prober, const KnownRun& failing, const Critical& critical,
                                Budget* budget);

}  // namespace heddle::session
