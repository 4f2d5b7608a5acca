// See exit.h. In a process under control libc is not told of any handler: the runtime keeps those
// of before main, for all executions, and those of the execution itself.
#include "runtime/intercept/exit.h"

#include <stdlib.h>
#include <unistd.h>

#include "runtime/detect/heap.h"
#include "runtime/detect/outside.h"
#include "runtime/ending/ending.h"
#include "runtime/filter/scenario.h"
#include "runtime/intercept/thread_exit.h"
#include "runtime/isolate/arena.h"
#include "runtime/real.h"
#include "runtime/record/states.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

struct Handler {
  enum class Kind : uint8_t { with_argument, with_status } kind;
  union {
    void (*with_argument)(void*);
    void (*with_status)(int, void*);
  };
  void* argument;
};

// POSIX asks for 32; programs with many function statics need thousands.
constexpr uint32_t kMaxHandlers = 1 << 16;
Handler g_handlers[kMaxHandlers];
uint32_t g_count;
uint32_t g_kept;  // of before the execution
bool g_exiting;

// They are called in the reverse order: who comes first is last.
int add(const Handler& handler, uint64_t pc) {
  if (g_active) touch_outside(&exit_handlers, true, pc);
  if (g_count == kMaxHandlers) return -1;
  g_handlers[g_count++] = handler;
  if (!g_active) g_kept = g_count;
  return 0;
}

int add(void (*function)(void*), void* argument, uint64_t pc) {
  Handler handler{};
  handler.kind = Handler::Kind::with_argument;
  handler.with_argument = function;
  handler.argument = argument;
  return add(handler, pc);
}

}  // namespace

void exit_handlers_reset() {
  g_count = g_kept;
  g_exiting = false;
}

void program_exit(int status, bool run_handlers, uint64_t pc) {
  reach(wire::Op::exit, 0, pc);
  states_forget();  // what it looks at may be destroyed from now on
  if (run_handlers && !g_exiting) {
    g_exiting = true;
    run_thread_exits(g_run.current);
    while (g_count > 0) {
      Handler handler = g_handlers[--g_count];
      if (handler.kind == Handler::Kind::with_argument) {
        handler.with_argument(handler.argument);
      } else {
        handler.with_status(status, handler.argument);
      }
    }
  }
  if ((status & 0xff) != 0) {
    uint64_t key = static_cast<uint64_t>(status & 0xff);
    end_with_failure(wire::Failure::exit, pc, key, "the program ended with status %d",
                     status & 0xff);
  }
  if (g_scripted) scenario_exits();
  if (run_handlers) check_leaks();
  end_run(wire::Ending::finished);
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* module) {
  if (g_active || (g_region != nullptr && arena_serves()))
    return add(function, argument, HEDDLE_CALLER);
  return HEDDLE_REAL(cxa_atexit)(function, argument, module);
}

HEDDLE_EXPORT int on_exit(void (*function)(int, void*), void* argument) {
  if (g_active || (g_region != nullptr && arena_serves())) {
    Handler handler{};
    handler.kind = Handler::Kind::with_status;
    handler.with_status = function;
    handler.argument = argument;
    return add(handler, HEDDLE_CALLER);
  }
  return HEDDLE_REAL(on_exit)(function, argument);
}

HEDDLE_EXPORT void exit(int status) {
  if (g_active) program_exit(status, true, HEDDLE_CALLER);
  HEDDLE_REAL(exit)(status);
  __builtin_unreachable();
}

HEDDLE_EXPORT void quick_exit(int status) {
  if (g_active) program_exit(status, false, HEDDLE_CALLER);
  HEDDLE_REAL(quick_exit)(status);
  __builtin_unreachable();
}

// Not through libc: its _exit is what ends a worker for good.
HEDDLE_EXPORT void _exit(int status) {
  if (g_active) program_exit(status, false, HEDDLE_CALLER);
  for (;;) real::syscall(231 /* exit_group */, status);
}

HEDDLE_EXPORT void _Exit(int status) { _exit(status); }
