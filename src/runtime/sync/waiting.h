// Waiting for an object to permit an operation: what all modelled objects share.
//
// A pending operation that may have to wait says with Pending::can when its object permits it.
// Whoever changes the object calls refresh(), and every thread with an operation pending on it
// becomes ready or has to wait, as `can` says.
#pragma once

#include "runtime/detect/lifetime.h"
#include "runtime/detect/order.h"
#include "runtime/filter/filters.h"
#include "runtime/sync/cancellation.h"

namespace heddle::runtime {

inline constexpr int64_t kForever = INT64_MAX;  // a deadline that never comes

// How objects write down who holds them: kFree, or the thread's index + 1.
inline constexpr uint32_t kFree = 0;
inline uint32_t holder_mark(const Thread* thread) { return thread->index + 1; }
inline uint32_t index_of(uint32_t mark) { return mark == kFree ? wire::kNoThread : mark - 1; }

// The state of a thread whose object does not permit its operation: it may still let its time pass.
inline State waiting_state(const Thread* thread) {
  return thread->pending.deadline == kForever ? State::blocked : State::late;
}

// A wait with a time limit is a yield (fair, section 4), however it ends.
inline Yields yields_by(int64_t deadline) {
  return deadline == kForever ? Yields::no : Yields::yes;
}

// An object that is gone holds nobody back: whoever waits for it goes on to find out.
inline bool permits(uint64_t object, bool (*can)(uint64_t)) {
  return is_freed(object) || can(object);
}

inline void refresh_thread(Thread* thread) {
  const Pending& pending = thread->pending;
  bool is_permitted = permits(pending.object, pending.can);
  set_state(thread, is_permitted ? State::ready : waiting_state(thread));
}

inline void refresh(uint64_t object) {
  for_each_pending_on(object, [](Thread* thread) {
    if (thread->pending.can != nullptr) refresh_thread(thread);
  });
}

// The running thread announces an operation and returns when it may perform it: true; or when its
// deadline has come: false. If that is a cancellation point, it may end here.
enum class Cancellation : uint8_t { none, point };
inline bool wait_until_permitted(wire::Op op, uint64_t object, bool (*can)(uint64_t),
                                 int64_t deadline, uint64_t pc,
                                 Cancellation cancellation = Cancellation::none) {
  if (cancellation == Cancellation::point) cancellation_point(pc);
  announce(op, object, pc);
  Thread* self = g_run.current;
  self->pending.can = can;
  self->pending.deadline = deadline;
  self->pending.yields = yields_by(deadline);
  refresh_thread(self);
  cancellation == Cancellation::point ? settle_at_cancellation_point() : settle();
  if (permits(object, can)) return true;
  pass_time_until(deadline);
  return false;
}

// The running thread sleeps until another wakes it: true; or its deadline comes: false. Pending is
// set but for these. With --spurious it may wake for no reason: true, but not Thread::signalled.
inline bool sleep_until_woken(wire::Op op, int64_t deadline) {
  Thread* self = g_run.current;
  self->pending.op = op;
  self->pending.can = nullptr;
  self->pending.deadline = deadline;
  self->pending.yields = yields_by(deadline);
  self->signalled = false;
  self->wait_number = ++g_run.wait_counter;
  set_state(self, waiting_state(self));
  if (HEDDLE_UNLIKELY(g_spurious) && is_sleeping(self) && !self->woke_spuriously)
    set_open(self, true);
  settle();
  set_open(self, false);
  bool spurious = !self->signalled && self->outcome == kSpuriously;
  self->woke_spuriously = spurious;
  self->outcome = 0;
  if (self->signalled || spurious) return true;
  pass_time_until(deadline);
  return false;
}

// The sleeper number n on the object, in the order of arrival; null if there are not so many.
inline Thread* nth_sleeper(uint64_t object, uint32_t n) {
  uint64_t after = 0;
  for (;; --n) {
    Thread* first = nullptr;
    for_each_pending_on(object, [&](Thread* thread) {
      if (!is_sleeping(thread) || thread->wait_number <= after) return;
      if (first == nullptr || thread->wait_number < first->wait_number) first = thread;
    });
    if (n == 0 || first == nullptr) return first;
    after = first->wait_number;
  }
}

// The running thread lets a sleeper go: what it did before happens before what the sleeper does
// after.
inline void let_go(Thread* sleeper) {
  bool could_wake = sleeper->state == State::late || sleeper->pending.open;
  if (could_wake && !is_out_of_script(sleeper)) sleeper->flags |= wire::kCouldWake;
  sleeper->signalled = true;
  set_open(sleeper, false);
  sleeper->last_hash = mix(sleeper->last_hash, g_run.current->last_hash);
  sleeper->now = later(sleeper->now, g_run.current->now);
  sleeper->after = g_run.step - 1;
}

}  // namespace heddle::runtime
