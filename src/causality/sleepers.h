// Sleep sets after the fact: who still sleeps after a step of an execution. The runtime does the
// same while it runs it (runtime/schedule/sleep.h).
#pragma once

#include <cstdint>

#include "causality/races.h"

namespace heddle::causality {

// `asleep` has a bit for each thread that sleeps when the step is made; returns those that still do
// after it.
uint64_t still_asleep(uint64_t asleep, const Races& races, uint32_t step);

}  // namespace heddle::causality
