#include "runtime/serve/tell.h"

#include "causality/lessons.h"
#include "causality/prospects.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

// Of longer executions the worker would have to remember too much.
constexpr uint64_t kMaxNumbers = uint64_t{1} << 22;  // steps times threads

// Never destroyed: there is nobody left who could.
union Memory {
  constexpr Memory() : nothing() {}
  ~Memory() {}
  char nothing;
  struct {
    causality::Lessons lessons;
    causality::Prospects prospects;
    Array<char> told;
  } at;
};
Memory g_memory;
bool g_made;

bool is_suitable(const wire::Result& result) {
  if (result.step_count == 0 || result.step_count < g_region->config.least_told) return false;
  if (result.state_bytes > wire::kInlineStates) return false;
  if (uint64_t{result.step_count} * result.thread_count > kMaxNumbers) return false;
  switch (result.ending) {
    case wire::Ending::finished:
    case wire::Ending::pruned:
    case wire::Ending::redundant:
    case wire::Ending::cut:
      return true;
    default:
      return false;
  }
}

bool tell_lessons(const wire::Result& result, causality::Lessons* lessons, Array<char>* out) {
  if (result.thread_count > wire::kMaxLessonThreads) return false;
  const Run& run = g_run;
  lessons->look_at(
      result, {run.trace, result.step_count}, {run.trace + result.step_count, result.pending_count},
      {run.decision_end - run.job.decision_count, run.job.decision_count}, run.job.first_step);
  return lessons->tell(out);
}

bool tell_prospects(const wire::Result& result, causality::Prospects* prospects, Array<char>* out) {
  const Run& run = g_run;
  return prospects->tell(result, {run.trace, result.step_count},
                         {run.trace + result.step_count, result.pending_count},
                         {wire::option_threads(g_region), result.option_count}, run.job.first_step,
                         run.job.bound, out);
}

}  // namespace

std::span<const char> tell(wire::Result* result) {
  uint32_t wanted = g_run.job.flags & (wire::kWantLessons | wire::kWantProspects);
  if (wanted == 0 || !is_suitable(*result)) return {};
  auto& memory = g_memory.at;
  if (!g_made) {
    g_made = true;
    __builtin_memset(static_cast<void*>(&memory), 0, sizeof memory);
    ::new (&memory.lessons) causality::Lessons();
    ::new (&memory.prospects) causality::Prospects();
    ::new (&memory.told) Array<char>();
  }
  if (wanted == wire::kWantLessons) {
    if (!tell_lessons(*result, &memory.lessons, &memory.told)) return {};
    result->told = wire::Told::lessons;
  } else {
    if (!tell_prospects(*result, &memory.prospects, &memory.told)) return {};
    result->told = wire::Told::prospects;
  }
  result->first_step = result->step_count;
  result->pending_count = 0;
  result->option_count = 0;
  result->told_bytes = static_cast<uint32_t>(memory.told.size());
  return {memory.told.begin(), memory.told.size()};
}

}  // namespace heddle::runtime
