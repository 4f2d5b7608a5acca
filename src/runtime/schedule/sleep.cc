#include "runtime/schedule/sleep.h"

#include "runtime/schedule/spin.h"

namespace heddle::runtime {

namespace {

wire::Effect effect_of(const Pending& pending) {
  return {pending.op, pending.object, second_object(pending)};
}

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

void wake_dependent(const Thread* chosen) {
  // Whether the others will look at the clock is not known before they have.
  bool passes_time = chosen->state == State::late && chosen->pending.deadline > virtual_now();
  // Of the last two that end the second makes the exit.
  bool last_two = chosen->pending.op == wire::Op::end && g_run.living_count == 2;
  // When a thread yields, and what is done while somebody stands behind another, decides who may
  // go later.
  bool ranks = g_fair && (g_run.behind_count != 0 || chosen->pending.yields == Yields::yes);
  wire::Effect effect = effect_of(chosen->pending);
  wake_if([&](const Thread* sleeper) {
    return sleeper == chosen || passes_time || last_two || ranks || may_rank(sleeper) ||
           depend(effect, effect_of(sleeper->pending));
  });
}

void looked_at_clock() {
  latest_step().flags |= wire::kReadsClock;
  if (HEDDLE_UNLIKELY(g_run.asleep != 0)) {
    wake_if([](const Thread* sleeper) { return sleeper->state == State::late; });
  }
}

}  // namespace heddle::runtime
