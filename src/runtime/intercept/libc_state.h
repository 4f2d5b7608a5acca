// State that libc keeps for the program, that a snapshot does not reach, and that nobody else sets
// back: getopt's.
#pragma once

namespace heddle::runtime {

void libc_state_reset();

}  // namespace heddle::runtime
