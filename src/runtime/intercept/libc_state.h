// State that libc keeps for the program and that a snapshot does not reach: random numbers.
#pragma once

namespace heddle::runtime {

void libc_state_reset();

}  // namespace heddle::runtime
