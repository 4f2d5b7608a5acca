// The simplest schedule that leads to a failure: a search from below, by rising number of
// preemptions, and of switches among those with as many.
//
// It is a search for a shortest way in the graph of states. A node is a state and the thread that
// runs there: what a switch costs depends on it, and both together decide how the default behaviour
// goes on. Each execution comes through a row of nodes, and every option at each of them leads to
// another execution. Where it comes to a node that another has come to at no higher cost, it has
// nothing more to tell. Without keys of states every execution is one of its own, and the search
// plainly enumerates schedules.
#pragma once

#include "session/prober.h"

namespace heddle::session {

struct Fewest {
  std::optional<KnownRun> run;  // simpler than the one that was known; none: nothing was found
  bool proved = false;          // no schedule has fewer preemptions
  bool complete = false;        // nor as many, and fewer switches or steps
  bool interrupted = false;
};

// `known` fails; what is looked for has the same failure. With `matches` the notes of states are
// believed. An execution may be `limit` steps long.
Fewest find_fewest(Prober& prober, const KnownRun& known, bool matches, uint32_t limit,
                   Budget* budget);

}  // namespace heddle::session
