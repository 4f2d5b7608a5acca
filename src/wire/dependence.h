// When two operations depend on each other: their order can be noticed. The one definition for the
// search, which reverses dependent steps, and for the runtime, which wakes sleepers by them.
//
// Two operations depend on each other if they have bytes in common and not both only read them. A
// synchronisation object is known by its first byte. Beyond that:
// - all operations on descriptors depend on each other: a poll or an epoll concerns several, a
//   write to one end of a socket is a change of the other;
// - some depend on everything: a request to cancel is noticed at points that are no operations, a
//   timer that is set may take back a thread that has not begun, and the exit decides how far all
//   others come.
#pragma once

#include <cstdint>

#include "wire/kinds.h"
#include "wire/layout.h"

namespace heddle::wire {

constexpr bool is_on_descriptor(Op op) { return has(op, kOnDescriptor); }
constexpr bool depends_on_all(Op op) { return has(op, kTouchesAll); }

// Two stretches of bytes have some in common. None is empty.
constexpr bool overlap(uint64_t a, uint64_t bytes_of_a, uint64_t b, uint64_t bytes_of_b) {
  return b - a < bytes_of_a || a - b < bytes_of_b;
}

// An operation as dependence sees it. Objects are names or addresses, the same for both sides.
struct Effect {
  Op op;
  char kind;  // as of op_effect(); 'r' also of a compare-exchange that fails
  uint64_t object;
  uint64_t bytes;
  uint64_t second;  // 0: none
  uint64_t second_bytes;
  bool reads_second;  // else it changes it
};

constexpr bool depend(const Effect& a, const Effect& b) {
  if (depends_on_all(a.op) || depends_on_all(b.op)) return true;
  if (is_on_descriptor(a.op) && is_on_descriptor(b.op)) return true;
  if (a.kind == '-' || b.kind == '-') return false;
  if (overlap(a.object, a.bytes, b.object, b.bytes) && (a.kind == 'w' || b.kind == 'w'))
    return true;
  // Whether the first one's second object meets the other's object.
  auto meets = [](const Effect& one, const Effect& other) {
    return one.second != 0 && overlap(one.second, one.second_bytes, other.object, other.bytes) &&
           (other.kind == 'w' || !one.reads_second);
  };
  if (meets(a, b) || meets(b, a)) return true;
  return a.second != 0 && b.second != 0 && !(a.reads_second && b.reads_second) &&
         overlap(a.second, a.second_bytes, b.second, b.second_bytes);
}

// What a step changes or reads.
constexpr char effect_kind(const Step& step) {
  return (step.flags & kOnlyReads) != 0 ? 'r' : op_effect(step.op);
}
constexpr uint64_t bytes_of(const Step& step) {
  if (step.size == kManyBytes) return step.second;
  return step.size != 0 ? step.size : 1;
}
constexpr uint64_t second_of(const Step& step) { return step.size == kManyBytes ? 0 : step.second; }
constexpr bool reads_second(const Step& step) { return (step.flags & kCopies) != 0; }
constexpr uint64_t second_bytes_of(const Step& step) {
  return reads_second(step) ? bytes_of(step) : 1;
}
constexpr Effect effect_of(const Step& step) {
  return {step.op,         effect_kind(step),     step.object,       bytes_of(step),
          second_of(step), second_bytes_of(step), reads_second(step)};
}
// … had it been performed elsewhere, or not yet: a compare-exchange may succeed there.
constexpr Effect effect_elsewhere(const Step& step) {
  Effect effect = effect_of(step);
  effect.kind = op_effect(step.op);
  return effect;
}

}  // namespace heddle::wire
