// What an execution leaves behind outside of its own memory and would find again in the next: open
// descriptors, mappings, the environment. Noted when it happens; undone before the next execution.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Set by whoever has got a descriptor for the program.
extern "C" __attribute__((visibility("hidden"))) bool heddle_descriptors_noted;

// Memory that the program has mapped, and what it has given back.
void note_mapping(uint64_t begin, uint64_t bytes);
void forget_mappings(uint64_t begin, uint64_t bytes);

void leftovers_begin();  // what is there now stays
void leftovers_undo();

}  // namespace heddle::runtime
