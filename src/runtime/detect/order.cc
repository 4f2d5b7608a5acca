// See order.h.
#include "runtime/detect/order.h"

namespace heddle::runtime {

bool g_ordering;
Zeroed<Order, wire::kMaxThreads + 1> g_orders;

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

// What the object carries, or each of its cells.
template <typename Visit>
void visit_carried(uint64_t address, uint64_t bytes, Visit visit) {
  ObjectRecord* object = g_run.object;
  if (!is_of(object, address, bytes)) object = find_object(address, bytes);
  if (HEDDLE_LIKELY(!object->is_divided)) return visit(object->carried);
  for (ObjectCell& cell : cells_of(object)) visit(cell.carried);
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

void acquire_slow(uint64_t object, uint64_t bytes) {
  Order& order = order_of(g_run.current);
  visit_carried(object, bytes, [&](const Clock& carried) {
    if (!carried.is_empty()) order.clock.join(carried);
  });
}

void release_slow(uint64_t object, uint64_t bytes) {
  const Order& order = order_of(g_run.current);
  visit_carried(object, bytes, [&](Clock& carried) { carried.join(order.clock); });
  tick(g_run.current);
}

void order_load(uint64_t object, uint64_t bytes, int memory_order) {
  if (!g_ordering) return;
  Order& order = order_of(g_run.current);
  Clock& clock = acquires(memory_order) ? order.clock : order.seen;
  visit_carried(object, bytes, [&](const Clock& carried) {
    if (!carried.is_empty()) clock.join(carried);
  });
}

void order_store(uint64_t object, uint64_t bytes, int memory_order) {
  if (!g_ordering) return;
  const Order& order = order_of(g_run.current);
  const Clock& given = releases(memory_order) ? order.clock : order.released;
  visit_carried(object, bytes, [&](Clock& carried) { carried.assign(given); });
  if (releases(memory_order)) tick(g_run.current);
}

void order_update(uint64_t object, uint64_t bytes, int memory_order) {
  if (!g_ordering) return;
  const Order& order = order_of(g_run.current);
  const Clock& given = releases(memory_order) ? order.clock : order.released;
  if (given.is_empty()) return;
  visit_carried(object, bytes, [&](Clock& carried) { carried.join(given); });
  if (releases(memory_order)) tick(g_run.current);
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
