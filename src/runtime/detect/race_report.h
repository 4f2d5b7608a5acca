// What is told of a race: both accesses with their stacks.
//
// A stack of a past access cannot be had when the race shows. So in an execution that is shown
// (wire::kDetail) every thread keeps its calls, as the compiler's hooks at function entry and exit
// tell them, and every access keeps its stack, shared with others of the same call. Access::pc is
// then the address of a KeptStack.
#pragma once

#include "runtime/detect/shadow.h"

namespace heddle::runtime {

// An execution that is shown is running: calls and stacks are kept.
extern bool g_keep_calls;

void call_entered(uint64_t return_address);
void call_left();
void calls_reset();

// What goes into Access::pc.
uint64_t access_place(uint64_t pc);

[[noreturn]] void report_race(uint64_t cell_address, const Access& earlier, const Access& later);

}  // namespace heddle::runtime
