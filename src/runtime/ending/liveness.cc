// Executions that do not end: livelocks, and threads that never yield.

#include <stdio.h>

#include "base/hash.h"
#include "runtime/ending/ending.h"
#include "runtime/record/fingerprint.h"
#include "runtime/run.h"

namespace heddle::runtime {

namespace {

// What a thread did at the end of the execution.
struct Part {
  bool early;  // it ran in the first half of that time
  bool late;
  bool yields;
  uint64_t pc;  // of its last step
};
Part g_parts[wire::kMaxThreads + 1];  // by index

// The places of a thread's steps, each once: an endless execution has few.
constexpr uint32_t kPlaces = 4096;
uint64_t g_places[kPlaces];

bool add_place(uint64_t place) {
  for (uint32_t i = 0; i < kPlaces; ++i) {
    uint64_t& known = g_places[(place + i) % kPlaces];
    if (known == place) return false;
    if (known != 0) continue;
    known = place;
    return true;
  }
  return false;
}

bool runs_on(const Thread* thread) {
  return g_parts[thread->index].early && g_parts[thread->index].late;
}

// Fills g_parts from the last `length` steps, and returns what is the same for an endless execution
// of the same kind: which threads run on, at which places; of all these steps, or of their second
// half.
uint64_t look_at_end(uint32_t length, bool whole) {
  const Run& run = g_run;
  if (length > run.step) length = run.step;
  uint32_t begin = run.step - length;
  for (uint32_t i = 0; i < run.thread_count; ++i) g_parts[i] = {};
  for (uint64_t& place : g_places) place = 0;
  uint64_t key = 0;
  for (uint32_t i = begin; i < run.step; ++i) {
    const wire::Step& step = run.trace[i];
    Part& part = g_parts[step.thread];
    bool late = i - begin >= length / 2;
    (late ? part.late : part.early) = true;
    part.yields |= (step.flags & (wire::kYields | wire::kSpins)) != 0;
    part.pc = step.pc;
    uint64_t place = mix(g_threads[step.thread].id, object_name(step.pc)) | 1;
    if ((late || whole) && add_place(place)) key += place;
  }
  return key;
}

[[noreturn]] void end_as(wire::Failure kind, const Thread* thread, uint64_t pc, uint64_t key,
                         const char* form, uint32_t count) {
  g_active = false;
  if (g_run.detail) {
    wire::FailureDetail& failure = wire::detail(g_region)->failure;
    failure.kind = kind;
    failure.thread = thread != nullptr ? thread->index : wire::kNoThread;
    failure.stack.count = 0;
    snprintf(failure.message, sizeof failure.message, form, count);
  }
  g_end.failure = kind;
  g_end.pc = pc;
  g_end.key = mix(static_cast<uint64_t>(kind), key);
  end_run(wire::Ending::failed);
}

}  // namespace

void end_with_livelock(uint32_t cycle) {
  if (g_run.stopped) end_run(wire::Ending::redundant);
  const Run& run = g_run;
  uint64_t key = look_at_end(cycle, true);
  uint32_t count = 0;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    const Part& part = g_parts[run.living[i]->index];
    count += part.early || part.late;
  }
  uint64_t pc = run.trace[run.step - 1].pc;
  g_end.cycle = cycle;
  const char* form = count == 1 ? "%u thread loops forever, and no other can end that"
                                : "%u threads loop forever, and none makes progress";
  end_as(wire::Failure::livelock, nullptr, pc, key, form, count);
}

void end_endless() {
  if (g_run.stopped) end_run(wire::Ending::redundant);
  const Run& run = g_run;
  uint64_t key = look_at_end(g_region->config.livelock_after, false);
  uint32_t count = 0;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    const Thread* thread = run.living[i];
    if (!runs_on(thread)) continue;
    ++count;
    if (g_parts[thread->index].yields) continue;
    if (g_region->config.good_samaritan != wire::GoodSamaritan::error) {
      end_run(wire::Ending::cut);
    }
    end_as(wire::Failure::good_samaritan, thread, g_parts[thread->index].pc, key,
           "runs forever without a yield: no other thread need get a turn", count);
  }
  uint64_t pc = run.trace[run.step - 1].pc;
  const char* form = count == 1 ? "%u thread loops forever: it yields, and no other can end that"
                                : "%u threads loop forever: each yields, and none makes progress";
  end_as(wire::Failure::livelock, nullptr, pc, key, form, count);
}

}  // namespace heddle::runtime
