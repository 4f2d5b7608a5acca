#include "runtime/record/stack.h"

#include <unwind.h>

#include "runtime/isolate/modules.h"
#include "runtime/record/guard.h"

namespace heddle::runtime {

bool g_guarded;
void* g_way_back[5];

namespace {

struct Walk {
  wire::Stack* stack;
  bool inside;    // still among our own frames, or those of libc's functions
  uint64_t from;  // the frames before this one are those of a signal handler; 0: there are none
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
  auto* walk = static_cast<Walk*>(argument);
  uint64_t pc = _Unwind_GetIP(context);
  if (pc == 0) return _URC_END_OF_STACK;
  if (walk->from != 0 && pc != walk->from) return _URC_NO_REASON;
  walk->from = 0;
  if (in_runtime(pc)) {
    // Our frames at the inner end are hooks; those at the outer end are how threads are started.
    if (walk->inside) return _URC_NO_REASON;
    walk->stack->sp[walk->stack->count] = _Unwind_GetCFA(context);
    return _URC_END_OF_STACK;
  }
  if (!in_libc(pc)) walk->inside = false;
  wire::Stack* stack = walk->stack;
  stack->sp[stack->count] = _Unwind_GetCFA(context);
  if (stack->count == wire::kFrames) return _URC_END_OF_STACK;
  stack->pc[stack->count++] = pc;
  stack->sp[stack->count] = 0;
  return _URC_NO_REASON;
}

struct Wanted {
  bool (*is)(uint64_t pc);
  uint64_t pc;
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* argument) {
  auto* wanted = static_cast<Wanted*>(argument);
  uint64_t pc = _Unwind_GetIP(context);
  if (pc == 0) return _URC_END_OF_STACK;
  if (!wanted->is(pc)) return _URC_NO_REASON;
  wanted->pc = pc;
  return _URC_END_OF_STACK;
}

}  // namespace

void capture_stack(wire::Stack* stack, uint64_t from) {
  bool active = g_active;
  g_active = false;  // the unwinder locks and allocates like anybody else
  stack->count = 0;
  Walk walk{stack, true, from};
  guarded([&] { _Unwind_Backtrace(visit_frame, &walk); });
  g_active = active;
}

uint64_t innermost_frame(bool (*wanted)(uint64_t pc)) {
  bool active = g_active;
  g_active = false;
  Wanted found{wanted, 0};
  guarded([&] { _Unwind_Backtrace(look_at_frame, &found); });
  g_active = active;
  return found.pc;
}

}  // namespace heddle::runtime
