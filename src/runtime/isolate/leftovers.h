// What an execution leaves behind outside of its own memory and would find again in the next: open
// descriptors, mappings, the environment. Noted when it happens; undone before the next execution.
#pragma once

namespace heddle::runtime {

// Set by whoever has got a descriptor for the program.
extern "C" __attribute__((visibility("hidden"))) bool heddle_descriptors_noted;

void leftovers_begin();  // what is there now stays
void leftovers_undo();

}  // namespace heddle::runtime
