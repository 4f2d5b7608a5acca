// Threads: create, join, detach, exit.
#include "runtime/intercept/threads.h"

#include <errno.h>
#include <string.h>
#include <unwind.h>

#include "runtime/carrier/slots.h"
#include "runtime/debugger.h"
#include "runtime/detect/misuse.h"
#include "runtime/ending/ending.h"
#include "runtime/intercept/cleanup.h"
#include "runtime/intercept/exit.h"
#include "runtime/intercept/keys.h"
#include "runtime/intercept/random.h"
#include "runtime/intercept/thread_exit.h"
#include "runtime/intercept/time.h"
#include "runtime/isolate/modules.h"
#include "runtime/real.h"
#include "runtime/record/states.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/mutex.h"
#include "runtime/sync/robust.h"

namespace heddle::runtime {

using wire::Op;

namespace {

void abandon_robust(Thread* thread) {
  while (uint64_t object = take_robust(thread)) {
    Mutex mutex(reinterpret_cast<pthread_mutex_t*>(object));
    if (!mutex.is_robust() || !mutex.held_by(thread))
      continue;  // its memory serves another purpose
    reach(Op::abandon, object, 0);
    mutex.abandon();
  }
}

[[noreturn]] void finish_thread(void* result) {
  Thread* self = g_run.current;
  if (HEDDLE_UNLIKELY(!is_intact(*self->slot))) end_overwritten();
  self->result = result;
  state_function_returned();
  run_thread_exits(self);
  run_key_destructors(self);
  abandon_robust(self);
  reach(Op::end, self->id, 0);
  // The last thread of a program whose main has left by pthread_exit ends the program.
  if (g_run.living_count == 1) program_exit(0, true, 0);
  order_release(self->id);
  set_state(self, State::ended);
  refresh(self->id);
  if (HEDDLE_UNLIKELY(g_debugged)) debugger_thread_ended(self);
  if (self->detached) free_slot(self->slot);
  settle();
  __builtin_unreachable();
}

void thread_main() {
  Slot* slot = g_run.current->slot;
  if (HEDDLE_UNLIKELY(g_debugged)) debugger_step();
  finish_thread(slot->function(slot->argument));
}

// Null: there are too many.
Thread* start(void* (*function)(void*), void* argument, bool detached, uint64_t pc) {
  Thread* self = g_run.current;
  reach(Op::create, child_id(self, self->children + 1), pc);
  Slot* slot = take_slot();
  if (slot == nullptr) return nullptr;
  Thread* child = add_thread(self);
  if (child == nullptr) {
    free_slot(slot);
    return nullptr;
  }
  order_begin(child, self);
  random_inherit(self, child);
  child->slot = slot;
  child->detached = detached;
  child->pending.object = child->id;
  slot->thread = child;
  slot->function = function;
  slot->argument = argument;
  prepare_thread(child, thread_main);
  if (HEDDLE_UNLIKELY(g_debugged)) debugger_thread_created(child, slot->tid);
  return child;
}

int create(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*),
           void* argument, uint64_t pc) {
  if (in_openmp(pc))
    end_unsupported("a team of threads of OpenMP, which synchronises behind libc", pc,
                    "run with OMP_THREAD_LIMIT=1, or use std::thread in the test");
  int detach_state = PTHREAD_CREATE_JOINABLE;
  size_t stack_size = 0;
  if (attributes != nullptr) {
    pthread_attr_getdetachstate(attributes, &detach_state);
    pthread_attr_getstacksize(attributes, &stack_size);
    if (stack_size > kStackSize)
      end_unsupported("pthread_create with a stack of more than 8 MiB", pc,
                      "ask for 8 MiB or less");
  }
  Thread* child = start(function, argument, detach_state == PTHREAD_CREATE_DETACHED, pc);
  if (child == nullptr) return EAGAIN;
  *handle = child->slot->fs;
  return 0;
}

bool has_ended(uint64_t id) {
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    if (g_run.living[i]->id == id) return false;
  }
  return true;
}

// `does` is what somebody is about to do with the thread: "joins".
void check_joinable(const Thread* target, const char* does, uint64_t pc) {
  const char* state = target->joined ? "was joined before" : "is detached";
  if (!target->joined && !target->detached) return;
  end_with_misuse(target->id, pc, "%s " HEDDLE_OBJECT ", which %s", does, state);
}

// The thread that a handle stands for. One that has ended is still to be had, until another one
// takes its slot.
Thread* joinable_thread(pthread_t handle, const char* does, uint64_t pc) {
  Slot* slot = slot_of(handle);
  Thread* target = slot != nullptr ? slot->thread : nullptr;
  if (target == nullptr) end_with_misuse(0, pc, "%s a thread that does not exist", does);
  check_joinable(target, does, pc);
  return target;
}

int take_result(Thread* target, void** result) {
  order_acquire(target->id);
  target->joined = true;
  if (result != nullptr) *result = target->result;
  free_slot(target->slot);
  return 0;
}

// Waits for the end of the thread; `deadline` may be kForever.
int join(pthread_t handle, void** result, int64_t deadline, uint64_t pc) {
  Thread* target = joinable_thread(handle, "joins", pc);
  if (target == g_run.current) return EDEADLK;
  if (deadline != kForever) g_run.current->flags |= wire::kNeedNotWait;
  if (!wait_until_permitted(Op::join, target->id, has_ended, deadline, pc, Cancellation::point)) {
    return ETIMEDOUT;
  }
  check_joinable(target, "joins", pc);  // meanwhile another thread may have done so
  return take_result(target, result);
}

// As glibc: the time is looked at only if there is something to wait for.
int timed_join(pthread_t handle, void** result, clockid_t clock, const timespec* limit,
               uint64_t pc) {
  if (limit == nullptr) return join(handle, result, kForever, pc);
  if (!can_wait_by(clock)) return EINVAL;
  if (is_valid(limit)) return join(handle, result, deadline_of(clock, limit), pc);
  int error = join(handle, result, virtual_now(), pc);
  return error == ETIMEDOUT ? EINVAL : error;
}

int try_join(pthread_t handle, void** result, uint64_t pc) {
  Thread* target = joinable_thread(handle, "joins", pc);
  g_run.current->flags |= wire::kNeedNotWait;
  reach_try(Op::join, target->id, pc);
  if (target->state != State::ended) return in_vain();
  check_joinable(target, "joins", pc);
  return take_result(target, result);
}

int detach(pthread_t handle, uint64_t pc) {
  Thread* target = joinable_thread(handle, "detaches", pc);
  reach(Op::detach, target->id, pc);
  check_joinable(target, "detaches", pc);
  target->detached = true;
  if (target->state == State::ended) free_slot(target->slot);
  return 0;
}

_Unwind_Reason_Code stop_unwinding(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                   _Unwind_Exception*, _Unwind_Context*, void* result) {
  if ((actions & _UA_END_OF_STACK) != 0) finish_thread(result);
  return _URC_NO_REASON;
}

// A handler has caught it and does not throw it again; libc aborts here.
void on_swallowed(_Unwind_Reason_Code, _Unwind_Exception*) {
  end_with_misuse(
      0, HEDDLE_CALLER,
      "has caught its own end (by pthread_exit or pthread_cancel) with catch (...), and "
      "not thrown it again");
}

// Unwinds the thread's frames, so that destructors run, as libc does.
[[noreturn]] void unwind(void* result) {
  alignas(16) static _Unwind_Exception exceptions[wire::kMaxThreads + 1];
  _Unwind_Exception* exception = &exceptions[g_run.current->index];
  memset(exception, 0, sizeof *exception);
  exception->exception_cleanup = on_swallowed;
  _Unwind_ForcedUnwind(exception, stop_unwinding, result);
  finish_thread(result);
}

[[noreturn]] void leave_thread(void* result) {
  g_run.current->result = result;
  g_run.current->leaving = true;
  run_cleanups();
  unwind(result);
}

}  // namespace

Thread* start_later(void* (*function)(void*), void* argument, int64_t moment, uint64_t pc) {
  Thread* child = start(function, argument, true, pc);
  if (child == nullptr) return nullptr;
  child->pending.deadline = moment;
  set_state(child, State::late);
  return child;
}

void drop_thread(Thread* thread) {
  HEDDLE_INVARIANT(thread->pending.op == Op::begin && thread->state == State::late);
  set_state(thread, State::ended);
  if (HEDDLE_UNLIKELY(g_debugged)) debugger_thread_ended(thread);
  free_slot(thread->slot);
}

void finish_after_cleanups() { unwind(g_run.current->result); }

void act_on_cancellation() { leave_thread(PTHREAD_CANCELED); }

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                 void* (*function)(void*), void* argument) noexcept {
  if (g_active) return create(handle, attributes, function, argument, HEDDLE_CALLER);
  if (before_control()) {
    refuse(
        "the program starts a thread before main, in a static constructor, where it cannot be "
        "controlled yet; "
        "start it in main or at its first use");
  }
  return HEDDLE_REAL(pthread_create)(handle, attributes, function, argument);
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  if (!g_active) return HEDDLE_REAL(pthread_join)(handle, result);
  return join(handle, result, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_tryjoin_np)(handle, result);
  return try_join(handle, result, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* limit) {
  if (!g_active) return HEDDLE_REAL(pthread_timedjoin_np)(handle, result, limit);
  return timed_join(handle, result, CLOCK_REALTIME, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                       const timespec* limit) {
  if (!g_active) return HEDDLE_REAL(pthread_clockjoin_np)(handle, result, clock, limit);
  return timed_join(handle, result, clock, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_detach)(handle);
  return detach(handle, HEDDLE_CALLER);
}

// libc knows the parked thread, which nobody detaches.
HEDDLE_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  int error = HEDDLE_REAL(pthread_getattr_np)(handle, attributes);
  if (!g_active || error != 0) return error;
  const Slot* slot = slot_of(handle);
  if (slot == nullptr || slot->thread == nullptr) return 0;
  return pthread_attr_setdetachstate(
      attributes, slot->thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
}

HEDDLE_EXPORT void pthread_exit(void* result) {
  if (!g_active) {
    HEDDLE_REAL(pthread_exit)(result);
    __builtin_unreachable();
  }
  leave_thread(result);
}

// Each thread its own, as natively; the kernel sees one.
HEDDLE_EXPORT pid_t gettid() noexcept {
  if (!g_active || g_run.current->slot->main) return HEDDLE_REAL(gettid)();
  return g_run.current->slot->tid;
}
