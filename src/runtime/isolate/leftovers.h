// What an execution leaves behind outside of its own memory and would find again in the next: open
// descriptors, mappings, the environment. Noted when it happens; undone before the next execution.
#pragma once

#include <cstdint>

namespace heddle::runtime {

extern "C" {
// Set by whoever has got a descriptor for the program.
__attribute__((visibility("hidden"))) extern bool heddle_descriptors_noted;
// Set by whoever has changed the environment.
__attribute__((visibility("hidden"))) extern bool heddle_environment_noted;
}

// For HEDDLE_BEFORE_AND (before.h).
#define HEDDLE_NOTE_DESCRIPTORS "movb $1, heddle_descriptors_noted(%rip)\n"
#define HEDDLE_NOTE_ENVIRONMENT "movb $1, heddle_environment_noted(%rip)\n"

// The program has changed its working directory.
void note_directory();

// Memory that the program has mapped, and what it has given back.
extern bool g_has_mappings;  // it has: memory beside the heap can go, too
extern bool
    g_engine_works;  // in this process, for heddle::check: what it maps is not the program's
void note_mapping(uint64_t begin, uint64_t bytes);
void forget_mappings(uint64_t begin, uint64_t bytes);

void leftovers_begin();  // what is there now stays
void leftovers_undo();

}  // namespace heddle::runtime
