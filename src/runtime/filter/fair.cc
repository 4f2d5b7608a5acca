#include "runtime/filter/fair.h"

#include <string.h>

#include "runtime/carrier/local_state.h"
#include "runtime/filter/scenario.h"
#include "runtime/record/recurrence.h"

namespace heddle::runtime {

bool g_fair;
bool g_count_all;

namespace {

constexpr uint32_t kWords = kFairThreads / 64;

// Sets of threads, by index. The words beyond word_count() are not in use, and hold anything.
struct Row {
  uint64_t words[kWords];
};
Row g_behind[kFairThreads];    // P: whom the thread stands behind
Row g_disabled[kFairThreads];  // D
Row g_enabled;                 // ES
Row g_let_go;                  // of these, whom a script lets go
uint32_t g_interval;           // K

uint32_t fair_count() {
  return g_run.thread_count < kFairThreads ? g_run.thread_count : kFairThreads;
}
uint32_t word_count() { return (fair_count() + 63) / 64; }
uint64_t bit(uint32_t index) { return uint64_t{1} << (index % 64); }

void insert(Row* row, uint32_t index) { row->words[index / 64] |= bit(index); }
void erase(Row* row, uint32_t index) { row->words[index / 64] &= ~bit(index); }
bool contains(const Row& row, uint32_t index) { return (row.words[index / 64] & bit(index)) != 0; }
void clear(Row* row) { memset(row->words, 0, word_count() * sizeof(uint64_t)); }

bool is_empty(const Row& row) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < word_count(); ++i) any |= row.words[i];
  return any == 0;
}
bool meet(const Row& a, const Row& b) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < word_count(); ++i) any |= a.words[i] & b.words[i];
  return any != 0;
}

// One that has stopped could go on (record/retry.h): who stands behind it must not go before it.
bool is_enabled(const Thread* thread) {
  return thread->state == State::ready || thread->state == State::late || thread->stopped;
}

template <typename Visit>
void for_each_behind(Visit visit) {
  uint32_t left = g_run.behind_count;
  for (uint32_t i = 0; left != 0; ++i) {
    Thread* thread = g_run.living[i];
    if (!thread->is_behind) continue;
    --left;
    visit(thread);
  }
}

void set_standing_back(Thread* thread, bool on) {
  bool stands_back = (thread->held_by & kByFairness) != 0;
  if (stands_back == on) return;
  hold_back(thread, kByFairness, on);
  g_run.set_back = true;
}

// P no longer has (thread, _).
void stand_behind_nobody(Thread* thread) {
  if (!thread->is_behind) return;
  thread->is_behind = false;
  --g_run.behind_count;
  set_standing_back(thread, false);
}

// P no longer has (_, index).
void come_forward(uint32_t index) {
  for_each_behind([&](Thread* thread) {
    Row* row = &g_behind[thread->index];
    erase(row, index);
    if (is_empty(*row)) stand_behind_nobody(thread);
  });
}

void leave(Thread* thread) {
  stand_behind_nobody(thread);
  if (is_fair(thread)) come_forward(thread->index);
}

// Lines 24 to 28. Returns whether the thread is behind anybody for it.
bool begin_window(Thread* self) {
  Run& run = g_run;
  uint32_t window = self->window;
  Row* behind = &g_behind[self->index];
  bool any = false;
  for (uint32_t i = 0; window != wire::kNoStep && i < run.living_count; ++i) {
    const Thread* other = run.living[i];
    // Whom a script keeps from going is not kept waiting by this thread.
    if (other == self || !is_fair(other) || (other->held_by & kByScript) != 0) continue;
    if (other->last_step != wire::kNoStep && other->last_step >= window) continue;
    bool throughout = is_enabled(other) && other->enabled_since <= window;
    if (!throughout && !contains(g_disabled[self->index], other->index)) continue;
    if (!self->is_behind) {
      clear(behind);
      self->is_behind = true;
      ++run.behind_count;
    }
    insert(behind, other->index);
    any = true;
  }
  self->window = run.step;
  clear(&g_disabled[self->index]);
  return any;
}

}  // namespace

void fair_begin() {
  uint32_t fair = g_region->config.fair;
  g_fair = fair != 0;
  g_count_all = fair != wire::kFairOn;
  g_interval = g_count_all ? fair : 1;
}

void fair_begin_run() {
  Run& run = g_run;
  run.running_since = 0;
  run.counted_back = false;
  run.yielded = Yield::none;
  run.gives_way = false;
  run.set_back = false;
  run.behind_count = 0;
}

void fair_add(Thread* thread) {
  thread->window = wire::kNoStep;
  thread->last_step = wire::kNoStep;
  thread->enabled_since = g_run.step;
  thread->disabled_at = wire::kNoStep;
  if (!g_fair || !is_fair(thread)) return;
  uint32_t word = thread->index / 64;
  if (thread->index % 64 == 0) {
    for (uint32_t i = 0; i < thread->index; ++i) {
      g_behind[i].words[word] = 0;
      g_disabled[i].words[word] = 0;
    }
    g_enabled.words[word] = 0;
  }
  insert(&g_enabled, thread->index);
}

void fair_change(Thread* thread, State to) {
  Run& run = g_run;
  bool enabled = to == State::ready || to == State::late;
  if (to == State::ended) leave(thread);
  if (!is_fair(thread) || enabled == is_enabled(thread) || thread->stopped) return;
  Thread* self = run.current;
  bool others = thread != self && is_fair(self) && self->window != wire::kNoStep;
  if (enabled) {
    insert(&g_enabled, thread->index);
    // Stopped and set free again within one transition: it was enabled before and after it.
    if (thread->disabled_at == run.step) {
      if (thread->newly_disabled) erase(&g_disabled[self->index], thread->index);
    } else {
      thread->enabled_since = run.step;
    }
  } else {
    erase(&g_enabled, thread->index);
    thread->disabled_at = run.step;
    thread->newly_disabled = others && !contains(g_disabled[self->index], thread->index);
    if (others) insert(&g_disabled[self->index], thread->index);
  }
}

void fair_arrive() {
  Run& run = g_run;
  Thread* self = run.current;
  if (run.yielded != Yield::none) {
    Yield yield = run.yielded;
    run.yielded = Yield::none;
    bool takes_part = self->state != State::ended && is_fair(self);
    bool counts = takes_part && self->yield_counts && ++self->yields % g_interval == 0;
    bool stands_behind = counts && begin_window(self);
    if (stands_behind && yield == Yield::recognised) note_idle_spin(self);
    if (stands_behind && yield == Yield::counted) {
      run.counted_back = true;
      note_long_run(self);
    }
    if (takes_part) look_for_recurrence(yield == Yield::counted);
  }
  if (self->pending.yields == Yields::yes) {
    g_clears_stack = true;
    self->yield_counts = counts_as_yield(self);
  } else if (run.step >= counted_yield()) {
    self->pending.yields = Yields::counted;
    self->yield_counts = true;
  }
}

void fair_find_standing_back() {
  const Row* enabled = &g_enabled;
  if (HEDDLE_UNLIKELY(g_scripted)) {
    clear(&g_let_go);
    for (uint32_t i = 0; i < g_run.living_count; ++i) {
      const Thread* thread = g_run.living[i];
      bool may_go = is_enabled(thread) && (thread->held_by & kByScript) == 0;
      if (may_go && is_fair(thread)) insert(&g_let_go, thread->index);
    }
    enabled = &g_let_go;
  }
  for_each_behind([&](Thread* thread) {
    set_standing_back(thread, is_enabled(thread) && meet(g_behind[thread->index], *enabled));
  });
}

void fair_go(Thread* chosen) {
  Run& run = g_run;
  uint32_t step = run.step - 1;
  if (chosen != run.current) fair_stop(run.current, step);
  if (chosen->pending.yields >= Yields::counted) {
    bool counted = chosen->pending.yields == Yields::counted;
    run.yielded = counted ? Yield::counted : Yield::own;
    look_closer();
    mark_latest_step(wire::kYields | (counted ? wire::kCounted : 0));
    chosen->unyielded = 0;
    run.running_since = run.step;
  }
  if (run.behind_count != 0 && is_fair(chosen)) come_forward(chosen->index);
}

// Steps count from the windows only: what has happened since a thread's began is what decides, not
// when that was.
uint64_t fair_state() {
  const Run& run = g_run;
  uint64_t hash = 0;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    const Thread* thread = run.living[i];
    if (!is_fair(thread) || (thread->window == wire::kNoStep && !thread->is_behind)) continue;
    for (uint32_t j = 0; j < run.living_count; ++j) {
      const Thread* other = run.living[j];
      if (other == thread || !is_fair(other)) continue;
      bool is_current = other == run.current;
      bool has_window = thread->window != wire::kNoStep;
      bool has_gone = has_window && (is_current ? run.step > thread->window
                                                : other->last_step != wire::kNoStep &&
                                                      other->last_step >= thread->window);
      bool throughout = has_window && is_enabled(other) && other->enabled_since <= thread->window;
      bool disabled = has_window && contains(g_disabled[thread->index], other->index);
      bool behind = thread->is_behind && contains(g_behind[thread->index], other->index);
      uint64_t bits =
          (has_gone ? 1 : 0) | (throughout ? 2 : 0) | (disabled ? 4 : 0) | (behind ? 8 : 0) | 16;
      hash += mix(mix(thread->id, other->id), bits);
    }
  }
  return hash;
}

void fair_let_all_go() {
  for_each_behind([](Thread* thread) { stand_behind_nobody(thread); });
}

}  // namespace heddle::runtime
