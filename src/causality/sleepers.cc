#include "causality/sleepers.h"

#include "wire/dependence.h"

namespace heddle::causality {

namespace {

wire::Effect effect_of(const wire::Step& step) { return {step.op, step.object, step.second}; }

}  // namespace

uint64_t still_asleep(uint64_t asleep, const Races& races, uint32_t number) {
  const wire::Step& step = races.event(number);
  // Whether a sleeper would look at the clock is not known before it has.
  if ((step.flags & (wire::kPassesTime | wire::kReadsClock)) != 0) return 0;
  if (depends_on_all(step)) return 0;
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
              depend(effect_of(step), effect_of(races.event(next)));
    }
    if (wakes) asleep &= ~(uint64_t{1} << thread);
  }
  return asleep;
}

}  // namespace heddle::causality
