#include "runtime/decide/pos.h"

#include "runtime/decide/by_priority.h"

namespace heddle::runtime {

namespace {

struct {
  Random random;
  uint64_t priority[wire::kMaxThreads + 1];
} g_pos;

uint32_t choose(const ChoicePoint& point) {
  return pos_take(point, highest(point, [](const Thread* thread) {
                    return rank_of(thread, pos_priority(thread));
                  }));
}

}  // namespace

void pos_begin(const wire::Job& job) { g_pos.random = Random(job.seed); }

void pos_thread_added(const Thread* thread) { g_pos.priority[thread->index] = g_pos.random.next(); }

uint64_t pos_priority(const Thread* thread) { return g_pos.priority[thread->index]; }

// Who depends on the operation is asked before it is performed: it may free what it is on.
uint32_t pos_take(const ChoicePoint& point, const Thread* thread) {
  uint32_t option = any_option_of(point, thread, &g_pos.random);
  wire::Effect effect = effect_of(thread);
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    const Thread* other = g_run.living[i];
    if (other == thread || !depend(effect, effect_of(other))) continue;
    g_pos.priority[other->index] = g_pos.random.next();
  }
  g_pos.priority[thread->index] = g_pos.random.next();  // of what it announces next
  return option;
}

const Decider kPosDecider{pos_begin, pos_thread_added, choose, nullptr, true};

}  // namespace heddle::runtime
