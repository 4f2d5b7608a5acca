#include "runtime/serve/lessons.h"

#include "causality/lessons.h"
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
    Array<char> told;
  } at;
};
Memory g_memory;
bool g_made;

bool is_suitable(const wire::Result& result) {
  if ((g_run.job.flags & wire::kWantLessons) == 0) return false;
  if (result.step_count == 0 || result.step_count < g_region->config.lesson_steps) return false;
  if (result.thread_count > wire::kMaxLessonThreads) return false;
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

}  // namespace

std::span<const char> tell_lessons(wire::Result* result) {
  if (!is_suitable(*result)) return {};
  auto& memory = g_memory.at;
  if (!g_made) {
    g_made = true;
    __builtin_memset(static_cast<void*>(&memory), 0, sizeof memory);
    ::new (&memory.lessons) causality::Lessons();
    ::new (&memory.told) Array<char>();
  }
  const Run& run = g_run;
  memory.lessons.look_at(*result, {run.trace, result->step_count},
                         {run.trace + result->step_count, result->pending_count},
                         {run.decision_end - run.job.decision_count, run.job.decision_count},
                         run.job.first_step);
  if (!memory.lessons.tell(&memory.told)) return {};
  result->first_step = result->step_count;
  result->pending_count = 0;
  result->lesson_bytes = static_cast<uint32_t>(memory.told.size());
  return {memory.told.begin(), memory.told.size()};
}

}  // namespace heddle::runtime
