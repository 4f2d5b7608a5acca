// Who holds what a thread waits for: holder_of() of record/detail.h.
#include "runtime/record/detail.h"
#include "runtime/sync/mutex.h"
#include "runtime/sync/once.h"
#include "runtime/sync/rwlock.h"

namespace heddle::runtime {

using wire::Op;

namespace {

uint32_t thread_with_id(uint64_t id) {
  for (uint32_t i = 0; i < g_run.thread_count; ++i) {
    if (g_threads[i].id == id) return i;
  }
  return wire::kNoThread;
}

}  // namespace

uint32_t holder_of(const Thread* thread) {
  if (thread->state != State::blocked && thread->state != State::late) return wire::kNoThread;
  switch (thread->pending.op) {
    case Op::lock:
      if (thread->pending.can != Mutex::can_lock) return wire::kNoThread;  // a spin lock
      [[fallthrough]];
    case Op::timedlock:
    case Op::cond_relock:
      return index_of(Mutex(reinterpret_cast<pthread_mutex_t*>(thread->pending.object)).holder());
    case Op::rdlock:
    case Op::wrlock:
      return index_of(RwLock(thread->pending.object).writer());
    case Op::once:
      return index_of(Once(reinterpret_cast<pthread_once_t*>(thread->pending.object)).holder());
    case Op::guard:
      return index_of(Guard(reinterpret_cast<void*>(thread->pending.object)).holder());
    case Op::join:
      return thread_with_id(thread->pending.object);
    default:
      return wire::kNoThread;
  }
}

}  // namespace heddle::runtime
