#include "runtime/schedule/spin.h"

#include <unwind.h>

#include "runtime/carrier/slots.h"
#include "runtime/detect/ending.h"
#include "runtime/isolate/modules.h"
#include "runtime/schedule/fair.h"
#include "runtime/schedule/fingerprint.h"

namespace heddle::runtime {

namespace {

constexpr uint64_t kDeepest = 16384;  // bytes of the stack that are looked at, the innermost

// The innermost frame of the program: where its stack begins, and the registers that it keeps
// across a call. The others are void to it while it calls.
struct Frame {
  uint64_t sp;
  uint64_t hash;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
  constexpr int kKept[] = {3, 6, 12, 13, 14, 15};  // rbx, rbp, r12 to r15, by their DWARF numbers
  if (in_runtime(_Unwind_GetIP(context))) return _URC_NO_REASON;
  auto* frame = static_cast<Frame*>(argument);
  frame->sp = _Unwind_GetCFA(context);
  frame->hash = frame->sp;
  for (int number : kKept) frame->hash = mix(frame->hash, _Unwind_GetGR(context, number));
  return _URC_END_OF_STACK;
}

// A hash of what the running thread will go on with, and how deep its stack is. 0: it cannot be
// told.
uint64_t local_state(const Thread* self, uint64_t* depth) {
  Frame frame{};
  g_active = false;  // the unwinder locks like anybody else
  _Unwind_Backtrace(visit_frame, &frame);
  g_active = true;
  if (frame.sp < self->stack_low || frame.sp >= self->stack_high) return 0;
  uint64_t bytes = self->stack_high - frame.sp;
  *depth = bytes;
  if (bytes > kDeepest) bytes = kDeepest;
  uint64_t hash = frame.hash;
  const auto* words = reinterpret_cast<const uint64_t*>(frame.sp);
  for (uint64_t i = 0; i < bytes / sizeof(uint64_t); ++i) hash = mix(hash, words[i]);
  return hash | 1;
}

}  // namespace

void spin_round(Thread* self) {
  Spin& spin = self->spin;
  uint64_t path = spin.path;
  spin.path = 0;
  spin.reads = 0;
  bool same = spin.rounds != 0 && path == spin.last_path;
  spin.rounds = same ? spin.rounds + 1 : 1;
  spin.last_path = path;
  uint64_t depth = 0;
  uint64_t local = local_state(self, &depth);
  spin.certain = same && local != 0 && local == spin.local;
  spin.local = local;
  if (spin.certain || spin.rounds >= g_region->config.spin_rounds) note_yield(Yield::recognised);
}

bool counts_as_yield(Thread* self) {
  if (g_count_all) return true;
  // A wait with a time limit has its moment on the stack, which is never the same.
  if (self->pending.op != wire::Op::yield && self->pending.yields == Yields::yes) return true;
  uint64_t pc = self->pending.pc;
  uint64_t depth = 0;
  uint64_t local = local_state(self, &depth);
  // Below that there may be something left of executions before.
  if (depth > kClearedStack) local = 0;
  for (YieldPlace& place : self->places) {
    if (place.pc != pc) continue;
    bool differs = local != 0 && place.local != 0 && local != place.local;
    place.local = local;
    place.misses = differs ? place.misses + 1 : 0;
    return place.misses % kRounds == 0;
  }
  self->places[self->next_place++ % kYieldPlaces] = {pc, local, 0};
  return true;
}

void note_idle_spin(const Thread* self) {
  uint64_t pc = latest_step().pc;
  bool certain = self->spin.certain;
  if (certain && g_region->config.good_samaritan == wire::GoodSamaritan::error) {
    end_with_failure(wire::Failure::good_samaritan, pc, 0,
                     "spins without a yield, and keeps others from going on");
  }
  if (certain && g_region->config.good_samaritan == wire::GoodSamaritan::off) return;
  uint64_t name = object_name(pc);
  uint32_t count = g_region->spin_count.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    const wire::IdleSpin& known = g_region->spins[i];
    if (known.name == name && known.certain == (certain ? 1 : 0)) return;
  }
  if (count == wire::kMaxSpins) return;
  g_region->spins[count] = {name, pc, certain ? 1u : 0u, 0};
  g_region->spin_count.store(count + 1, std::memory_order_release);
}

}  // namespace heddle::runtime
