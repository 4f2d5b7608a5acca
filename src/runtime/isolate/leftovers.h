// What an execution leaves behind outside of its own memory and would find again in the next: open
// descriptors, mappings, the environment. Noted when it happens; undone before the next execution.
#pragma once

namespace heddle::runtime {

void leftovers_begin();  // what is there now stays
void leftovers_undo();

}  // namespace heddle::runtime
