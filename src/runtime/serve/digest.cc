#include "runtime/serve/digest.h"

#include "causality/observation.h"
#include "runtime/schedule/scheduler.h"
#include "wire/seal.h"

namespace heddle::runtime {

namespace {

// Never destroyed: there is nobody left who could.
union Memory {
  constexpr Memory() : nothing() {}
  ~Memory() {}
  char nothing;
  struct {
    causality::Observation observation;
    Array<char> digest;
  } at;
};
Memory g_memory;
bool g_made;

bool is_mine(const wire::Result& result) {
  const wire::Config& config = g_region->config;
  if ((g_run.job.flags & wire::kWorkerLooks) == 0) return false;
  if (result.step_count == 0 || result.step_count < config.least_observed) return false;
  if (result.state_bytes > wire::kInlineStates) return false;
  if ((g_run.job.flags & wire::kObserveReversals) != 0 &&
      result.thread_count > wire::kMaxDigestThreads) {
    return false;
  }
  if (uint64_t{result.step_count} * result.thread_count > config.most_observed) return false;
  switch (result.ending) {
    case wire::Ending::finished:
    case wire::Ending::pruned:
    case wire::Ending::redundant:
    case wire::Ending::infeasible:
    case wire::Ending::cut:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_as_written() {
  const Run& run = g_run;
  std::span<const wire::Step> steps(run.trace, run.step);
  if (wire::seal_of(steps.subspan(run.sealed_from)) != run.seal) return false;
  return wire::seal_of_options({wire::option_threads(g_region), run.option_count}) ==
         run.option_seal;
}

std::span<const char> make_digest(wire::Result* result) {
  if (!is_mine(*result)) return {};
  auto& memory = g_memory.at;
  if (!g_made) {
    g_made = true;
    __builtin_memset(static_cast<void*>(&memory), 0, sizeof memory);
    ::new (&memory.observation) causality::Observation();
    ::new (&memory.digest) Array<char>();
  }
  const Run& run = g_run;
  // If not: the engine gets all of it, and sees the same.
  if (!is_as_written()) return {};
  causality::Execution execution;
  execution.result = *result;
  execution.result.first_step = 0;
  execution.steps = {run.trace, result->step_count};
  execution.pending = {run.trace + result->step_count, result->pending_count};
  execution.option_threads = {wire::option_threads(g_region), result->option_count};
  memory.observation.look_at(run.job, execution,
                             {run.decision_end - (run.job.decision_count - run.job.hint_count),
                              run.job.decision_count - run.job.hint_count});
  if (!memory.observation.write(&memory.digest)) return {};
  result->first_step = result->step_count;
  result->pending_count = 0;
  result->option_count = 0;
  result->digest_bytes = static_cast<uint32_t>(memory.digest.size());
  return {memory.digest.begin(), memory.digest.size()};
}

}  // namespace heddle::runtime
