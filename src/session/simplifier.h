// Makes the schedule of a failure simple: the fewest preemptions, then the fewest switches, then
// the fewest steps, with the same failure.
//
// Two searches take turns. One changes the schedule a little. It is a row of turns, of one thread
// each: a turn is left out; or, where a thread goes on later than it could, its next turn is moved
// to the one before it, or that one behind. If what comes of it is the same failure and simpler, it
// is taken, and so on from there. It comes far with a few runs, however long the execution is, but
// not always to the end. The other (fewest.h) begins with the simplest schedules of all: in a small
// program it finds the simplest one that fails, and proves it.
#pragma once

#include "session/prober.h"

namespace heddle::session {

struct Simplified {
  KnownRun run;  // the simplest that was found: `failing` itself, if there is none
  bool is_simpler = false;
  bool proved = false;  // no schedule has fewer preemptions
  bool interrupted = false;
};

// Whether failures of this kind are simplified: not what is told by its length, or takes seconds.
bool can_be_simplified(wire::Failure kind);

// `failing`: with all of its steps. With `matches` the notes of states are believed.
Simplified simplify(Prober& prober, const KnownRun& failing, bool matches, Budget* budget);

}  // namespace heddle::session
