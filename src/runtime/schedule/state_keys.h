// Keys of states, for searches that stop where they have been before: wire::kNoteStates.
//
// The happens-before of a prefix decides which state it leads to, so its fingerprint stands for the
// state; where the test declares one (heddle::state), that does, with the operation at which each
// thread stands. Beside it the key has what the fair scheduler knows. What the bounds have left is
// the engine's, and it mixes that in.
//
// A note is three words: the step, the key, and the id of the running thread.
#pragma once

#include "runtime/run.h"

namespace heddle::runtime {

void note_state();

}  // namespace heddle::runtime
