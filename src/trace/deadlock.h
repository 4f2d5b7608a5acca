// A deadlock in words: who waits for whom, as far as that is known. Threads wait for each other
// only where each waits for something that the next one holds, or for its end; who waits on a
// condition waits for nobody in particular.
#pragma once

#include <span>
#include <string>

#include "trace/finding.h"

namespace heddle::trace {

// "T1 and T2 wait for each other: T1 holds forks[0] and waits for forks[1], T2 holds forks[1] and
// waits for forks[0]". Empty: nobody waits.
std::string deadlock_words(std::span<const ThreadAtEnd> threads);

}  // namespace heddle::trace
