// See debugger.h.
#include "runtime/debugger.h"

#include "runtime/run.h"

using heddle::runtime::Debugger;
using heddle::runtime::DebuggerState;

extern "C" {
__attribute__((visibility("default"))) Debugger heddle_debugger;
}

// Places for breakpoints: before main begins, where heddle_debugger.stop_at can be set; where a
// thread has been created; before a step; at the end of the execution.
HEDDLE_EXPORT __attribute__((noinline)) void heddle_debugger_begin() {
  __asm__ volatile("" ::: "memory");
}
HEDDLE_EXPORT __attribute__((noinline)) void heddle_debugger_thread() {
  __asm__ volatile("" ::: "memory");
}
HEDDLE_EXPORT __attribute__((noinline)) void heddle_debugger_stop() {
  __asm__ volatile("" ::: "memory");
}
HEDDLE_EXPORT __attribute__((noinline)) void heddle_debugger_end() {
  __asm__ volatile("" ::: "memory");
}

namespace heddle::runtime {

bool g_debugged;

namespace {

int32_t g_tids[wire::kMaxThreads + 1];

const char* ending_name(wire::Ending ending) {
  switch (ending) {
    case wire::Ending::finished:
      return "the program has ended";
    case wire::Ending::pruned:
      return "heddle::assume does not hold";
    case wire::Ending::cut:
      return "there are too many steps";
    case wire::Ending::diverged:
      return "it does not go as its schedule says";
    case wire::Ending::unsupported:
      return "what it uses is not supported";
    case wire::Ending::infeasible:
      return "it cannot go as its script says";
    default:
      return "it was given up";
  }
}

}  // namespace

void debugger_begin() {
  heddle_debugger = {};
  heddle_debugger.layout = kDebuggerLayout;
  heddle_debugger.stop_at = wire::kNoStep;
  heddle_debugger.tids = g_tids;
  heddle_debugger_begin();
}

void debugger_thread_created(const Thread* thread, int tid) {
  g_tids[thread->index] = tid;
  heddle_debugger.thread_count = g_run.thread_count;
  heddle_debugger_thread();
}

void debugger_thread_ended(const Thread* thread) { g_tids[thread->index] = -g_tids[thread->index]; }

void debugger_step() {
  Debugger& shown = heddle_debugger;
  shown.step = g_run.step - 1;
  shown.thread = g_run.current->index;
  if (shown.step >= shown.stop_at) {
    shown.state = DebuggerState::at_step;
    heddle_debugger_stop();
  }
  shown.state = DebuggerState::running;
}

void debugger_end(wire::Ending ending, wire::Failure failure) {
  Debugger& shown = heddle_debugger;
  shown.state = DebuggerState::ended;
  shown.step = g_run.step;
  shown.thread = g_run.current != nullptr ? g_run.current->index : 0;
  shown.failed = ending == wire::Ending::failed ? 1 : 0;
  shown.outcome = shown.failed != 0 ? wire::failure_name(failure) : ending_name(ending);
  heddle_debugger_end();
}

}  // namespace heddle::runtime
