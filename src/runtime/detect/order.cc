// See order.h.
#include "runtime/detect/order.h"

namespace heddle::runtime {

bool g_ordering;
Order g_orders[wire::kMaxThreads + 1];

namespace {

bool acquires(int order) {
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// What the thread does from now on is not part of what it has just given away.
void tick(const Thread* thread) {
  Order& order = order_of(thread);
  order.clock.set(thread->index, ++order.time);
}

}  // namespace

void order_begin(const Thread* thread, const Thread* creator) {
  if (!g_ordering) return;
  Order& order = order_of(thread);
  order = Order();
  if (creator != nullptr) {
    order.clock.assign(order_of(creator).clock);
    tick(creator);
  }
  order.time = 1;
  order.clock.set(thread->index, order.time);
}

void acquire_slow(uint64_t object) {
  const Clock& carried = find_object(object)->carried;
  if (!carried.is_empty()) order_of(g_run.current).clock.join(carried);
}

void release_slow(uint64_t object) {
  find_object(object)->carried.join(order_of(g_run.current).clock);
  tick(g_run.current);
}

void order_load(uint64_t object, int memory_order) {
  if (!g_ordering) return;
  const Clock& carried = find_object(object)->carried;
  if (carried.is_empty()) return;
  Order& order = order_of(g_run.current);
  (acquires(memory_order) ? order.clock : order.seen).join(carried);
}

void order_store(uint64_t object, int memory_order) {
  if (!g_ordering) return;
  Clock& carried = find_object(object)->carried;
  const Order& order = order_of(g_run.current);
  if (releases(memory_order)) {
    carried.assign(order.clock);
    tick(g_run.current);
  } else {
    carried.assign(order.released);
  }
}

void order_update(uint64_t object, int memory_order) {
  if (!g_ordering) return;
  Clock& carried = find_object(object)->carried;
  const Order& order = order_of(g_run.current);
  if (releases(memory_order)) {
    carried.join(order.clock);
    tick(g_run.current);
  } else if (!order.released.is_empty()) {
    carried.join(order.released);
  }
}

void order_fence(int memory_order) {
  if (!g_ordering) return;
  Order& order = order_of(g_run.current);
  if (acquires(memory_order) && !order.seen.is_empty()) order.clock.join(order.seen);
  if (releases(memory_order)) {
    order.released.assign(order.clock);
    tick(g_run.current);
  }
}

}  // namespace heddle::runtime
