// Happens-before in the sense of C++ [intro.races]: what synchronises with what, as the program
// wrote it, not as the schedule happened to interleave it.
//
// Locks, semaphores, joins and so on: order_release() when a thread gives something away,
// order_acquire() when one gets it. Atomics, by the memory order that they ask for:
//   release store      the object carries the thread's clock; a relaxed one, what the thread's last
//   release fence saw, or nothing read-modify-write  continues the release sequence: the object's
//   clock stays and the thread's joins it acquire load       the thread has seen what the object
//   carries; a relaxed one has so at its next acquire fence
// (C++20: only read-modify-writes continue a release sequence. Sequentially consistent order adds
// nothing to happens-before.)
#pragma once

#include "runtime/record/clock.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/zeroed.h"

namespace heddle::runtime {

// False: races are of no interest, and nobody keeps account. See --races.
extern bool g_ordering;

struct alignas(64) Order {
  Clock clock;
  uint32_t time;   // of the thread itself, as in its clock
  Clock released;  // at its last release fence
  Clock seen;      // by relaxed loads since its last acquire fence
};
extern Zeroed<Order, wire::kMaxThreads + 1> g_orders;

inline Order& order_of(const Thread* thread) { return g_orders[thread->index]; }
inline uint32_t time_of(const Thread* thread) { return order_of(thread).time; }

// Part of a new thread's beginning: it knows what its creator knows.
void order_begin(const Thread* thread, const Thread* creator);

void acquire_slow(uint64_t object, uint64_t bytes);
void release_slow(uint64_t object, uint64_t bytes);

// The running thread gets what others gave away at the object, or gives away what it has done so
// far.
inline void order_acquire(uint64_t object) {
  if (g_ordering) acquire_slow(object, 1);
}
inline void order_release(uint64_t object) {
  if (g_ordering) release_slow(object, 1);
}

inline bool acquires(int order) {
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}
inline bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// What the thread does from now on is not part of what it has just given away.
inline void tick(const Thread* thread) {
  Order& order = order_of(thread);
  order.clock.set(thread->index, ++order.time);
}

// What the object carries, or each of its cells.
template <typename Visit>
__attribute__((always_inline)) inline void visit_carried(uint64_t address, uint64_t bytes,
                                                         Visit visit) {
  ObjectRecord* object = g_run.object;
  if (HEDDLE_UNLIKELY(!is_of(object, address, bytes))) object = find_object(address, bytes);
  if (HEDDLE_LIKELY(!object->is_divided)) return visit(object->carried);
  for (ObjectCell& cell : cells_of(object)) visit(cell.carried);
}

// Of so many bytes: who reads some that another has written gets what that one gave away.
inline void order_load(uint64_t object, uint64_t bytes, int memory_order) {
  if (!g_ordering) return;
  Order& order = order_of(g_run.current);
  Clock& clock = HEDDLE_LIKELY(acquires(memory_order)) ? order.clock : order.seen;
  visit_carried(object, bytes, [&](const Clock& carried) { clock.join(carried); });
}

void order_store(uint64_t object, uint64_t bytes, int memory_order);

// The second half of a read-modify-write; the first is order_load.
inline void order_update(uint64_t object, uint64_t bytes, int memory_order) {
  if (!g_ordering) return;
  const Order& order = order_of(g_run.current);
  const Clock& given = HEDDLE_LIKELY(releases(memory_order)) ? order.clock : order.released;
  visit_carried(object, bytes, [&](Clock& carried) { carried.join(given); });
  if (releases(memory_order)) tick(g_run.current);
}

void order_fence(int memory_order);

}  // namespace heddle::runtime
