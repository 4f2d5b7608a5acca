// See recurrence.h.
#include "runtime/record/recurrence.h"

#include "base/hash.h"
#include "runtime/carrier/local_state.h"
#include "runtime/carrier/slots.h"
#include "runtime/carrier/tls.h"
#include "runtime/ending/ending.h"
#include "runtime/isolate/addressable.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/memory_hash.h"
#include "runtime/isolate/snapshot.h"

namespace heddle::runtime {

bool g_keeps_states;
uint32_t g_recurrence_watch;
Thread* g_visitor;

namespace {

using wire::Op;

constexpr uint32_t kFirstKept = 4;  // yield
constexpr uint32_t kMostKept = 24;  // states
constexpr uint32_t kWatchedSteps = 4096;
constexpr uint64_t kFreeBytes = 1 << 18;  // that may be looked at in an execution however short …
constexpr uint64_t kBytesPerStep = 1024;  // … and for each of its steps

struct Recurrence {
  KeptState kept[kMostKept];
  uint32_t count;
  uint32_t yields;
  uint64_t bytes;      // looked at
  LocalState visited;  // told by the thread that was let go for it
};
Recurrence g_recurrence;

// What each thread is about to do: quickly made, and the same where the state is.
uint64_t sketch_of_state() {
  const Run& run = g_run;
  uint64_t hash = mix(run.thread_count, run.current->index);
  for (uint32_t i = 0; i < run.living_count; ++i) {
    const Thread* thread = run.living[i];
    const Pending& pending = thread->pending;
    uint64_t flags =
        static_cast<uint64_t>(pending.op) << 8 | static_cast<uint64_t>(thread->state) << 6 |
        uint64_t{thread->signalled} << 5 | uint64_t{thread->woke_spuriously} << 4 |
        uint64_t{thread->failed_spuriously} << 3 | uint64_t{thread->cancel_requested} << 2 |
        uint64_t{thread->cancel_disabled} << 1;
    hash = mix(hash, flags << 32 | thread->index);
    hash = mix(mix(hash, pending.object), mix(pending.pc, pending.second));
  }
  return hash;
}

// Of a thread that has not begun there is its function alone.
LocalState local_state_of(Thread* thread) {
  constexpr uint64_t kAll = ~uint64_t{0};
  if (thread == g_run.current) return local_state(thread, kAll);
  if (thread->pending.op == Op::begin) {
    auto function = reinterpret_cast<uint64_t>(thread->slot->function);
    return {mix(function, reinterpret_cast<uint64_t>(thread->slot->argument)) | 1, 0};
  }
  g_visitor = g_run.current;
  switch_thread(g_visitor, thread);
  g_visitor = nullptr;
  return g_recurrence.visited;
}

// 0: it cannot be told.
uint64_t state() {
  const Run& run = g_run;
  uint64_t hash = 0;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    Thread* thread = run.living[i];
    LocalState local = local_state_of(thread);
    if (local.hash == 0) return 0;
    g_recurrence.bytes += local.depth;
    hash = mix(hash, local.hash);
    uint64_t variables = tls_hash(thread->slot->fs);
    if (variables == 0) return 0;
    hash = mix(hash, variables);
    hash = mix(hash, mix(reinterpret_cast<uint64_t>(thread->slot->exits),
                         reinterpret_cast<uint64_t>(thread->slot->cleanup)));
    hash = mix(hash, mix(thread->other_reads, thread->children));
    for (const Read& read : thread->reads) {
      if (read.times != 0) hash += mix(read.object, read.times);
    }
  }
  return mix(hash, shared_memory_hash(&g_recurrence.bytes)) | 1;
}

KeptState keep(uint64_t sketch, uint32_t attempts) {
  g_keeps_states = true;
  return {sketch, state(), g_run.outside, g_run.step, attempts};
}

bool can_look() { return !g_has_mappings && g_run.thread_count <= kFairThreads; }
bool may_look() {
  return can_look() && g_recurrence.bytes < kFreeBytes + kBytesPerStep * g_run.step;
}

// Whether an operation changes nothing but the program's memory and the threads' states.
bool is_of_memory(Op op) { return !wire::has(op, wire::kOutside); }

// Whether the steps since then, repeated for ever, are fair: each thread has gone, or could not.
bool is_fair_since(const KeptState& kept) {
  const Run& run = g_run;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    const Thread* thread = run.living[i];
    if (!is_of_memory(thread->pending.op)) return false;
    bool has_gone = thread == run.current ||
                    (thread->last_step != wire::kNoStep && thread->last_step >= kept.step);
    bool is_stuck = thread->state == State::blocked && thread->disabled_at <= kept.step;
    if (!has_gone && !is_stuck) return false;
  }
  return true;
}

// Whether the step changes memory of which nothing is known: its name is then the address itself
// (find_name() in record/objects.cc), which the names of other objects are not.
bool changes_unknown(const wire::Step& step) {
  return wire::op_effect(step.op) == 'w' && step.object != 0 && step.object >> 47 == 0;
}

// Whether nothing but the state that was compared can have decided which way the steps went.
bool is_closed_since(const KeptState& kept) {
  const Run& run = g_run;
  for (uint32_t i = kept.step; i < run.step; ++i) {
    const wire::Step& step = run.trace[i];
    if (step.outcomes > 1 || !is_of_memory(step.op) || changes_unknown(step)) return false;
  }
  return true;
}

// Whether the steps since then, repeated for ever, are an execution, and fair.
bool is_back_in(const KeptState& kept, uint64_t now) {
  return kept.state != 0 && kept.state == now && is_fair_since(kept) && is_closed_since(kept);
}

void compare(KeptState* kept, uint64_t sketch) {
  if (kept->sketch != sketch || kept->attempts == 0 || kept->state == 0) return;
  if (kept->outside != g_run.outside || !is_fair_since(*kept) || !may_look()) return;
  if (is_back_in(*kept, state())) end_with_livelock(g_run.step - kept->step);
  --kept->attempts;
}

void compare_all(uint64_t sketch) {
  for (uint32_t i = g_recurrence.count; i-- > 0;) compare(&g_recurrence.kept[i], sketch);
}

void keep_now(uint64_t sketch, uint32_t attempts) {
  Recurrence& all = g_recurrence;
  if (!may_look()) return;
  if (all.count == kMostKept) {
    for (uint32_t i = 1; i < kMostKept; ++i) all.kept[i - 1] = all.kept[i];
    --all.count;
  }
  all.kept[all.count++] = keep(sketch, attempts);
}

// A loop that counts its rounds has the same sketch in each. Attempts are few, then, but the longer
// the execution the more.
uint32_t attempts_at(uint32_t yields) { return 3 + yields / 8; }

}  // namespace

void recurrence_begin_run() {
  g_recurrence.count = 0;
  g_recurrence.yields = 0;
  g_recurrence.bytes = 0;
  g_recurrence_watch = 0;
  g_keeps_states = false;
}

void note_kept_write(uint64_t address) {
  if (in_heap(address) || snapshot_contains(address) || is_of_slot(address)) return;
  ++g_run.outside;
}

void look_for_recurrence(bool counted) {
  Recurrence& all = g_recurrence;
  uint32_t yields = ++all.yields;
  if (g_run.job.cycle != 0) return;
  bool keeps = counted || (yields >= kFirstKept && (yields & (yields - 1)) == 0);
  if (!keeps && all.count == 0) return;
  uint64_t sketch = sketch_of_state();
  compare_all(sketch);
  if (keeps) keep_now(sketch, attempts_at(yields));
  if (counted) g_recurrence_watch = g_run.step + kWatchedSteps;
}

void watch_for_recurrence() {
  Recurrence& all = g_recurrence;
  if (all.count == 0 || all.kept[all.count - 1].attempts == 0) {
    g_recurrence_watch = 0;
    return;
  }
  if (g_run.step > all.kept[all.count - 1].step) {
    compare(&all.kept[all.count - 1], sketch_of_state());
  }
}

KeptState keep_state() { return keep(0, 0); }

// How much memory there is to look at depends on what the worker has learnt; when it is looked at
// must not, since the execution ends there. So it is seldom, however large that is.
bool comes_back_alone(KeptState* kept, uint32_t turn) {
  constexpr uint32_t kTurnsAfter = 16;
  if (turn < kFirstKept || !can_look()) return false;
  uint32_t kept_at = 1u << (31 - __builtin_clz(turn));
  if (turn == kept_at) {
    *kept = keep_state();
    return false;
  }
  if (turn - kept_at > kTurnsAfter) return false;
  if (kept->state == 0 || kept->outside != g_run.outside || !is_closed_since(*kept)) return false;
  return state() == kept->state;
}

bool has_come_back(const KeptState& then, const KeptState& now) {
  return then.outside == now.outside && is_back_in(then, now.state);
}

void answer_visitor(Thread* self) {
  while (g_visitor != nullptr) {
    g_recurrence.visited = local_state(self, ~uint64_t{0});
    switch_thread(self, g_visitor);
  }
}

}  // namespace heddle::runtime
