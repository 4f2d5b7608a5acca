#include "runtime/decide/cycle.h"

#include "runtime/ending/ending.h"
#include "runtime/record/recurrence.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kMoreRounds = 8;  // that a cycle is followed until the state comes back

const Decider* g_before;
KeptState g_round;     // before which the round began
uint32_t g_round_end;  // a step; 0: there has been none yet

void begin(const wire::Job& job) {
  g_round_end = 0;
  g_before = decider_of(job.decider);
  if (g_before->begin != nullptr) g_before->begin(job);
}

void thread_added(const Thread* thread) {
  if (g_before->thread_added != nullptr) g_before->thread_added(thread);
}

uint32_t choose(const ChoicePoint& point) {
  const Run& run = g_run;
  if (run.step < run.job.limit || g_round_end == 0) return g_before->choose(point);
  // As one round before.
  const wire::Step& again = run.trace[run.step - run.job.cycle];
  uint32_t choice = point.find(again.thread, again.outcome);
  if (choice == ChoicePoint::kNone) end_run(wire::Ending::cut);
  return choice;
}

void follow_cycle() {
  const Run& run = g_run;
  uint32_t length = run.job.cycle;
  if (g_round_end == 0) {
    if (run.step + length < run.job.limit) return;
    g_round = keep_state();
    g_round_end = run.step + length;
    return;
  }
  // Whoever goes round once more goes as before, whether the fair scheduler would let it or not.
  if (run.step >= run.job.limit) fair_let_all_go();
  if (run.step < g_round_end) return;
  if ((run.job.flags & wire::kCycleIsProved) != 0) end_with_livelock(length);
  KeptState before = g_round;
  g_round = keep_state();
  if (has_come_back(before, g_round)) end_with_livelock(length);
  if (run.step >= run.job.limit + kMoreRounds * length) end_run(wire::Ending::cut);
  g_round_end = run.step + length;
}

void stepped(const wire::Step& step) {
  if (g_before->stepped != nullptr) g_before->stepped(step);
  if (g_fair && g_run.current->state != State::ended) follow_cycle();
}

}  // namespace

const Decider kCycleDecider{begin, thread_added, choose, stepped, true};

}  // namespace heddle::runtime
