// Barriers. Arriving is one step; all but the last then wait, and passing is another.
#include <pthread.h>

#include "runtime/real.h"
#include "runtime/sync/waiting.h"

namespace heddle::runtime {

namespace {

// glibc's struct pthread_barrier; `in` counts who has come, `current_round` how often it has
// opened.
struct Barrier {
  uint32_t in;
  uint32_t current_round;
  uint32_t count;
};

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_barrier_wait)(handle);
  auto object = reinterpret_cast<uint64_t>(handle);
  auto* barrier = reinterpret_cast<Barrier*>(handle);
  reach(wire::Op::barrier_arrive, object, HEDDLE_CALLER);
  order_release(object);
  if (++barrier->in < barrier->count) {
    sleep_until_woken(wire::Op::barrier_pass, kForever);
    order_acquire(object);
    return 0;
  }
  order_acquire(object);
  barrier->in = 0;
  ++barrier->current_round;
  for_each_pending_on(object, [](Thread* thread) {
    if (thread->pending.op != wire::Op::barrier_pass || thread->signalled) return;
    let_go(thread);
    set_state(thread, State::ready);
  });
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_barrier_destroy)(handle);
  return 0;
}
