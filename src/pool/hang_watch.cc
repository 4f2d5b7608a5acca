#include "pool/hang_watch.h"

#include <algorithm>

namespace heddle::pool {

void HangWatch::forget() {
  started_ = false;
  quiet_ = 0;
  since_advice_ = 0;
  last_advice_ = Advice::none;
}

HangWatch::Advice HangWatch::sample(const wire::Region& region, bool busy, Clock::time_point now,
                                    const Activity& activity) {
  uint64_t job = region.current_job.load(std::memory_order_relaxed);
  uint32_t step = region.current_step.load(std::memory_order_relaxed);
  uint64_t executions = region.executions.load(std::memory_order_relaxed);
  bool moved = job != job_ || step != step_ || executions != executions_;
  job_ = job;
  step_ = step;
  executions_ = executions;
  if (!busy || moved) {
    forget();
    return Advice::none;
  }
  if (started_) {
    double passed = std::chrono::duration<double>(now - last_).count();
    if (activity.is_runnable) passed = std::clamp(activity.used - last_used_, 0.0, passed);
    passed = std::min(kLongestSample, passed);
    quiet_ += passed;
    since_advice_ += passed;
  }
  started_ = true;
  last_ = now;
  last_used_ = activity.used;
  return advance();
}

HangWatch::Advice HangWatch::advance() {
  bool idle = job_ == wire::kNoJob;
  Advice advice = Advice::none;
  switch (last_advice_) {
    case Advice::none:
      if (quiet_ >= (idle ? std::max(hang_after_, kIdle) : hang_after_)) {
        advice = idle ? Advice::kill : Advice::ask;
      }
      break;
    case Advice::ask:
      if (since_advice_ >= answer_within_) advice = Advice::kill;
      break;
    case Advice::kill:
    case Advice::kill_all:
      if (since_advice_ >= answer_within_) advice = Advice::kill_all;
      break;
  }
  if (advice != Advice::none) {
    last_advice_ = advice;
    since_advice_ = 0;
  }
  return advice;
}

}  // namespace heddle::pool
