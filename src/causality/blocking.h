// Which operations may have to wait for others, and for which: what could not have been performed
// earlier is in no race with what set it free.
#pragma once

#include "wire/dependence.h"
#include "wire/kinds.h"
#include "wire/layout.h"

namespace heddle::causality {

using wire::Op;

// Waits until a mutex is free. A time limit makes an operation that can always proceed.
constexpr bool is_lock(Op op) { return wire::has(op, wire::kLocks); }

// Whether it is what a mutex is there for.
constexpr bool is_of_mutex(Op op) { return wire::has(op, wire::kOfMutex); }

// Whether an operation of the second kind may have been able to proceed before one of the first
// kind on the same object, right after which it could.
enum class Before : uint8_t { yes, perhaps, no };
constexpr Before could_proceed_before(Op first, const wire::Step& step) {
  if ((step.flags & wire::kNeedNotWait) != 0) return Before::yes;
  Op second = step.op;
  if (wire::is_on_descriptor(second)) return Before::perhaps;
  auto frees = [&](wire::OpTrait waits, wire::OpTrait lets) {
    return wire::has(second, waits) && wire::has(first, lets);
  };
  // These happen once.
  if (frees(wire::kForEnd, wire::kEnds) || frees(wire::kForOnce, wire::kEndsOnce) ||
      frees(wire::kForGuard, wire::kEndsGuard)) {
    return Before::no;
  }
  bool perhaps = frees(wire::kForPost, wire::kPosts) || frees(wire::kForReading, wire::kLetsRead) ||
                 frees(wire::kForWriting, wire::kLetsWrite) ||
                 frees(wire::kForArrival, wire::kArrives);
  return perhaps ? Before::perhaps : Before::yes;
}

constexpr bool may_wait(const wire::Step& step) {
  if ((step.flags & wire::kNeedNotWait) != 0) return false;
  return wire::has(step.op, wire::kWaits) && !wire::has(step.op, wire::kNeverStuck);
}

constexpr bool is_release(Op op) { return wire::has(op, wire::kReleases); }

}  // namespace heddle::causality
