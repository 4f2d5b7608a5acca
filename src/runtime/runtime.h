// What every file of the runtime may use: the state of control, and the rules.
//
// Rules of this folder: this code runs inside somebody else's process, in the middle of their lock.
// No allocation, no libc lock, no exception and no C++ static with a guard on the path of a hook;
// no thread-local variables of our own (a carrier thread wears the thread-local storage of many);
// an inactive hook is one branch.
#pragma once

#include <cstdint>

#include "wire/layout.h"

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
#define HEDDLE_LIKELY(x) __builtin_expect(!!(x), 1)
#define HEDDLE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HEDDLE_CALLER reinterpret_cast<uint64_t>(__builtin_return_address(0))

namespace heddle::runtime {

// True while an execution runs, on the one thread that carries it. Everything else is native.
extern bool g_active __asm__("heddle_g_active");

// True in a program that is to be controlled, while its static constructors run: serve/start.cc.
bool before_control();

// The program cannot be controlled: tells the engine why, and ends the process.
[[noreturn]] void refuse(const char* reason);

// Which plain reads and writes may be operations, beside those at racing places.
enum PlainAccesses : uint8_t {
  kAllAccesses = 1,      // --accesses all
  kWatchedAccesses = 2,  // those that a script waits for: filter/scenario.h
  kRoundsAccesses = 4,   // none: rounds of retry loops are looked at: record/retry.h
};
extern uint8_t g_plain_accesses;

// --spurious: what may happen for no reason is an outcome, too.
extern bool g_spurious;

// The region shared with the engine; null if this process is not under control.
extern wire::Region* g_region;

// Prints "heddle: " and the message, and ends the process: our own bug, with the steps so far in
// the region.
[[noreturn]] void internal_error(const char* message, const char* file, int line);

#define HEDDLE_INVARIANT(condition)   \
  (HEDDLE_LIKELY(condition) ? (void)0 \
                            : ::heddle::runtime::internal_error(#condition, __FILE__, __LINE__))

}  // namespace heddle::runtime
