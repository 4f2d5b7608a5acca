// Cancellation: the request, and what a thread says about its own. See sync/cancellation.h.
#include <errno.h>
#include <pthread.h>

#include "runtime/carrier/slots.h"
#include "runtime/detect/misuse.h"
#include "runtime/ending/ending.h"
#include "runtime/intercept/condition.h"
#include "runtime/real.h"
#include "runtime/sync/cancellation.h"

namespace heddle::runtime {

using wire::Op;

namespace {

// A request has come: a thread that waits at a cancellation point waits no more. One that waits on
// a condition has to have its mutex back first, and takes no signal from others.
void interrupt(Thread* target) {
  if (!target->cancellable || target->interrupted || !is_cancelled(target)) return;
  target->interrupted = true;
  if (target->pending.op == Op::cond_sleep) return wake_from_condition(target);
  // As let_go() does: what it could have done instead is in no trace.
  bool could_wake = target->state != State::blocked;
  if (could_wake && !is_out_of_script(target)) target->flags |= wire::kCouldWake;
  target->after = g_run.step - 1;
  Pending& pending = target->pending;
  pending.op = Op::cancelled;
  pending.size = 0;
  pending.object = target->id;
  pending.bytes = 1;
  pending.copies = false;
  pending.second = 0;
  pending.can = nullptr;
  pending.yields = Yields::no;
  set_state(target, State::ready);
}

// The target looks for requests at points that are no operations. Which of its steps came before
// this one, and which come after it, decides what it finds there: the fingerprint has to know.
void order_with_steps_of(Thread* target) {
  Run& run = g_run;
  Thread* self = run.current;
  if (target == self) return;
  self->last_hash = mix(self->last_hash, target->last_hash);
  target->last_hash = mix(target->last_hash, self->last_hash);
  run.fingerprint += self->last_hash;
  run.sequence = mix(run.sequence, self->last_hash);
}

int cancel(pthread_t handle, uint64_t pc) {
  Slot* slot = slot_of(handle);
  Thread* target = slot != nullptr ? slot->thread : nullptr;
  if (target == nullptr) end_with_misuse(0, pc, "cancels a thread that does not exist");
  reach(Op::cancel, target->id, pc);
  order_with_steps_of(target);
  if (target->joined) {
    end_with_misuse(target->id, pc, "cancels " HEDDLE_OBJECT ", which was joined before");
  }
  if (target->state == State::ended) {
    if (!target->detached) return 0;
    end_with_misuse(target->id, pc, "cancels " HEDDLE_OBJECT ", which is detached and has ended");
  }
  target->cancel_requested = true;
  interrupt(target);
  return 0;
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  if (!g_active) return HEDDLE_REAL(pthread_cancel)(handle);
  return cancel(handle, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_setcancelstate(int state, int* old) {
  if (!g_active) return HEDDLE_REAL(pthread_setcancelstate)(state, old);
  no_round();
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Thread* self = g_run.current;
  if (old != nullptr) *old = self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

HEDDLE_EXPORT int pthread_setcanceltype(int type, int* old) {
  if (!g_active) return HEDDLE_REAL(pthread_setcanceltype)(type, old);
  if (type == PTHREAD_CANCEL_ASYNCHRONOUS) {
    end_unsupported("pthread_setcanceltype with PTHREAD_CANCEL_ASYNCHRONOUS", HEDDLE_CALLER,
                    "let threads be cancelled at cancellation points");
  }
  if (type != PTHREAD_CANCEL_DEFERRED) return EINVAL;
  if (old != nullptr) *old = PTHREAD_CANCEL_DEFERRED;
  return 0;
}

HEDDLE_EXPORT void pthread_testcancel() {
  if (!g_active) return HEDDLE_REAL(pthread_testcancel)();
  reach(wire::Op::test_cancel, g_run.current->id, HEDDLE_CALLER);
  if (is_cancelled(g_run.current)) act_on_cancellation();
}
