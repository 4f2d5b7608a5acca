// Sampling along reads-from pairs (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for
// Concurrency Testing, 2024). What is fed back, and which pairs are asked for, is the strategy's:
// explore/reads_from.h.
//
// A pair is two places in the code: that of an operation that reads, or waits for, an object, and
// that of the last one before it that has changed it; 0, if none has. Partial order sampling
// (pos.h) decides, but
// - a pair that is required: who would make it goes first, and so does who would write for it;
//   who would read something else, or write over it, waits while others can go;
// - a pair that is forbidden: who would make it waits while others can go.
//
// Hints: for each pair 1 (required) or 2 (forbidden), the place that reads, the one that has
// written, and the name of an object that both have used. Notes, with kNoteReads: for each
// different pair the object's name, and the two places.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kRfDecider;

}  // namespace heddle::runtime
