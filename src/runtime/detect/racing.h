// --races explore: a race is no failure; the places that race become operations, so that the search
// can put other threads between them and find what the race breaks.
//
// Which places these are is fixed for a whole search, or its executions would not fit together. An
// execution that finds more says so; the engine adds them and begins again.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

extern bool g_explore_races;

void racing_begin();      // reads the places from the region
void racing_begin_run();  // nothing is found yet
bool is_racing_slow(uint64_t pc);

// Whether the plain access at this place is an operation.
inline bool is_racing(uint64_t pc) {
  return HEDDLE_UNLIKELY(g_explore_races) && is_racing_slow(pc);
}

void note_racing(uint64_t pc);

}  // namespace heddle::runtime
