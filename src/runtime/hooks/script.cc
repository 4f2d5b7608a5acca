// What a test script calls (include/heddle/script.h), and the yield points of the code under test.
#include "heddle/script.h"

#include "base/hash.h"
#include "runtime/detect/calls.h"
#include "runtime/detect/misuse.h"
#include "runtime/detect/order.h"
#include "runtime/ending/ending.h"
#include "runtime/filter/scenario.h"
#include "runtime/filter/until.h"
#include "runtime/record/names.h"
#include "runtime/record/stack.h"
#include "runtime/schedule/scheduler.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

struct Name {
  explicit Name(const Thread* thread) : path(thread) {
    const char* given = name_of_thread(thread);
    text = *given != '\0' ? given : path.text;
  }
  ThreadName path;
  const char* text;
};

// Threads that the script has made or taken up: bit i of word i / 64.
uint64_t g_taken[(wire::kMaxThreads + 64) / 64];

void take(uint32_t thread) { g_taken[thread / 64] |= uint64_t{1} << (thread % 64); }
bool is_taken(uint32_t thread) { return (g_taken[thread / 64] >> (thread % 64) & 1) != 0; }

// Of each thread the interleaving in which it was created, from 1 on; 0: it was in none. In which
// order threads were created there may differ among equivalent executions.
uint32_t g_created_in[wire::kMaxThreads + 1];
uint32_t g_interleavings;
uint32_t g_noted;  // threads of which it is known

void forget_interleavings() {
  for (uint32_t i = 0; i < g_noted; ++i) g_created_in[i] = 0;
  g_interleavings = g_noted = 0;
}

void note_interleaving(uint32_t first_thread) {
  ++g_interleavings;
  for (uint32_t i = first_thread; i < g_run.thread_count; ++i) g_created_in[i] = g_interleavings;
  g_noted = g_run.thread_count;
}

// The first of those that were created in the same interleaving, by their paths.
uint32_t first_beside(uint32_t thread) {
  uint32_t first = thread;
  for (uint32_t i = thread + 1; i < g_run.thread_count; ++i) {
    bool is_beside = g_created_in[i] != 0 && g_created_in[i] == g_created_in[thread];
    if (is_beside && !is_taken(i) && path_before(&g_threads[i], &g_threads[first])) first = i;
  }
  return first;
}

bool is_ended(unsigned thread) { return g_threads[thread].state == State::ended; }

// A function of the script's own may make the same transfer for different callers.
uint64_t site_of_calls() {
  wire::Stack stack;
  capture_stack(&stack);
  uint64_t site = 0;
  for (uint32_t i = 0; i < stack.count; ++i) site = mix(site, stack.pc[i]);
  return site;
}

// A transfer to a thread that has ended is a mistake, unless another one is named that has not.
void check_threads(const heddle_transfer& transfer, uint64_t pc) {
  if (transfer.any != 0) return;
  for (unsigned i = 0; i < transfer.thread_count; ++i) {
    if (!is_ended(transfer.threads[i])) return;
  }
  if (transfer.thread_count == 0) end_with_misuse(0, pc, "transfers to nobody");
  Name name(&g_threads[transfer.threads[0]]);
  end_with_misuse(0, pc, "transfers to %s, which has ended", name.text);
}

}  // namespace

HEDDLE_EXPORT void heddle_script_begin() {
  if (!g_active) return;
  if (g_scripted) end_with_misuse(0, HEDDLE_CALLER, "begins a script inside of another");
  for (uint64_t& word : g_taken) word = 0;
  forget_interleavings();
  take(g_run.current->index);
  scenario_begin();
}

HEDDLE_EXPORT void heddle_script_end() {
  if (!g_active || !g_scripted) return;
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    const Thread* thread = g_run.living[i];
    if (thread == g_run.current) continue;
    Name name(thread);
    uint64_t pc = scenario_place() != 0 ? scenario_place() : HEDDLE_CALLER;
    end_with_wrong_script(pc,
                          "makes its last transfer here, and %s has not ended then: transfer to it "
                          "until(end), e.g. while (!s.all_ended()) s.transfer(any).until(end)",
                          name.text);
  }
  scenario_end();
}

HEDDLE_EXPORT unsigned heddle_script_thread(const char* name) {
  if (!g_active) return 0;
  uint32_t index = g_run.thread_count - 1;
  take(index);
  name_thread(&g_threads[index], name);
  return index;
}

HEDDLE_EXPORT unsigned heddle_script_next_thread() {
  if (!g_active) return 0;
  for (uint32_t i = 0; i < g_run.thread_count; ++i) {
    if (is_taken(i)) continue;
    uint32_t next = first_beside(i);
    take(next);
    return next;
  }
  end_with_misuse(0, HEDDLE_CALLER,
                  "asks for the next thread, and the code under test has created no other so far");
}

HEDDLE_EXPORT unsigned heddle_script_transfer(const heddle_transfer* transfer) {
  if (!g_active) return 0;
  check_threads(*transfer, HEDDLE_CALLER);
  announce(wire::Op::transfer, 0, HEDDLE_CALLER);
  scenario_transfer(*transfer, HEDDLE_CALLER, site_of_calls());
  bool follows_calls = g_follow_calls;
  g_follow_calls = follows_calls || g_watches_calls;
  settle();
  g_follow_calls = follows_calls;
  const Thread* last = scenario_last();
  // Whoever is known to have ended is done with what the script may destroy now.
  if (last->state == State::ended) order_acquire(last->id);
  return last->index;
}

HEDDLE_EXPORT void heddle_script_interleave(const heddle_transfer* scope) {
  if (!g_active) return;
  uint32_t threads = g_run.thread_count;
  announce(wire::Op::transfer, 0, HEDDLE_CALLER);
  scenario_interleave(*scope, HEDDLE_CALLER);
  settle();
  note_interleaving(threads);
  for (uint32_t i = 0; i < g_run.thread_count; ++i) {
    if (is_ended(i)) order_acquire(g_threads[i].id);
  }
}

HEDDLE_EXPORT int heddle_script_ended(unsigned thread) {
  return g_active && is_ended(thread) ? 1 : 0;
}

HEDDLE_EXPORT int heddle_script_blocked(unsigned thread) {
  return g_active && g_threads[thread].state == State::blocked ? 1 : 0;
}

HEDDLE_EXPORT int heddle_script_all_ended(const unsigned* except, unsigned except_count) {
  for (uint32_t i = 0; g_active && i < g_run.living_count; ++i) {
    uint32_t index = g_run.living[i]->index;
    bool counts = g_run.living[i] != g_run.current;
    for (unsigned k = 0; k < except_count; ++k) counts = counts && except[k] != index;
    if (counts) return 0;
  }
  return 1;
}

HEDDLE_EXPORT void heddle_script_only_labels(int on) {
  if (g_active) until_only_labels(on != 0);
}

HEDDLE_EXPORT void heddle_script_misuse(const char* message) {
  if (g_active) end_with_misuse(0, HEDDLE_CALLER, "%s", message);
}

HEDDLE_EXPORT void heddle_yield_point(const char* label) {
  if (!g_active || (!g_scripted && g_region->config.labels == 0)) return;
  auto object = reinterpret_cast<uint64_t>(label);
  if (g_run.detail && !has_name(object)) name_object(object, 1, label);
  reach(wire::Op::label, object, HEDDLE_CALLER);
}
