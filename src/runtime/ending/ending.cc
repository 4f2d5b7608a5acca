// See ending.h.
#include "runtime/ending/ending.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "runtime/carrier/slots.h"
#include "runtime/debugger.h"
#include "runtime/isolate/modules.h"
#include "runtime/record/objects.h"
#include "runtime/record/stack.h"
#include "runtime/run.h"

namespace heddle::runtime {

EndOfRun g_end;

namespace {

// The innermost of the program's frames, or of a library that is neither libc nor Heddle: where a
// fault is told, whatever the program had called. 0: there is none.
uint64_t own_pc(const wire::Stack& stack) {
  for (uint32_t i = 0; i < stack.count; ++i) {
    if (!in_runtime(stack.pc[i]) && !in_libc(stack.pc[i])) return stack.pc[i];
  }
  return 0;
}

// Of a stack that is not known, or does not matter, the innermost frame.
void note_call_at(uint64_t pc, wire::Stack* stack) {
  stack->pc[0] = pc;
  stack->sp[0] = stack->sp[1] = 0;
  stack->count = 1;
}

// The stack of the interrupted context, without our own frames at its inner end. False: the first
// one is no more the instruction that the thread was at.
bool capture_interrupted(uint64_t pc, wire::Stack* stack) {
  stack->count = 0;
  if (pc != 0) capture_stack(stack, pc);
  if (stack->count > 0) return stack->pc[0] == pc;
  note_call_at(pc, stack);
  return true;
}

void note_failure(wire::Failure kind, uint64_t pc, uint64_t key, bool fault, const char* format,
                  va_list arguments) {
  wire::FailureDetail& failure = wire::detail(g_region)->failure;
  bool is_exact = false;
  // A broken stack may be what has led to the fault: in a search it is left alone where it can be.
  if (fault && (g_run.detail || in_runtime(pc) || in_libc(pc))) {
    is_exact = capture_interrupted(pc, &failure.stack);
    uint64_t own = own_pc(failure.stack);
    if (own != 0) pc = own;
  }
  g_end.failure = kind;
  g_end.pc = pc;
  g_end.key = mix(mix(static_cast<uint64_t>(kind), key), object_name(pc));
  if (!g_run.detail) return;
  failure.kind = kind;
  failure.thread = g_run.current != nullptr ? g_run.current->index : 0;
  failure.fault_pc = is_exact ? 1 : 0;
  static constexpr char kUntold[] = "crashed; more cannot be said: so did the report of it";
  memcpy(failure.message, kUntold, sizeof kUntold);
  vsnprintf(failure.message, sizeof failure.message, format, arguments);
  if (g_in_state) {
    size_t length = strlen(failure.message);
    snprintf(failure.message + length, sizeof failure.message - length,
             ", in the function given to heddle::state");
  }
  if (!fault) capture_stack(&failure.stack);
}

// Where the script is, `pc`, is what counts, and not who is running.
void note_failure_of_script(wire::Failure kind, uint64_t pc, const char* format,
                            va_list arguments) {
  g_end.failure = kind;
  g_end.pc = pc;
  g_end.key = mix(static_cast<uint64_t>(kind), object_name(pc));
  if (!g_run.detail) return;
  wire::FailureDetail& failure = wire::detail(g_region)->failure;
  failure.kind = kind;
  failure.thread = 0;
  failure.fault_pc = 0;
  note_call_at(pc, &failure.stack);
  vsnprintf(failure.message, sizeof failure.message, format, arguments);
}

void note_failure_as(wire::Failure kind, uint64_t pc, uint64_t key, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  note_failure(kind, pc, key, false, format, arguments);
  va_end(arguments);
}

}  // namespace

namespace {

[[noreturn]] void end_debugged() {
  bool failed = g_end.ending == wire::Ending::failed;
  debugger_end(g_end.ending, failed ? g_end.failure : wire::Failure::none);
  leave_debugged();
}

}  // namespace

void end_overwritten() {
  end_from_signal(wire::Failure::crash, g_run.current->pending.pc, 0,
                  "a thread control block is overwritten: a thread has written beyond its "
                  "thread-local variables, or where pthread_self() points to");
}

void end_run(wire::Ending ending) {
  g_active = false;
  if (ending == wire::Ending::finished && HEDDLE_UNLIKELY(!slots_are_intact())) end_overwritten();
  // A run that ends before its schedule does has not followed it, unless only wishes are left.
  while (g_run.decision != g_run.decision_end && g_run.decision->is_wish()) ++g_run.decision;
  bool all_followed = g_run.decision == g_run.decision_end && g_run.job.check_step == wire::kNoStep;
  if (ending != wire::Ending::unsupported && !all_followed) ending = wire::Ending::diverged;
  g_end.ending = ending;
  if (HEDDLE_UNLIKELY(g_debugged)) end_debugged();
  leave_run();
}

void end_with_failure(wire::Failure kind, uint64_t pc, uint64_t key, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  g_active = false;
  note_failure(kind, pc, key, false, format, arguments);
  va_end(arguments);
  end_run(wire::Ending::failed);
}

void end_with_race(uint64_t pc, uint64_t key) {
  g_active = false;
  note_failure_as(wire::Failure::data_race, pc, 0, "two accesses to the same memory, in no order");
  g_end.key = key_of_race(key);
  end_run(wire::Ending::failed);
}

uint64_t key_of_race(uint64_t key) {
  return mix(static_cast<uint64_t>(wire::Failure::data_race), key);
}

void end_from_signal(wire::Failure kind, uint64_t pc, uint64_t key, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  g_active = false;
  use_storage_of_main();
  note_failure(kind, pc, key, true, format, arguments);
  va_end(arguments);
  // Where a hanging thread is caught is chance; where it was last seen is not.
  if (kind == wire::Failure::hang) g_end.key = mix(key, object_name(g_run.current->pending.pc));
  g_end.ending = wire::Ending::failed;
  if (g_debugged) end_debugged();
  deliver_result();
  _exit(wire::kWorkerRestart);
}

void end_as_noted() {
  // Again: nobody is left to ask. The engine knows the job and its steps.
  static bool tried;
  if (tried || g_end.failure == wire::Failure::none) _exit(wire::kReportCrashed);
  tried = true;
  g_run.detail = false;  // it may have been the details
  g_end.ending = wire::Ending::failed;
  deliver_result();
  _exit(wire::kWorkerRestart);
}

void end_infeasible(uint64_t pc, const char* format, ...) {
  g_active = false;
  g_end.pc = pc;
  if ((g_run.job.flags & wire::kMustBeFeasible) == 0) end_run(wire::Ending::infeasible);
  va_list arguments;
  va_start(arguments, format);
  note_failure_of_script(wire::Failure::unmet, pc, format, arguments);
  va_end(arguments);
  end_run(wire::Ending::failed);
}

void end_with_wrong_script(uint64_t pc, const char* format, ...) {
  g_active = false;
  va_list arguments;
  va_start(arguments, format);
  note_failure_of_script(wire::Failure::misuse, pc, format, arguments);
  va_end(arguments);
  end_run(wire::Ending::failed);
}

void end_with_deadlock() {
  // Two deadlocks are the same if the same threads wait at the same places.
  uint64_t key = 0;
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    const Thread* thread = g_run.living[i];
    key = mix(key, mix(thread->id, object_name(thread->pending.pc)));
    if (!thread->runs_script) ++waiting;
  }
  const char* form = waiting == 1 ? "%u thread waits for something that no thread can give"
                                  : "%u threads wait for each other, and none can go on";
  g_active = false;
  if (g_run.detail) {
    wire::FailureDetail& failure = wire::detail(g_region)->failure;
    failure.kind = wire::Failure::deadlock;
    failure.thread = wire::kNoThread;
    snprintf(failure.message, sizeof failure.message, form, waiting);
  }
  g_end.failure = wire::Failure::deadlock;
  g_end.pc = g_run.living[0]->pending.pc;
  g_end.key = mix(static_cast<uint64_t>(wire::Failure::deadlock), key);
  end_run(wire::Ending::failed);
}

namespace {

void note_unsupported(const char* what, const char* hint) {
  snprintf(g_region->unsupported, sizeof g_region->unsupported, "%s%s%s", what,
           hint != nullptr ? "\n" : "", hint != nullptr ? hint : "");
}

[[noreturn]] void end_in_kernel(uint64_t pc) {
  note_unsupported(wire::kBlocked, nullptr);
  g_end.pc = pc;
  g_end.ending = wire::Ending::unsupported;
  if (g_debugged) end_debugged();
  deliver_result();
  _exit(wire::kWorkerRestart);
}

}  // namespace

void end_unsupported(const char* what, uint64_t pc, const char* hint) {
  g_active = false;
  note_unsupported(what, hint);
  capture_stack(&wire::detail(g_region)->failure.stack);
  g_end.pc = pc;
  end_run(wire::Ending::unsupported);
}

void end_blocked(uint64_t pc) {
  g_active = false;
  capture_interrupted(pc, &wire::detail(g_region)->failure.stack);
  end_in_kernel(pc);
}

void end_blocked_by_call(uint64_t pc) {
  g_active = false;
  note_call_at(pc, &wire::detail(g_region)->failure.stack);
  end_in_kernel(pc);
}

}  // namespace heddle::runtime
