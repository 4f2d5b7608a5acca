// What is told of a failure beside its own place: the other access of a race, who freed the memory,
// who allocated it. Only an execution that is shown (wire::kDetail) has witnesses.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// The address that the failure is about.
void set_disputed(uint64_t address);

// A further witness; its size and stack are the caller's to fill.
wire::Witness* add_witness(wire::Role role, uint32_t thread);

}  // namespace heddle::runtime
