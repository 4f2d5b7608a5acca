// A descent of depth-first search with randomized backtracking (Parizek, Lhotak: Randomized
// Backtracking in State Space Traversal, 2011, figure 2): from the state that the schedule leads to
// always along the first transition of the search order, to the end of the execution; or, from a
// certain depth on, until chance says that it is enough. What comes after that, and which states
// were seen before, is the engine's: explore/backtracking.h.
//
// Hints: a wire::DescentOrder, the threshold, the ratio (base/ratio.h: two words), and the depth
// that the schedule leads to.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kDescendDecider;

}  // namespace heddle::runtime
