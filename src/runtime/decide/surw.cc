#include "runtime/decide/surw.h"

#include "runtime/decide/by_priority.h"
#include "runtime/record/objects.h"

namespace heddle::runtime {

namespace {

struct {
  Random random;
  uint64_t object;  // its name
  const uint64_t* expected;
  uint32_t expected_count;  // pairs
  uint32_t meant;           // index of the thread; kNoThread: it has yet to be drawn
  // Operations that are left to a thread and to those that it has yet to create.
  uint64_t left[wire::kMaxThreads + 1];
} g_surw;

uint64_t expected_of(const Thread* thread) {
  for (uint32_t i = 0; i < g_surw.expected_count; ++i) {
    if (g_surw.expected[2 * i] == thread->id) return g_surw.expected[2 * i + 1];
  }
  return 0;
}

bool is_on_object(const Thread* thread) {
  const Pending& pending = thread->pending;
  return wire::op_effect(pending.op) != '-' &&
         find_object(pending.object, pending.bytes)->name == g_surw.object;
}

bool is_candidate(const Thread* thread) {
  return thread->index == g_surw.meant || !is_on_object(thread);
}

void begin(const wire::Job& job) {
  g_surw.random = Random(job.seed);
  g_surw.object = job.hint_count != 0 ? g_run.hints[0] : 0;
  g_surw.expected = g_run.hints + 1;
  g_surw.expected_count = job.hint_count != 0 ? (job.hint_count - 1) / 2 : 0;
  g_surw.meant = wire::kNoThread;
}

void thread_added(const Thread* thread) {
  uint64_t expected = expected_of(thread);
  g_surw.left[thread->index] = expected;
  if (thread->parent == wire::kNoThread) return;
  uint64_t& of_parent = g_surw.left[thread->parent];
  of_parent -= expected < of_parent ? expected : of_parent;
}

// Among all that live, by what is left to them.
void draw_meant() {
  uint64_t all = 0;
  for (uint32_t i = 0; i < g_run.living_count; ++i) all += g_surw.left[g_run.living[i]->index];
  g_surw.meant = wire::kNoThread;
  if (all == 0) return;
  uint64_t drawn = g_surw.random.below(all);
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    g_surw.meant = g_run.living[i]->index;
    if (drawn < g_surw.left[g_surw.meant]) return;
    drawn -= g_surw.left[g_surw.meant];
  }
}

// The n-th of the threads that can go, of the candidates or of all.
Thread* nth(const ChoicePoint& point, uint64_t n, bool any) {
  Thread* found = nullptr;
  point.for_each_thread([&](Thread* thread, uint32_t) {
    if ((any || is_candidate(thread)) && n-- == 0) found = thread;
  });
  return found;
}

uint32_t choose(const ChoicePoint& point) {
  if (g_surw.meant == wire::kNoThread) draw_meant();
  uint32_t candidates = 0;
  uint32_t all = 0;
  point.for_each_thread([&](const Thread* thread, uint32_t) {
    ++all;
    candidates += is_candidate(thread);
  });
  // The one that is meant cannot go, and all others are at the object: any of them, then.
  bool any = candidates == 0;
  Thread* thread = nth(point, g_surw.random.below(any ? all : candidates), any);
  if (is_on_object(thread)) {
    uint64_t& left = g_surw.left[thread->index];
    if (left != 0) --left;
    g_surw.meant = wire::kNoThread;
  }
  return any_option_of(point, thread, &g_surw.random);
}

}  // namespace

const Decider kSurwDecider{begin, thread_added, choose, nullptr, true};

}  // namespace heddle::runtime
