#include "runtime/serve/subtree.h"

#include <unistd.h>

#include "causality/subtree_search.h"
#include "runtime/record/states.h"
#include "runtime/run.h"
#include "runtime/serve/digest.h"
#include "wire/seal.h"

namespace heddle::runtime {

bool g_in_subtree;

namespace {

// Never destroyed: there is nobody left who could.
union Memory {
  constexpr Memory() : nothing() {}
  ~Memory() {}
  char nothing;
  causality::SubtreeSearch search;
};
Memory g_memory;
bool g_made;

void check(bool is_sound) {
  if (!is_sound) _exit(wire::kWorkerSpoilt);
}

}  // namespace

void subtree_begin(const wire::Job& job, const wire::Decision* words) {
  if (!g_made) {
    g_made = true;
    __builtin_memset(static_cast<void*>(&g_memory), 0, sizeof g_memory);
    ::new (&g_memory.search) causality::SubtreeSearch();
  }
  g_memory.search.begin(job, words);
  states_forget_sent();
  g_in_subtree = true;
}

bool subtree_next(wire::Job* next) {
  bool goes_on = g_memory.search.next(next);
  check(g_memory.search.is_sound());
  return goes_on;
}

const wire::Decision* subtree_decisions() { return g_memory.search.decisions(); }
uint64_t subtree_job() { return g_memory.search.job(); }

void subtree_executed(const wire::Result& result) {
  const Run& run = g_run;
  check(is_as_written() &&
        wire::seal_of_states(wire::states(g_region), g_state_bytes) == g_state_seal);
  causality::Execution execution;
  execution.result = result;
  uint32_t first = run.job.first_step < run.step ? run.job.first_step : run.step;
  execution.result.first_step = first;
  execution.steps = {run.trace + first, run.step - first};
  execution.states = {wire::states(g_region), g_state_bytes};
  g_memory.search.executed(execution);
  check(g_memory.search.is_sound());
}

std::span<const char> subtree_end() {
  std::span<const char> report = g_memory.search.end();
  check(g_memory.search.is_sound());
  g_in_subtree = false;
  states_forget_sent();
  return report;
}

}  // namespace heddle::runtime
