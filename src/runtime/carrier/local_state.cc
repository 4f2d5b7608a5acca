#include "runtime/carrier/local_state.h"

#include <unwind.h>

#include "base/hash.h"
#include "runtime/isolate/arena.h"
#include "runtime/isolate/modules.h"

namespace heddle::runtime {

bool g_clears_stack;

namespace {

// A pointer to memory that was freed is as good as any other: nobody may use it. Loops that take
// memory and give it back leave one behind, which is another in each round (isolate/arena.h).
uint64_t without_dangling(uint64_t word) {
  constexpr uint64_t kDangling = 1;
  bool is_freed = arena_state(reinterpret_cast<const void*>(word)) == BlockState::freed;
  return is_freed ? kDangling : word;
}

uint64_t as_seen(uint64_t word, bool exact) { return exact ? word : without_dangling(word); }

uint64_t hash_stack(uint64_t begin, uint64_t bytes, bool exact) {
  const auto* word = reinterpret_cast<const uint64_t*>(begin);
  const uint64_t* end = word + bytes / sizeof(uint64_t);
  uint64_t hash = begin;
  for (; word != end; ++word) hash = mix(hash, as_seen(*word, exact));
  return hash;
}

// The innermost frame of the program: where its stack begins, and the registers that it keeps
// across a call. The others are void to it while it calls.
struct Frame {
  uint64_t sp;
  uint64_t hash;
  bool exact;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
  constexpr int kKept[] = {3, 6, 12, 13, 14, 15};  // rbx, rbp, r12 to r15, by their DWARF numbers
  if (in_runtime(_Unwind_GetIP(context))) return _URC_NO_REASON;
  auto* frame = static_cast<Frame*>(argument);
  frame->sp = _Unwind_GetCFA(context);
  frame->hash = frame->sp;
  for (int number : kKept) {
    frame->hash = mix(frame->hash, as_seen(_Unwind_GetGR(context, number), frame->exact));
  }
  return _URC_END_OF_STACK;
}

Frame find_frame(bool exact) {
  Frame frame{0, 0, exact};
  bool active = g_active;
  g_active = false;  // the unwinder locks like anybody else
  _Unwind_Backtrace(visit_frame, &frame);
  g_active = active;
  return frame;
}

Frame frame_of(const KeptRegisters& registers, bool exact) {
  Frame frame{reinterpret_cast<uint64_t>(&registers + 1), 0, exact};
  frame.hash = frame.sp;
  for (uint64_t value : registers.values) frame.hash = mix(frame.hash, as_seen(value, exact));
  return frame;
}

// How the processor computes, and which exceptions it has met: fesetround, feraiseexcept.
uint64_t floating_point() {
  uint32_t vectors;
  uint16_t control;
  uint16_t status;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2"
                   : "=m"(vectors), "=m"(control), "=m"(status));
  constexpr uint16_t kExceptions = 0x3f;
  return uint64_t{vectors} << 32 | uint64_t{control} << 16 | (status & kExceptions);
}

}  // namespace

LocalState local_state(const Thread* self, uint64_t most, bool exact) {
  Frame frame = self->registers != nullptr ? frame_of(*self->registers, exact) : find_frame(exact);
  if (frame.sp < self->stack_low || frame.sp >= self->stack_high) return {0, 0};
  uint64_t depth = self->stack_high - frame.sp;
  uint64_t bytes = depth < most ? depth : most;
  uint64_t hash = mix(mix(frame.hash, floating_point()), hash_stack(frame.sp, bytes, exact));
  return {hash | 1, depth};
}

__attribute__((noinline)) void clear_dead_stack(const Thread* self, uint64_t bytes) {
  constexpr uint64_t kRedZone = 128;
  auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  bool is_own = here >= self->stack_low + bytes + kRedZone && here < self->stack_high;
  if (!is_own) return;  // the program has changed stacks: how far this one goes is not known
  // All of it down from the stack's pointer: nothing here needs a place below that.
  uint64_t words = bytes / sizeof(uint64_t);
  uint64_t dead;
  __asm__ volatile(
      "mov %%rsp, %0\n\t"
      "sub %2, %0\n\t"
      "rep stosq"
      : "=&D"(dead), "+c"(words)
      : "r"(bytes), "a"(0)
      : "memory");
}

}  // namespace heddle::runtime
