// The conflicts of one execution: pairs of steps of two threads on the same object, not both reads,
// that nothing but chance has ordered. Where the first of them stands, the second's thread could
// have come between: a place for a yield point.
#pragma once

#include <cstdint>
#include <vector>

#include "causality/races.h"

namespace heddle::trace {

struct ConflictPair {
  uint32_t first;  // steps
  uint32_t second;
};

// `races` has looked at the whole execution. They are those of its races that are about an object:
// not those that order everything else (an exit, the fair scheduler's turns), nor those with a step
// that only lets others go, as an unlock does.
std::vector<ConflictPair> find_conflict_pairs(const causality::Races& races);

}  // namespace heddle::trace
