#include "runtime/decide/follow.h"

#include "runtime/ending/ending.h"

namespace heddle::runtime {

uint32_t follow_schedule(const ChoicePoint& point) {
  Run& run = g_run;
  for (; run.decision->is_sleep(); ++run.decision) put_to_sleep(run.decision->thread());
  const wire::Decision& decision = *run.decision++;
  uint32_t choice = decision.choice;
  if (decision.names_thread()) {
    choice = point.find(decision.thread(), decision.outcome());
    if (choice == ChoicePoint::kNone && decision.is_wish()) return point.first();
    // The last one that is no wish is tried without knowing whether its thread can go.
    bool last = run.decision == run.decision_end || run.decision->is_wish();
    if (choice == ChoicePoint::kNone && last) {
      run.decision = run.decision_end;
      end_run(wire::Ending::redundant);
    }
  }
  if (choice >= point.count()) end_run(wire::Ending::diverged);
  return choice;
}

}  // namespace heddle::runtime
