// How executions end: normally, with a failure, or because they lead nowhere. Nobody returns from
// here. Every room may end an execution, those below this one, too.
#pragma once

#include <cstdarg>

#include "runtime/runtime.h"

namespace heddle::runtime {

// The execution is over. Whatever the program's threads were doing is dropped where it stands.
[[noreturn]] void end_run(wire::Ending ending);

// … with a failure of the running thread. `key` tells this failure from others of its kind, beside
// the place.
[[noreturn]] void end_with_failure(wire::Failure kind, uint64_t pc, uint64_t key,
                                   const char* format, ...) __attribute__((format(printf, 4, 5)));

// … since two accesses race. `key` stands for both places: whichever comes second, it is the same.
[[noreturn]] void end_with_race(uint64_t pc, uint64_t key);
// … as the engine gets it: wire::Result::failure_key.
uint64_t key_of_race(uint64_t key);

// … since it cannot go as its script says, in the transfer at `pc`: filter/scenario.h.
[[noreturn]] void end_infeasible(uint64_t pc, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// … since the script is wrong, at `pc`.
[[noreturn]] void end_with_wrong_script(uint64_t pc, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// … since no thread can go on.
[[noreturn]] void end_with_deadlock();

// … since its last `cycle` steps led back to where they began, and are fair: record/recurrence.h.
[[noreturn]] void end_with_livelock(uint32_t cycle);

// … since it has made as many steps as its job allows (wire::Job::limit, for --livelock-after),
// under fair scheduling, and is taken for one that never ends (fair, section 2). What it did last
// tells why:
// - every thread that runs on also yields: a livelock;
// - one runs on without a yield: how the others would have fared is not known. That violates the
//   good-samaritan rule, where this is an error; else the execution is cut.
[[noreturn]] void end_endless();

// … since the program uses something that is not under control. `hint` says what to do instead; it
// may be null.
[[noreturn]] void end_unsupported(const char* what, uint64_t pc, const char* hint = nullptr);
// … since the thread is blocked in the kernel, where nobody else can go on (wire::kBlocked): from a
// signal handler that has interrupted it at `pc`, or since it waits there for the call at `pc`.
[[noreturn]] void end_blocked(uint64_t pc);
[[noreturn]] void end_blocked_by_call(uint64_t pc);

// A failure from a signal handler: the stack comes from the interrupted context, and the worker
// ends after the result, since its memory cannot be trusted.
[[noreturn]] void end_from_signal(wire::Failure kind, uint64_t pc, uint64_t key, const char* format,
                                  ...) __attribute__((format(printf, 4, 5)));

// … since a thread that ends, or the whole program, leaves a thread control block that is broken:
// natively that is a crash at the latest now.
[[noreturn]] void end_overwritten();

// The report of a failure has crashed: what is known of it is told, without the rest. From a signal
// handler.
[[noreturn]] void end_as_noted();

// Failures that the scheduler finds where the running thread has announced an operation, and will
// not perform it.
constexpr bool found_by_scheduler(wire::Failure failure) {
  return failure == wire::Failure::deadlock || failure == wire::Failure::livelock ||
         failure == wire::Failure::good_samaritan || failure == wire::Failure::unmet;
}

// Filled before the worker takes the ending up: see serve/worker.cc.
struct EndOfRun {
  wire::Ending ending;
  wire::Failure failure;
  uint64_t key;
  uint64_t pc;
  uint32_t cycle;  // of a livelock: see wire::Result
};
extern EndOfRun g_end;

// Writes the result of the execution that has just ended to the ring: serve/worker.cc.
void deliver_result();
// The end of a process that a debugger has started, which runs one execution: serve/worker.cc.
[[noreturn]] void leave_debugged();

}  // namespace heddle::runtime
