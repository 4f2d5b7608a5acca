#include "causality/sleep_sets.h"

#include "wire/dependence.h"

namespace heddle::causality {

uint64_t SleepSets::still_asleep(uint64_t asleep, const Races& races, uint32_t number) {
  const wire::Step& step = races.event(number);
  if (depends_on_all(step) || (step.flags & wire::kScripted) != 0) return 0;
  auto effect_then = [&](uint32_t event) {
    const wire::Step& sleeper = races.event(event);
    return races.only_read_since(event, number) ? wire::effect_of(sleeper)
                                                : wire::effect_elsewhere(sleeper);
  };
  for (uint64_t rest = asleep; rest != 0; rest &= rest - 1) {
    auto thread = static_cast<uint32_t>(__builtin_ctzll(rest));
    bool wakes = thread == step.thread;
    if (!wakes) {
      uint32_t next = races.next_event(thread, number);
      // Whom the step lets go does something else from then on.
      // The last to end makes the exit.
      bool both_end = step.op == wire::Op::end && next != wire::kNoStep &&
                      races.event(next).op == wire::Op::end;
      wakes = next == wire::kNoStep || both_end || races.event(next).after == number ||
              depends_on_all(races.event(next)) ||
              (races.event(next).flags & wire::kMayYield) != 0 ||
              depend(wire::effect_of(step), effect_then(next));
    }
    if (wakes) asleep &= ~(uint64_t{1} << thread);
  }
  return asleep;
}

}  // namespace heddle::causality
