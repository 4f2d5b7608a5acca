#include "runtime/filter/spin.h"

#include "runtime/carrier/local_state.h"
#include "runtime/carrier/slots.h"
#include "runtime/ending/ending.h"
#include "runtime/filter/fair.h"
#include "runtime/record/fingerprint.h"

namespace heddle::runtime {

namespace {

constexpr uint64_t kDeepest = 16384;  // bytes of the stack that are looked at, the innermost
constexpr uint64_t kOwn = 4096;       // … that looking takes

void note_idle(wire::Found what, uint64_t name, uint64_t pc) {
  bool is_warning = what != wire::Found::maybe_spin;
  if (is_warning && g_region->config.good_samaritan == wire::GoodSamaritan::off) return;
  g_region->idle_found.add({name, pc, what, 0, 0});
}

}  // namespace

void spin_round(Thread* self) {
  Spin& spin = self->spin;
  uint64_t path = spin.path;
  bool is_one_read = spin.reads == 1;
  spin.path = 0;
  spin.reads = 0;
  bool same = spin.rounds != 0 && path == spin.last_path;
  spin.rounds = same ? spin.rounds + 1 : 1;
  spin.last_path = path;
  // Functions that the loop calls between its reads have their frames where other operations have
  // left something, which depends on the path that those took: on what was asked of the execution.
  // A replay must see a spin where the search has. So it counts from when the stack is cleared.
  if (!is_one_read) {
    g_clears_stack = true;
    g_run.slow_step = 0;
  }
  uint64_t local = same || is_one_read ? local_state(self, kDeepest).hash : 0;
  spin.certain = same && local != 0 && local == spin.local;
  spin.local = local;
  if (g_clears_stack) clear_dead_stack(self, kOwn);
  if (spin.certain || spin.rounds >= g_region->config.spin_rounds) note_yield(Yield::recognised);
}

bool counts_as_yield(Thread* self) {
  if (g_count_all) return true;
  // A wait with a time limit has its moment on the stack, which is never the same.
  if (self->pending.op != wire::Op::yield && self->pending.yields == Yields::yes) return true;
  uint64_t pc = self->pending.pc;
  LocalState state = local_state(self, kDeepest);
  // Below that there may be something left of executions before.
  uint64_t local = state.depth <= kClearedStack ? state.hash : 0;
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
  if (!self->spin.certain) return note_idle(wire::Found::maybe_spin, object_name(pc), pc);
  if (g_region->config.good_samaritan == wire::GoodSamaritan::error) {
    end_with_failure(wire::Failure::good_samaritan, pc, 0,
                     "spins without a yield, and keeps others from going on");
  }
  note_idle(wire::Found::spin, object_name(pc), pc);
}

void note_long_run(const Thread* self) {
  uint64_t pc = latest_step().pc;
  if (g_region->config.good_samaritan == wire::GoodSamaritan::error) {
    end_with_failure(wire::Failure::good_samaritan, pc, self->id,
                     "makes %u steps without a yield, again and again, and keeps others from going "
                     "on",
                     g_region->config.yield_after);
  }
  // The place is as good as any other in its loop: one for each thread is enough.
  note_idle(wire::Found::long_run, self->id, pc);
}

}  // namespace heddle::runtime
