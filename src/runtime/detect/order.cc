// See order.h.
#include "runtime/detect/order.h"

namespace heddle::runtime {

bool g_ordering;
Zeroed<Order, wire::kMaxThreads + 1> g_orders;

void order_begin(const Thread* thread, const Thread* creator) {
  if (!g_ordering) return;
  Order& order = order_of(thread);
  order.clock = order.released = order.seen = Clock();
  if (creator != nullptr) {
    order.clock.assign(order_of(creator).clock);
    tick(creator);
  }
  order.time = 1;
  order.clock.set(thread->index, order.time);
}

void acquire_slow(uint64_t object, uint64_t bytes) {
  Order& order = order_of(g_run.current);
  visit_carried(object, bytes, [&](const Clock& carried) { order.clock.join(carried); });
}

void release_slow(uint64_t object, uint64_t bytes) {
  const Order& order = order_of(g_run.current);
  visit_carried(object, bytes, [&](Clock& carried) { carried.join(order.clock); });
  tick(g_run.current);
}

void order_store(uint64_t object, uint64_t bytes, int memory_order) {
  if (!g_ordering) return;
  const Order& order = order_of(g_run.current);
  const Clock& given = releases(memory_order) ? order.clock : order.released;
  visit_carried(object, bytes, [&](Clock& carried) { carried.assign(given); });
  if (releases(memory_order)) tick(g_run.current);
}

void order_fence(int memory_order) {
  if (!g_ordering) return;
  Order& order = order_of(g_run.current);
  if (acquires(memory_order)) order.clock.join(order.seen);
  if (releases(memory_order)) {
    order.released.assign(order.clock);
    tick(g_run.current);
  }
}

}  // namespace heddle::runtime
