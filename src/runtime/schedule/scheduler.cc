// The slow path of the scheduler: decisions, options, states. See scheduler.h for the protocol.
#include "runtime/schedule/scheduler.h"

#include "runtime/carrier/slots.h"
#include "runtime/detect/ending.h"
#include "runtime/detect/liveness.h"
#include "runtime/detect/order.h"
#include "runtime/detect/recurrence.h"
#include "runtime/detect/shadow.h"
#include "runtime/schedule/detail.h"
#include "runtime/schedule/fair.h"
#include "runtime/schedule/local_state.h"
#include "runtime/schedule/sleep.h"
#include "runtime/schedule/states.h"
#include "runtime/sync/descriptors.h"

namespace heddle::runtime {

using wire::Op;

Run g_run;
bool g_spurious;
Thread g_threads[wire::kMaxThreads + 1];

namespace {

struct Option {
  Thread* thread;
  uint32_t outcome;
};

struct Count {
  uint32_t options;
  uint32_t free;  // the first so many are no preemption
};

void set_ready_bit(uint32_t rank, bool on) {
  uint64_t bit = uint64_t{1} << (rank % 64);
  if (on) {
    g_run.ready[rank / 64] |= bit;
  } else {
    g_run.ready[rank / 64] &= ~bit;
  }
}

bool is_open(const Thread* thread) { return thread->pending.open; }

uint32_t number_of_options(const Thread* thread) { return is_open(thread) ? outcomes(thread) : 1; }

bool can_go(const Thread* thread) { return thread->state == State::ready && !thread->stands_back; }

// Whether the running thread can go, and does not give way.
bool goes_on() { return can_go(g_run.current) && !g_run.gives_way; }

Count count_options() {
  const Run& run = g_run;
  uint32_t options = run.ready_count + run.late_count - run.standing_back;
  if (run.open_count != 0) {
    for (uint32_t i = 0; i < run.living_count; ++i) {
      const Thread* thread = run.living[i];
      if (is_open(thread) && !thread->stands_back) options += outcomes(thread) - 1;
    }
  }
  // Nobody can rely on an event that comes for no reason: where it is all that is left, it is a
  // deadlock.
  if (run.ready_count + run.late_count == 0) options = 0;
  // Whom fairness sends to the back is not preempted (fair, section 4).
  if (goes_on()) return {options, number_of_options(run.current)};
  return {options, options};
}

// The first ready thread with a rank of at least `from`, or null.
Thread* next_ready(uint32_t from) {
  const Run& run = g_run;
  if (from >= run.living_count) return nullptr;
  uint32_t word = from / 64;
  uint64_t bits = run.ready[word] & (~uint64_t{0} << (from % 64));
  while (bits == 0) {
    if (++word * 64 >= run.living_count) return nullptr;
    bits = run.ready[word];
  }
  return run.living[word * 64 + static_cast<uint32_t>(__builtin_ctzll(bits))];
}

// Of these, the first that does not stand back.
Thread* next_to_go(uint32_t from) {
  Thread* thread = next_ready(from);
  while (thread != nullptr && thread->stands_back) thread = next_ready(thread->rank + 1);
  return thread;
}

// How many places `thread` stands behind the running thread, going round: the running one itself
// stands last.
uint32_t places_behind(const Thread* thread) {
  const Run& run = g_run;
  uint32_t count = run.living_count;
  uint32_t origin = run.current->state == State::ended ? count - 1 : run.current->rank;
  return (thread->rank + count - origin - 1) % count;
}

bool goes_before(const Thread* a, const Thread* b) {
  if (a->pending.deadline != b->pending.deadline) return a->pending.deadline < b->pending.deadline;
  return places_behind(a) < places_behind(b);
}

// The late thread number n in the order of deadlines.
Thread* nth_late(uint32_t n) {
  const Run& run = g_run;
  Thread* last = nullptr;
  for (;; --n) {
    Thread* best = nullptr;
    for (uint32_t i = 0; i < run.living_count; ++i) {
      Thread* thread = run.living[i];
      if (thread->state != State::late || thread->stands_back) continue;
      if (last != nullptr && !goes_before(last, thread)) continue;
      if (best == nullptr || goes_before(thread, best)) best = thread;
    }
    if (n == 0) return best;
    last = best;
  }
}

// The sleeper number n, by id, that may wake for no reason.
Thread* nth_open_sleeper(uint32_t n) {
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    if (!is_open(thread) || !is_sleeping(thread) || thread->state == State::ready) continue;
    if (n-- == 0) return thread;
  }
  return nullptr;
}

// How many late threads do not stand back.
uint32_t late_to_go() {
  uint32_t count = g_run.late_count;
  for (uint32_t i = 0; g_run.standing_back != 0 && i < g_run.living_count; ++i) {
    const Thread* thread = g_run.living[i];
    count -= thread->state == State::late && thread->stands_back;
  }
  return count;
}

// Option number `choice` in the order that wire::Step describes.
Option option(uint32_t choice) {
  Run& run = g_run;
  Thread* current = run.current;
  uint32_t own_first = goes_on() ? number_of_options(current) : 0;
  if (choice < own_first) return {current, choice};
  choice -= own_first;
  if (run.ready_count != 0) {
    for (Thread* thread = next_to_go(0); thread != nullptr; thread = next_to_go(thread->rank + 1)) {
      if (thread == current) continue;
      uint32_t own = number_of_options(thread);
      if (choice < own) return {thread, choice};
      choice -= own;
    }
  }
  uint32_t own_last = own_first == 0 && can_go(current) ? number_of_options(current) : 0;
  if (choice < own_last) return {current, choice};
  choice -= own_last;
  uint32_t late = late_to_go();
  if (choice < late) return {nth_late(choice), 0};
  return {nth_open_sleeper(choice - late), kSpuriously};
}

// The number of the step from which on the slow path must look: see Run::alert_step.
uint32_t next_alert() {
  const Run& run = g_run;
  if (run.detail || run.job.decider != wire::Decider::follow || run.wants_options ||
      run.asleep != 0 || run.behind_count != 0)
    return 0;
  if (g_state.callback != nullptr || run.job.cycle != 0 || run.step < g_recurrence_watch) return 0;
  uint32_t alert = g_region->config.max_steps;
  if (run.job.limit < alert) alert = run.job.limit;
  if (run.decision != run.decision_end && run.decision->step < alert) alert = run.decision->step;
  if (run.job.check_step < alert) alert = run.job.check_step;
  return alert;
}

// The number of an option; kNoOption: there is no such one.
constexpr uint32_t kNoOption = 0xffffffff;
uint32_t number_of(const Count& count, uint32_t thread, uint32_t outcome) {
  for (uint32_t i = 0; i < count.options; ++i) {
    Option candidate = option(i);
    if (candidate.thread->index == thread && candidate.outcome == outcome) return i;
  }
  return kNoOption;
}

// The first option of a thread that is not passed over.
uint32_t first_awake(const Count& count) {
  for (uint32_t i = 0; i < count.options; ++i) {
    if (!is_asleep(option(i).thread)) return i;
  }
  end_run(wire::Ending::redundant);
}

// The decision that the schedule has for this step, which is its next one.
uint32_t follow(const Count& count) {
  Run& run = g_run;
  for (; run.decision->is_sleep(); ++run.decision) put_to_sleep(run.decision->thread());
  const wire::Decision& decision = *run.decision++;
  uint32_t choice = decision.choice;
  if (decision.names_thread()) {
    choice = number_of(count, decision.thread(), decision.outcome());
    if (choice == kNoOption && decision.is_wish()) return first_awake(count);
    // The last one that is no wish is tried without knowing whether its thread can go.
    bool last = run.decision == run.decision_end || run.decision->is_wish();
    if (choice == kNoOption && last) {
      run.decision = run.decision_end;
      end_run(wire::Ending::redundant);
    }
  }
  if (choice >= count.options) end_run(wire::Ending::diverged);
  return choice;
}

// The threads of all options go to the region.
void write_options(const Count& count) {
  Run& run = g_run;
  if (run.option_count + count.options > wire::kMaxOptions) {
    run.wants_options = false;
    return;
  }
  uint16_t* out = wire::option_threads(g_region) + run.option_count;
  uint32_t written = 0;
  auto write = [&](const Thread* thread) {
    for (uint32_t own = number_of_options(thread); own > 0; --own) {
      out[written++] = static_cast<uint16_t>(thread->index);
    }
  };
  // In the order of option(), but without beginning anew for each of a thousand that are ready.
  if (goes_on()) write(run.current);
  for (Thread* thread = next_to_go(0); thread != nullptr; thread = next_to_go(thread->rank + 1)) {
    if (thread != run.current) write(thread);
  }
  if (!goes_on() && can_go(run.current)) write(run.current);
  for (; written < count.options; ++written) {
    out[written] = static_cast<uint16_t>(option(written).thread->index);
  }
  run.option_count += count.options;
}

uint32_t decide(const Count& count) {
  Run& run = g_run;
  if (run.step == run.job.check_step) {
    run.job.check_step = wire::kNoStep;
    if (static_cast<uint32_t>(run.sequence) != run.job.check) end_run(wire::Ending::diverged);
  }
  const wire::Step* again = nullptr;
  if (run.step >= run.job.limit) {
    if (run.job.cycle == 0) end_endless();
    again = step_of_cycle();
  }
  if (run.step >= g_region->config.max_steps) end_run(wire::Ending::cut);
  uint32_t choice = 0;
  if (run.decision != run.decision_end && run.decision->step == run.step) {
    choice = follow(count);
  } else if (HEDDLE_UNLIKELY(again != nullptr)) {
    choice = number_of(count, again->thread, again->outcome);
    if (choice == kNoOption) end_run(wire::Ending::cut);
  } else if (HEDDLE_UNLIKELY(run.asleep != 0)) {
    choice = first_awake(count);
  } else if (run.job.decider == wire::Decider::uniform) {
    choice = static_cast<uint32_t>(run.random.below(count.options));
  }
  run.alert_step = next_alert();
  return choice;
}

// The living are kept by id, that is by path: a parent before its children, they by their ordinals.
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
  run.object = &g_records[0];
  run.decision = decisions;
  run.decision_end = decisions + job.decision_count;
  run.job = job;
  run.random = Random(job.seed);
  run.preemptions = 0;
  run.living_count = 0;
  run.thread_count = 0;
  run.wait_counter = 0;
  run.detail = (job.flags & wire::kDetail) != 0;
  run.asleep = 0;
  g_clears_stack = false;
  fair_begin_run();
  run.wants_options = (job.flags & wire::kWantOptions) != 0;
  // The first step is main's beginning, without a choice.
  run.option_count = run.wants_options ? 1 : 0;
  if (run.wants_options) wire::option_threads(g_region)[0] = 0;
  run.alert_step = next_alert();
  if (g_fair && g_region->config.yield_after - 1 < run.alert_step) {
    run.alert_step = g_region->config.yield_after - 1;
  }
  run.current = nullptr;
  forget_objects();
  clocks_reset();
  shadow_reset();
}

Thread* add_thread(Thread* parent) {
  Run& run = g_run;
  if (run.thread_count > wire::kMaxThreads) return nullptr;
  Thread* thread = &g_threads[run.thread_count];
  *thread = Thread{};
  thread->index = run.thread_count++;
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
  fair_add(thread);
  order_begin(thread, parent);
  return thread;
}

uint64_t child_id(const Thread* parent, uint32_t ordinal) {
  // The top bit: no address looks like it, so that threads can be objects of operations.
  return mix(parent->id, ordinal) | uint64_t{1} << 63;
}

void set_state(Thread* thread, State state) {
  Run& run = g_run;
  if (thread->state == state) return;
  if (g_fair) fair_change(thread, state);
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

uint32_t outcomes(const Thread* thread) {
  const Pending& pending = thread->pending;
  if (pending.op == Op::choose) return pending.choices;
  // An open sleeper wakes for no reason, or does not; one that is ready has been cancelled.
  if (is_sleeping(thread)) return thread->state == State::ready ? 1 : 2;
  if (pending.op == Op::atomic_cas) return finds_expected(pending) ? 2 : 1;
  // A signal or wake: whichever of the waiters. With none it still is one operation.
  uint32_t waiters = 0;
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    const Thread* other = g_run.living[i];
    waiters += other->pending.object == pending.object && is_sleeping(other);
  }
  return waiters == 0 ? 1 : waiters;
}

namespace {

__attribute__((noinline)) void settle_announced() {
  Run& run = g_run;
  Thread* self = run.current;
  if (HEDDLE_UNLIKELY(run.detail) && self->state != State::ended) detail_announce();
  visit_state();
  if (!is_read(self->pending.op)) self->spin.patience = 0;
  if (HEDDLE_LIKELY(g_fair)) {
    fair_arrive();
    if (self->pending.yields == Yields::yes) {
      g_clears_stack = true;
      self->yield_counts = counts_as_yield(self);
    } else if (run.step >= counted_yield()) {
      self->pending.yields = Yields::counted;
      self->yield_counts = true;
    }
    if (HEDDLE_UNLIKELY(run.step < g_recurrence_watch || run.job.cycle != 0) &&
        self->state != State::ended) {
      run.job.cycle != 0 ? follow_cycle() : watch_for_recurrence();
    }
  }
  Count count = count_options();
  if (HEDDLE_UNLIKELY(count.options == 0)) {
    if (!look_again_at_descriptors()) end_with_deadlock();
    count = count_options();
  }
  uint32_t choice = decide(count);
  Option chosen = option(choice);
  HEDDLE_INVARIANT(chosen.thread != nullptr);
  if (choice >= count.free) ++run.preemptions;
  chosen.thread->outcome = chosen.outcome;
  if (HEDDLE_UNLIKELY(run.detail)) {
    if (chosen.thread != self && self->state != State::ended) detail_stop();
    detail_step(chosen.thread);
  }
  if (HEDDLE_UNLIKELY(run.wants_options)) write_options(count);
  bool ready = chosen.thread->state == State::ready;
  uint32_t number_of_own = ready ? number_of_options(chosen.thread) : 1;
  if (HEDDLE_UNLIKELY(run.asleep != 0)) wake_dependent(chosen.thread);
  if (HEDDLE_UNLIKELY(run.behind_count != 0)) chosen.thread->flags |= wire::kRanked;
  record(chosen.thread, choice, count.options, count.free, number_of_own);
  chosen.thread->outcome = chosen.outcome;
  // Whoever was late, or woke for no reason, goes on with its operation.
  if (chosen.thread->state != State::ready) set_state(chosen.thread, State::ready);
  run.gives_way = false;
  if (HEDDLE_LIKELY(g_fair)) fair_go(chosen.thread);
  run.current = chosen.thread;
  if (HEDDLE_LIKELY(g_fair)) {
    uint32_t counted = counted_yield();
    if (counted < run.alert_step) run.alert_step = counted;
  }
  if (chosen.thread == self) return;
  switch_thread(self, chosen.thread);
  if (HEDDLE_UNLIKELY(g_visitor != nullptr)) answer_visitor(self);
}

}  // namespace

void settle() {
  constexpr uint64_t kDeepest = 768;
  settle_announced();
  if (HEDDLE_UNLIKELY(g_clears_stack)) clear_dead_stack(g_run.current, kDeepest);
}

bool finds_expected(const Pending& pending) {
  auto is_there = [&]<typename T>(T) {
    T expected;
    __builtin_memcpy(&expected, pending.expected, sizeof expected);
    return *reinterpret_cast<const volatile T*>(pending.object) == expected;
  };
  switch (pending.size) {
    case 1:
      return is_there(uint8_t{});
    case 2:
      return is_there(uint16_t{});
    case 4:
      return is_there(uint32_t{});
    case 8:
      return is_there(uint64_t{});
    default:
      return is_there(uint128{});
  }
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
