// When two operations depend on each other: their order can be noticed. The one definition for the
// search, which reverses dependent steps, and for the runtime, which wakes sleepers by them.
//
// Two operations depend on each other if both are on one object and not both only read it. Beyond
// that:
// - all operations on descriptors depend on each other: a poll or an epoll concerns several, a
// write
//   to one end of a socket is a change of the other;
// - some depend on everything: a request to cancel is noticed at points that are no operations, a
//   timer that is set may take back a thread that has not begun, and the exit decides how far all
//   others come.
#pragma once

#include <cstdint>

#include "wire/kinds.h"

namespace heddle::wire {

constexpr bool is_on_descriptor(Op op) { return op >= Op::fd_read && op <= Op::epoll_wait; }
static_assert(Op::fd_read < Op::epoll_wait && Op::epoll_wait < Op::timer_set);

constexpr bool depends_on_all(Op op) {
  return op == Op::cancel || op == Op::timer_set || op == Op::exit;
}

// An operation as dependence sees it. Objects are names or addresses, the same for both sides; 0 is
// none, where the operation has no effect on an object.
struct Effect {
  Op op;
  uint64_t object;
  uint64_t second;  // changed as well; 0: none
};

constexpr bool depend(const Effect& a, const Effect& b) {
  if (depends_on_all(a.op) || depends_on_all(b.op)) return true;
  if (is_on_descriptor(a.op) && is_on_descriptor(b.op)) return true;
  char of_a = op_effect(a.op);
  char of_b = op_effect(b.op);
  if (of_a == '-' || of_b == '-') return false;
  if (a.object == b.object) return of_a == 'w' || of_b == 'w';
  if (a.second != 0 && (a.second == b.object || a.second == b.second)) return true;
  return b.second != 0 && b.second == a.object;
}

}  // namespace heddle::wire
