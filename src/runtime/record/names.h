// Names that the program gives to objects: heddle::name. They hold for the execution in which they
// are given, until the memory begins a new life or is named anew.
#pragma once

#include "runtime/runtime.h"
#include "runtime/thread.h"

namespace heddle::runtime {

extern uint32_t g_name_count;
extern uint64_t g_names_generation;  // changes with each change of them

void name_object(uint64_t address, uint64_t size, const char* name);
bool has_name(uint64_t address);
bool has_name_in_focus(uint64_t address);  // one of wire::Places::names

void names_forget_slow(uint64_t address, uint64_t size);
inline void names_forget(uint64_t address, uint64_t size) {
  if (HEDDLE_UNLIKELY(g_name_count != 0)) names_forget_slow(address, size);
}
void names_reset();

// Names that a script gives to threads; empty: it has none.
void name_thread(const Thread* thread, const char* name);
const char* name_of_thread(const Thread* thread);

}  // namespace heddle::runtime
