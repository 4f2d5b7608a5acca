// Which operations may have to wait for others, and for which: what could not have been performed
// earlier is in no race with what set it free.
#pragma once

#include "wire/dependence.h"
#include "wire/kinds.h"
#include "wire/layout.h"

namespace heddle::causality {

using wire::Op;

// Waits until a mutex is free. A time limit makes an operation that can always proceed.
constexpr bool is_lock(Op op) { return op == Op::lock || op == Op::cond_relock; }

// Whether it is what a mutex is there for.
constexpr bool is_of_mutex(Op op) {
  switch (op) {
    case Op::trylock:
    case Op::timedlock:
    case Op::unlock:
    case Op::cond_wait:
    case Op::abandon:
      return true;
    default:
      return is_lock(op);
  }
}

// Whether an operation of the second kind may have been able to proceed before one of the first
// kind on the same object, right after which it could.
enum class Before : uint8_t { yes, perhaps, no };
constexpr Before could_proceed_before(Op first, const wire::Step& step) {
  if ((step.flags & wire::kNeedNotWait) != 0) return Before::yes;
  Op second = step.op;
  if (wire::is_on_descriptor(second)) return Before::perhaps;
  switch (second) {
    case Op::sem_wait:
      return first == Op::sem_post ? Before::perhaps : Before::yes;
    case Op::rdlock:
      return first == Op::rwunlock ? Before::perhaps : Before::yes;
    case Op::wrlock:
      return first == Op::rwunlock || first == Op::rdlock ? Before::perhaps : Before::yes;
    case Op::barrier_pass:
      return first == Op::barrier_arrive ? Before::perhaps : Before::yes;
    case Op::join:
      return first == Op::end ? Before::no : Before::yes;
    case Op::once:
      return first == Op::once_done ? Before::no : Before::yes;
    case Op::guard:
      return first == Op::guard_done ? Before::no : Before::yes;
    default:
      return Before::yes;
  }
}

constexpr bool may_wait(const wire::Step& step) {
  if ((step.flags & wire::kNeedNotWait) != 0) return false;
  switch (step.op) {
    case Op::sem_wait:
    case Op::rdlock:
    case Op::wrlock:
    case Op::barrier_pass:
    case Op::join:
    case Op::once:
    case Op::guard:
      return true;
    default:
      return is_lock(step.op) || wire::is_on_descriptor(step.op);
  }
}

constexpr bool is_release(Op op) {
  switch (op) {
    case Op::unlock:
    case Op::rwunlock:
    case Op::sem_post:
    case Op::once_done:
    case Op::guard_done:
    case Op::end:
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::causality
