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

struct Order {
  Clock clock;
  Clock released;  // at its last release fence
  Clock seen;      // by relaxed loads since its last acquire fence
  uint32_t time;   // of the thread itself, as in its clock
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

// Of so many bytes: who reads some that another has written gets what that one gave away.
void order_load(uint64_t object, uint64_t bytes, int memory_order);
void order_store(uint64_t object, uint64_t bytes, int memory_order);
// The second half of a read-modify-write; the first is order_load.
void order_update(uint64_t object, uint64_t bytes, int memory_order);
void order_fence(int memory_order);

}  // namespace heddle::runtime
