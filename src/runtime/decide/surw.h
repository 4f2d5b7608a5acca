// Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform
// Concurrency Testing, 2025): all interleavings of the operations on one object are alike, as far
// as it is known how many of them each thread will make.
//
// One thread is meant to make the next operation on the object: each with a probability in
// proportion to those that it, and the threads that it has yet to create, have left. Until it does,
// the others wait before theirs, and whatever else they do comes in any order.
//
// Hints: the name of the object; then pairs of a thread's id and the number of operations on the
// object that it and its descendants are expected to make.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kSurwDecider;

}  // namespace heddle::runtime
