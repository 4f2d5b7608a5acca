#include "runtime/decide/descend.h"

#include "base/ratio.h"
#include "runtime/decide/by_priority.h"
#include "runtime/ending/ending.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kHints = 5;

struct {
  Random random;
  wire::DescentOrder order;
  uint64_t threshold;
  Ratio ratio;
  uint64_t depth;  // of the state that it stands at: choice points up to it
} g_descent;

void begin(const wire::Job& job) {
  HEDDLE_INVARIANT(job.hint_count == kHints);
  g_descent.random = Random(job.seed);
  g_descent.order = static_cast<wire::DescentOrder>(g_run.hints[0]);
  g_descent.threshold = g_run.hints[1];
  g_descent.ratio = {g_run.hints[2], g_run.hints[3]};
  g_descent.depth = g_run.hints[4];
}

// How the order ranks a thread; the lowest goes.
uint64_t rank(const Thread* thread) {
  constexpr uint64_t kLast = uint64_t{1} << 32;
  bool goes_last =
      g_descent.order == wire::DescentOrder::other_than_last && thread == g_run.current;
  return thread->index + (goes_last ? kLast : 0);
}

// Among the first `count` options: those that the bound permits.
uint32_t first_of(const ChoicePoint& point, uint32_t count) {
  if (g_descent.order == wire::DescentOrder::by_chance) {
    return static_cast<uint32_t>(g_descent.random.below(count));
  }
  uint32_t best = 0;
  uint64_t lowest = ~uint64_t{0};
  uint32_t number = 0;
  point.for_each([&](const Option& option) {
    if (number < count && rank(option.thread) < lowest) {
      lowest = rank(option.thread);
      best = number;
    }
    ++number;
  });
  return best;
}

uint32_t choose(const ChoicePoint& point) {
  bool is_bound_reached = g_run.preemptions >= g_run.job.bound;
  uint32_t count = is_bound_reached ? point.free_count() : point.count();
  // As the paper has it, a transition goes from one choice to the next.
  if (count == 1) return 0;
  uint64_t depth = ++g_descent.depth;
  bool may_stop = depth >= g_descent.threshold;
  if (may_stop && !goes_on(g_descent.ratio, depth, g_descent.random.next())) {
    end_run(wire::Ending::redundant);
  }
  return first_of(point, count);
}

}  // namespace

const Decider kDescendDecider{begin, nullptr, choose, nullptr, true};

}  // namespace heddle::runtime
