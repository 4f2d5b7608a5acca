// What the thread that a script has let go is to come to: until(…) of a transfer, as a condition
// over the operation that it has announced. See scenario.h.
//
// Plain accesses, and entries and exits of functions, are operations only where the condition waits
// for them. Places in the code are known by what the script calls them; where one is not known, the
// execution ends, the engine finds it, and the search begins again (wire::ScriptPlaces).
#pragma once

#include "heddle/script.h"
#include "runtime/thread.h"

namespace heddle::runtime {

// Functions that are entered or left have to be told.
extern bool g_watches_calls;

void until_begin(const heddle_until* entries, uint32_t count, uint64_t pc);
void until_forget();  // nothing is waited for
void until_only_labels(bool on);

bool until_is_open();                // the search chooses among the points that fit
const heddle_until* until_of_one();  // null: the condition has several entries

// Whether the thread, which has announced an operation or has ended, is at what is described.
bool until_is_met(const Thread* thread);
// … and it is there because it has ended or is blocked, so that it comes to no further visit.
bool until_is_met_for_good(const Thread* thread);
bool until_has_reached_place();  // its operation is one only since the condition names its place
void until_looked_at();

// Whether the running thread's access, which is no operation else, is one for the condition.
bool until_wants_access(uint64_t address, uint64_t bytes, bool write, uint64_t pc);
// A hook at the entry of a function, which returns to `return_address`, or at its exit (0), is
// called at `pc` with the stack pointer at `sp`: what the script calls that, if it waits for it,
// which is then an operation; else null.
const char* until_wants_call(uint64_t pc, uint64_t return_address, uint64_t sp);

}  // namespace heddle::runtime
