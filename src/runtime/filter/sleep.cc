#include "runtime/filter/sleep.h"

#include "runtime/filter/spin.h"
#include "runtime/record/trace.h"

namespace heddle::runtime {

// A compare-exchange that would fail now would do so after any other that only reads, too.
wire::Effect effect_of(const Thread* thread) {
  const Pending& pending = thread->pending;
  char kind = wire::op_effect(pending.op);
  if (pending.op == wire::Op::atomic_cas &&
      only_reads(thread, find_object(pending.object, pending.bytes))) {
    kind = 'r';
  }
  return {pending.op,
          kind,
          pending.object,
          pending.bytes,
          second_object(pending),
          pending.copies ? pending.bytes : 1,
          pending.copies};
}

namespace {

// Whether what the sleeper would do is a yield, or may turn out to be one.
bool may_rank(const Thread* sleeper) {
  return g_fair && (sleeper->pending.yields != Yields::no || may_spin(sleeper));
}

template <typename Predicate>
void wake_if(Predicate predicate) {
  for (uint64_t rest = g_run.asleep; rest != 0; rest &= rest - 1) {
    auto index = static_cast<uint32_t>(__builtin_ctzll(rest));
    if (predicate(&g_threads[index])) g_run.asleep &= ~(uint64_t{1} << index);
  }
}

}  // namespace

__attribute__((flatten)) void wake_dependent(const Thread* chosen) {
  // Of the last two that end the second makes the exit.
  bool last_two = chosen->pending.op == wire::Op::end && g_run.living_count == 2;
  // When a thread yields, and what is done while somebody stands behind another, decides who may
  // go later.
  bool ranks = g_fair && (g_run.behind_count != 0 || chosen->pending.yields >= Yields::counted);
  wire::Effect effect = effect_of(chosen);
  wake_if([&](const Thread* sleeper) {
    return sleeper == chosen || last_two || ranks || may_rank(sleeper) ||
           depend(effect, effect_of(sleeper));
  });
}

}  // namespace heddle::runtime
