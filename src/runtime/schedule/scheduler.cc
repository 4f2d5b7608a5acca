// The slow path of the scheduler: decisions, options, states. See scheduler.h for the protocol.
#include "runtime/schedule/scheduler.h"

#include <stddef.h>

#include "runtime/carrier/hand_over.h"
#include "runtime/carrier/local_state.h"
#include "runtime/carrier/slots.h"
#include "runtime/debugger.h"
#include "runtime/decide/decider.h"
#include "runtime/decide/default.h"
#include "runtime/decide/follow.h"
#include "runtime/decide/uniform.h"
#include "runtime/ending/ending.h"
#include "runtime/fill.h"
#include "runtime/record/clock.h"
#include "runtime/record/detail.h"
#include "runtime/record/recurrence.h"
#include "runtime/record/states.h"
#include "runtime/schedule/state_keys.h"

extern "C" void heddle_switch(void** save_sp, void* load_sp, uint64_t fs);

namespace heddle::runtime {

using wire::Op;

namespace {

void set_ready_bit(uint32_t rank, bool on) {
  uint64_t bit = uint64_t{1} << (rank % 64);
  if (on) {
    g_run.ready[rank / 64] |= bit;
  } else {
    g_run.ready[rank / 64] &= ~bit;
  }
}

uint32_t lower(uint32_t a, uint32_t b) { return a < b ? a : b; }

// The number of the step from which on settle() must go its long way. What comes up in the course
// of an execution says so itself: look_closer().
uint32_t next_slow() {
  const Run& run = g_run;
  if (run.detail || run.wants_options || filters_are_at_work()) return 0;
  if ((run.job.flags & wire::kNoteStates) != 0) return 0;
  if (g_state.callback != nullptr || run.step < g_recurrence_watch) return 0;
  uint32_t slow = lower(g_region->config.max_steps, run.job.limit);
  return lower(slow, run.job.check_step);
}

// The number of the step from which on somebody must decide: see Run::alert_step.
uint32_t next_alert(uint32_t slow) {
  const Run& run = g_run;
  if (run.decider->every_step) return 0;
  return run.decision != run.decision_end ? lower(slow, run.decision->step) : slow;
}

void set_alerts() {
  Run& run = g_run;
  uint32_t slow = next_slow();
  run.alert_step = next_alert(slow);
  bool is_short = !g_debugged && !g_hands_over && !g_clears_stack;
  run.slow_step = !is_short ? 0 : run.job.patience != 0 ? lower(slow, run.job.patience) : slow;
}

// The threads of all options go to the region.
void write_options(const ChoicePoint& point) {
  Run& run = g_run;
  if (run.option_count + point.count() > wire::kMaxOptions) {
    run.wants_options = false;
    return;
  }
  uint16_t* out = wire::option_threads(g_region) + run.option_count;
  uint32_t written = 0;
  point.for_each([&](const Option& option) {
    auto thread = static_cast<uint16_t>(option.thread->index);
    run.option_seal += wire::seal_of_word(wire::Area::options, run.option_count + written, thread);
    out[written++] = thread;
  });
  HEDDLE_INVARIANT(written == point.count());
  run.option_count += written;
}

// The execution goes on and on, maybe since somebody never gets to go: the decider has had its
// time.
bool is_impatient() { return g_run.job.patience != 0 && g_run.step >= g_run.job.patience; }

uint32_t decide(const ChoicePoint& point) {
  Run& run = g_run;
  if (run.step == run.job.check_step) {
    run.job.check_step = wire::kNoStep;
    if (static_cast<uint32_t>(run.sequence) != run.job.check) end_run(wire::Ending::diverged);
  }
  if (run.step >= run.job.limit && run.job.cycle == 0) end_endless();
  if (run.step >= g_region->config.max_steps) end_run(wire::Ending::cut);
  uint32_t choice = schedule_speaks() ? follow_schedule(point)
                    : is_impatient()  ? point.first()
                                      : run.decider->choose(point);
  set_alerts();
  return choice;
}

}  // namespace

// A parent before its children, they by their ordinals.
bool path_before(const Thread* a, const Thread* b) {
  while (a->depth > b->depth) {
    if (a->depth == b->depth + 1 && a->parent == b->index) return false;
    a = &g_threads[a->parent];
  }
  while (b->depth > a->depth) {
    if (b->depth == a->depth + 1 && b->parent == a->index) return true;
    b = &g_threads[b->parent];
  }
  while (a->parent != b->parent) {
    a = &g_threads[a->parent];
    b = &g_threads[b->parent];
  }
  return a->ordinal < b->ordinal;
}

namespace {

void rank_again(uint32_t from) {
  for (uint32_t i = from; i < g_run.living_count; ++i) {
    g_run.living[i]->rank = i;
    set_ready_bit(i, g_run.living[i]->state == State::ready);
  }
  set_ready_bit(g_run.living_count, false);
}

void remove_from_living(Thread* thread) {
  Run& run = g_run;
  uint32_t rank = thread->rank;
  --run.living_count;
  for (uint32_t i = rank; i < run.living_count; ++i) run.living[i] = run.living[i + 1];
  rank_again(rank);
}

}  // namespace

void begin_run(const wire::Job& job, const wire::Decision* decisions) {
  Run& run = g_run;
  for (uint32_t i = 0; i <= run.living_count / 64; ++i) run.ready[i] = 0;
  run.trace = wire::trace(g_region);
  run.step = 0;
  run.ready_count = 0;
  run.late_count = 0;
  run.open_count = 0;
  run.sequence = 0;
  run.fingerprint = 0;
  run.seal = 0;
  run.sealed_from = 0;
  bool wants_part = (job.flags & (wire::kWantSteps | wire::kWantPending)) == wire::kWantSteps;
  run.seal_until = wants_part ? job.first_step : 0;
  run.option_seal = 0;
  run.note_seal = 0;
  run.object = &g_records[0];
  run.decision = decisions;
  run.decision_end = decisions + (job.decision_count - job.hint_count);
  run.hints = reinterpret_cast<const uint64_t*>(run.decision_end);
  run.note_count = 0;
  run.depth = 0;
  run.job = job;
  run.preemptions = 0;
  run.living_count = 0;
  run.thread_count = 0;
  run.racers = 0;
  run.wait_counter = 0;
  run.detail = (job.flags & wire::kDetail) != 0;
  run.held_back = 0;
  run.outside = 0;
  run.stopped = false;
  g_clears_stack = false;
  retries_begin_run();
  filters_begin_run();
  recurrence_begin_run();
  run.decider = decider_for(job);
  if (run.decider->begin != nullptr) run.decider->begin(job);
  run.wants_options = (job.flags & wire::kWantOptions) != 0;
  // The first step is main's beginning, without a choice.
  run.option_count = run.wants_options ? 1 : 0;
  if (run.wants_options) {
    wire::option_threads(g_region)[0] = 0;
    run.option_seal = wire::seal_of_word(wire::Area::options, 0, 0);
  }
  set_alerts();
  run.counted_step = g_fair ? g_region->config.yield_after - 1 : wire::kNoStep;
  run.alert_step = lower(run.alert_step, run.counted_step);
  run.current = nullptr;
  forget_objects();
  clocks_reset();
}

Thread* add_thread(Thread* parent) {
  Run& run = g_run;
  if (run.thread_count > wire::kMaxThreads) return nullptr;
  Thread* thread = &g_threads[run.thread_count];
  bool is_used_up = thread->next_place != 0 || thread->has_reads;
  clear_lines(thread, is_used_up ? sizeof *thread : offsetof(Thread, places));
  thread->index = run.thread_count++;
  ++run.racers;
  thread->pending.op = Op::begin;
  thread->state = State::ready;
  thread->after = run.step == 0 ? wire::kNoStep : run.step - 1;
  if (parent == nullptr) {
    thread->parent = wire::kNoThread;
    thread->id = 0xa43f6a8885a308d3;  // the fraction of pi, with the top bit
    thread->last_hash = thread->id;
  } else {
    thread->parent = parent->index;
    thread->ordinal = ++parent->children;
    thread->depth = parent->depth + 1;
    thread->id = child_id(parent, thread->ordinal);
    thread->last_hash = mix(parent->last_hash, thread->id);
    thread->now = parent->now;
  }
  uint32_t rank = run.living_count++;
  while (rank > 0 && path_before(thread, run.living[rank - 1])) {
    run.living[rank] = run.living[rank - 1];
    --rank;
  }
  run.living[rank] = thread;
  ++run.ready_count;
  rank_again(rank);
  filters_add(thread);
  if (HEDDLE_UNLIKELY(run.detail)) detail_add(thread);
  if (run.decider->thread_added != nullptr) run.decider->thread_added(thread);
  return thread;
}

uint64_t child_id(const Thread* parent, uint32_t ordinal) {
  // The top bit: no address looks like it, so that threads can be objects of operations.
  return mix(parent->id, ordinal) | uint64_t{1} << 63;
}

void set_state(Thread* thread, State state) {
  Run& run = g_run;
  if (thread->state == state) return;
  filters_change(thread, state);
  if (thread->state == State::ready) {
    --run.ready_count;
    set_ready_bit(thread->rank, false);
  } else if (thread->state == State::late) {
    --run.late_count;
  }
  thread->state = state;
  if (state == State::ready) {
    ++run.ready_count;
    set_ready_bit(thread->rank, true);
  } else if (state == State::late) {
    ++run.late_count;
  } else if (state == State::ended) {
    remove_from_living(thread);
  }
}

namespace {

// The running thread has announced its next operation, or has ended: its last step is complete.
void arrive() {
  Run& run = g_run;
  Thread* self = run.current;
  if (HEDDLE_UNLIKELY(run.detail) && self->state != State::ended) detail_announce();
  visit_state();
  if (!is_read(self->pending.op)) self->spin.patience = 0;
  filters_arrive();
  if (HEDDLE_UNLIKELY(run.step < g_recurrence_watch) && run.job.cycle == 0 && g_fair &&
      self->state != State::ended) {
    watch_for_recurrence();
  }
  if (HEDDLE_UNLIKELY(run.decider->stepped != nullptr)) run.decider->stepped(latest_step());
}

// `chosen` makes its step.
void make_step(const ChoicePoint& point, uint32_t choice, const Option& chosen) {
  Run& run = g_run;
  Thread* self = run.current;
  Thread* thread = chosen.thread;
  if (!chosen.free) ++run.preemptions;
  thread->outcome = chosen.outcome;
  if (HEDDLE_UNLIKELY(run.detail)) {
    if (thread != self && self->state != State::ended) detail_stop();
    detail_step(thread);
  }
  if (HEDDLE_UNLIKELY(run.wants_options)) write_options(point);
  uint32_t own = thread->state == State::ready ? number_of_outcomes(thread) : 1;
  filters_before_step(thread);
  if (run.step < run.seal_until) {
    run.seal = 0;
    run.sealed_from = run.step;
  }
  record(thread, choice, point.count(), point.free_count(), own);
  thread->outcome = chosen.outcome;
  // Whoever was late, or woke for no reason, goes on with its operation.
  if (thread->state != State::ready) set_state(thread, State::ready);
  filters_after_step(thread);
  run.current = thread;
  if (HEDDLE_LIKELY(g_fair)) {
    run.counted_step = counted_yield();
    run.alert_step = lower(run.alert_step, run.counted_step);
    if (HEDDLE_UNLIKELY(g_clears_stack) && may_spin(thread)) run.alert_step = 0;
  }
}

// Of an execution with a thread that has stopped nobody has to see the end: those who wait for it
// go on in another.
[[noreturn]] void end_with_nobody() {
  if (g_run.stopped) end_run(wire::Ending::redundant);
  end_with_deadlock();
}

__attribute__((noinline)) void settle_announced() {
  Thread* self = g_run.current;
  arrive();
  ChoicePoint point;
  if (HEDDLE_UNLIKELY(point.count() == 0)) {
    filters_are_stuck();
    if (!look_again_at_descriptors()) end_with_nobody();
    point = ChoicePoint();
  }
  if (point.count() > 1) {
    ++g_run.depth;
    bool notes = (g_run.job.flags & wire::kNoteStates) != 0;
    if (HEDDLE_UNLIKELY(notes) && g_run.step >= g_run.job.first_step) note_state();
  }
  uint32_t choice = decide(point);
  Option chosen = point.at(choice);
  HEDDLE_INVARIANT(chosen.thread != nullptr);
  make_step(point, choice, chosen);
  if (chosen.thread != self) {
    switch_thread(self, chosen.thread);
    if (HEDDLE_UNLIKELY(g_visitor != nullptr)) answer_visitor(self);
  }
  if (HEDDLE_UNLIKELY(g_debugged)) debugger_step();
}

}  // namespace

namespace {

// The thread of an option, where all of them are threads.
inline Thread* thread_of_option(uint32_t choice, Thread* self, bool goes_on) {
  constexpr uint32_t kFew = 4;
  if (goes_on && choice == 0) return self;
  uint32_t left = choice - (goes_on ? 1 : 0);
  const Run& run = g_run;
  if (HEDDLE_UNLIKELY(run.living_count > 64 || left > kFew)) {
    return ChoicePoint(self).at(choice).thread;
  }
  uint64_t bits = run.ready[0];
  if (goes_on) bits &= ~(uint64_t{1} << self->rank);
  for (; left > 0; --left) bits &= bits - 1;
  return run.living[__builtin_ctzll(bits)];
}

// What is decided where all options are threads, and none is passed over.
inline uint32_t choose_simply(Thread* self, const wire::Decision* decision) {
  if (decision != nullptr) {
    ++g_run.decision;
    return decision->choice;
  }
  // The usual ones without a call.
  const Decider* decider = g_run.decider;
  if (decider == &kUniformDecider) return choose_uniformly(g_run.ready_count);
  if (decider == &kDefaultDecider) return 0;
  return decider->choose(ChoicePoint(self));
}

// The chosen thread makes its step, one of `count` options, on the short way: no filter is at work.
__attribute__((always_inline)) inline void make_simple_step(Thread* thread, uint32_t choice,
                                                            uint32_t count, uint32_t free) {
  Run& run = g_run;
  uint32_t step = run.step;
  if (choice >= free) ++run.preemptions;
  if (step < run.seal_until) {
    run.seal = 0;
    run.sealed_from = step;
  }
  thread->outcome = 0;
  record_here(thread, choice, count, free, 1);
  Thread* self = run.current;
  run.current = thread;
  if (thread != self && g_fair) {
    fair_stop(self, step);
    run.counted_step = counted_yield();
  }
  run.alert_step = lower(next_alert(run.slow_step), run.counted_step);
}

// The short way of settle(): nothing is asked but who goes next, of threads that are ready. False:
// there is more to it, and nothing has been done.
__attribute__((always_inline)) inline bool settle_simply() {
  Run& run = g_run;
  Thread* self = run.current;
  uint32_t count = run.ready_count;
  bool is_simple = run.step < run.slow_step && run.step < run.counted_step &&
                   (run.late_count | run.open_count) == 0 && count != 0 &&
                   self->pending.yields < Yields::counted;
  if (HEDDLE_UNLIKELY(!is_simple)) return false;
  const wire::Decision* decision = schedule_speaks() ? run.decision : nullptr;
  // A choice is below the flags that make something else of a decision.
  if (decision != nullptr && decision->choice >= count) return false;
  if (!is_read(self->pending.op)) self->spin.patience = 0;
  if (HEDDLE_UNLIKELY(run.decider->stepped != nullptr)) run.decider->stepped(latest_step());
  run.depth += count > 1 ? 1 : 0;
  bool goes_on = self->state == State::ready;
  uint32_t free = goes_on ? 1 : count;
  uint32_t choice = choose_simply(self, decision);
  Thread* thread = thread_of_option(choice, self, goes_on);
  if (HEDDLE_UNLIKELY(thread->pending.yields >= Yields::counted)) {
    make_step(ChoicePoint(self), choice, {thread, 0, choice < free, false, false});
  } else {
    make_simple_step(thread, choice, count, free);
  }
  if (thread == self) return true;
  heddle_switch(&self->sp, thread->sp, thread->slot->fs);
  if (HEDDLE_UNLIKELY(g_visitor != nullptr)) answer_visitor(self);
  return true;
}

}  // namespace

void settle() {
  constexpr uint64_t kDeepest = 768;
  if (!settle_simply()) settle_announced();
  if (HEDDLE_UNLIKELY(g_clears_stack)) clear_dead_stack(g_run.current, kDeepest);
}

void stop() {
  Thread* self = g_run.current;
  self->stopped = true;
  g_run.stopped = true;
  set_state(self, State::blocked);
  settle();
  HEDDLE_INVARIANT(false);
}

void set_open(Thread* thread, bool open) {
  if (thread->pending.open == open) return;
  thread->pending.open = open;
  g_run.open_count += open ? 1 : -1u;
}

uint32_t settle_open() {
  Thread* self = g_run.current;
  set_open(self, true);
  settle();
  set_open(self, false);
  // The next operation has its own: left here, the fast path of reach() would record this one for
  // it.
  uint32_t outcome = self->outcome;
  self->outcome = 0;
  return outcome;
}

}  // namespace heddle::runtime
