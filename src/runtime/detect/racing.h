// Places that race become operations, so that the search can put other threads between them and
// find what the race breaks: plain accesses with --races explore; the ends of blocks that others
// use, where that is no failure in itself (lifetime.h); calls by which threads share state outside
// of memory (outside.h).
//
// Which places these are is fixed for a whole search, or its executions would not fit together. An
// execution that finds more says so; the engine adds them and begins again. A search with reduction
// misses nothing before it has: of two effects that race, one comes second in some execution that
// it runs, and is found out there.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

extern bool g_explore_races;   // plain accesses that race become operations
extern bool g_learns_places;   // and so do the other effects
extern bool g_has_places;      // some have
extern uint64_t g_racing_key;  // of those that this execution has found: see wire::Result

void racing_begin();      // reads the places from the region
void racing_begin_run();  // nothing is found yet
bool is_racing_slow(uint64_t pc);

// Whether what is done at this place is an operation.
inline bool is_racing(uint64_t pc) { return HEDDLE_UNLIKELY(g_has_places) && is_racing_slow(pc); }

// … with what is done at the other place; 0: who knows.
void note_racing(uint64_t pc, uint64_t other = 0);

// Whether the engine has said of the race with this key that it is known: --suppress. Such keys
// stand among the places.
bool is_suppressed_race(uint64_t key);

}  // namespace heddle::runtime
