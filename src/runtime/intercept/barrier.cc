// Barriers. Arriving is one step; all but the last then wait, and passing is another.
#include <pthread.h>

#include "runtime/detect/heap.h"
#include "runtime/detect/misuse.h"
#include "runtime/real.h"
#include "runtime/sync/waiting.h"

namespace heddle::runtime {

namespace {

// glibc's struct pthread_barrier; `in` counts who has come, `current_round` how often it has
// opened. A barrier for nobody is none: pthread_barrier_init does not make it. Memory that never
// was one is zero, and a destroyed one has kDestroyed as its round.
struct Barrier {
  uint32_t in;
  uint32_t current_round;
  uint32_t count;
};

constexpr uint32_t kDestroyed = 0x64656164;  // "dead"

void check_alive(const Barrier* barrier, uint64_t pc) {
  auto object = reinterpret_cast<uint64_t>(barrier);
  check_object(object, sizeof(pthread_barrier_t), pc);
  if (HEDDLE_LIKELY(barrier->count != 0)) return;
  if (barrier->current_round == kDestroyed) end_with_use_of_destroyed("barrier", object, pc);
  end_with_misuse(object, pc, "uses barrier " HEDDLE_OBJECT ", which was not initialised");
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_barrier_wait)(handle);
  auto object = reinterpret_cast<uint64_t>(handle);
  auto* barrier = reinterpret_cast<Barrier*>(handle);
  reach(wire::Op::barrier_arrive, object, HEDDLE_CALLER);
  check_alive(barrier, HEDDLE_CALLER);
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
  auto object = reinterpret_cast<uint64_t>(handle);
  auto* barrier = reinterpret_cast<Barrier*>(handle);
  reach(wire::Op::destroy, object, HEDDLE_CALLER);
  check_alive(barrier, HEDDLE_CALLER);
  // Those who have been let go and have yet to return need it no more.
  if (barrier->in != 0) {
    end_with_misuse(object, HEDDLE_CALLER,
                    "destroys barrier " HEDDLE_OBJECT ", at which %u of %u threads wait",
                    barrier->in, barrier->count);
  }
  *barrier = {0, kDestroyed, 0};
  return 0;
}
