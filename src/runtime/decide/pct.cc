#include "runtime/decide/pct.h"

#include "runtime/decide/by_priority.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kMostMoments = 255;
constexpr uint64_t kInitial = uint64_t{1} << 63;  // priorities below are those of who has fallen

struct {
  Random random;
  uint32_t moments;
  uint32_t moment[kMostMoments];  // number of a choice point, from 1
  uint64_t priority[wire::kMaxThreads + 1];
} g_pct;

void begin(const wire::Job& job) {
  g_pct.random = Random(job.seed);
  uint32_t depth = job.parameter & 0xff;
  uint32_t length = job.parameter >> 8;
  g_pct.moments = depth == 0 ? 0 : depth - 1;
  for (uint32_t i = 0; i < g_pct.moments; ++i) {
    g_pct.moment[i] = 1 + static_cast<uint32_t>(g_pct.random.below(length == 0 ? 1 : length));
  }
}

void thread_added(const Thread* thread) {
  g_pct.priority[thread->index] = g_pct.random.next() | kInitial;
}

Thread* highest_now(const ChoicePoint& point) {
  return highest(
      point, [](const Thread* thread) { return rank_of(thread, g_pct.priority[thread->index]); });
}

uint32_t choose(const ChoicePoint& point) {
  Thread* thread = highest_now(point);
  for (uint32_t i = 0; point.count() > 1 && i < g_pct.moments; ++i) {
    if (g_pct.moment[i] != g_run.depth) continue;
    g_pct.priority[thread->index] = i * 4;  // as rank_of() has it: it does not give way for that
    thread = highest_now(point);
  }
  return any_option_of(point, thread, &g_pct.random);
}

}  // namespace

const Decider kPctDecider{begin, thread_added, choose, nullptr, true};

}  // namespace heddle::runtime
