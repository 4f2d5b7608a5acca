// Priorities by chance (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs, 2010).
//
// Each thread gets a priority when it is created, by chance; the highest that can go goes. At d - 1
// moments, by chance too, the thread that is about to go falls below all others. With n threads and
// k moments to choose from, a bug of depth d is hit with a probability of 1 / (n k^(d-1)) at least.
//
// A moment is a choice point, where the paper has every step: where only one thread can go, it
// makes no difference whether it falls. So k is smaller, and the bound better.
//
// Under fair scheduling a thread that yields in vain gives way, whatever its priority; and so does,
// at most times, one that sleeps or waits for a time to come (by_priority.h). The bound holds for
// programs that do neither.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

// wire::Directive::parameter: d in the low 8 bits, k in the others.
extern const Decider kPctDecider;

}  // namespace heddle::runtime
