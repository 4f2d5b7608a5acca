#include "explore/next_steps.h"

#include <algorithm>

namespace heddle::explore {

void NextSteps::look_at(const trace::Execution& execution) {
  execution_ = &execution;
  for (uint32_t i = 0; i < threads_; ++i) of_thread_[i].clear();
  threads_ = 0;
  for (const wire::Step& step : execution.pending) add(wire::kNoStep, step);
  for (size_t i = execution.steps.size(); i-- > 0;) {
    add(execution.result.first_step + static_cast<uint32_t>(i), execution.steps[i]);
  }
}

void NextSteps::add(uint32_t number, const wire::Step& step) {
  // What comes from a worker is not believed.
  if (step.thread > wire::kMaxThreads || step.op == wire::Op::begin) return;
  if (step.thread >= of_thread_.size()) of_thread_.resize(step.thread + 1);
  threads_ = std::max<uint32_t>(threads_, step.thread + 1);
  of_thread_[step.thread].push_back({number, &step});
}

const wire::Step* NextSteps::of(uint32_t thread, uint32_t step) const {
  if (thread >= threads_) return nullptr;
  const std::vector<Next>& all = of_thread_[thread];
  auto end =
      std::ranges::partition_point(all, [&](const Next& next) { return next.number >= step; });
  return end == all.begin() ? nullptr : std::prev(end)->step;
}

uint32_t NextSteps::running_before(uint32_t step) const {
  uint32_t first = execution_->result.first_step;
  if (step <= first || step - first > execution_->steps.size()) return wire::kNoThread;
  return execution_->steps[step - first - 1].thread;
}

}  // namespace heddle::explore
