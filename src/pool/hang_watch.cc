#include "pool/hang_watch.h"

#include <algorithm>

namespace heddle::pool {

void HangWatch::forget() {
  started_ = false;
  asked_ = false;
  quiet_ = 0;
  since_asked_ = 0;
}

HangWatch::Advice HangWatch::sample(const wire::Region& region, bool busy, Clock::time_point now) {
  uint64_t job = region.current_job.load(std::memory_order_relaxed);
  uint32_t step = region.current_step.load(std::memory_order_relaxed);
  uint64_t executions = region.executions.load(std::memory_order_relaxed);
  bool moved = job != job_ || step != step_ || executions != executions_;
  job_ = job;
  step_ = step;
  executions_ = executions;
  if (!busy || moved || job == wire::kNoJob) {
    forget();
    return Advice::none;
  }
  double passed = 0;
  if (started_) {
    passed = std::min(kLongestSample, std::chrono::duration<double>(now - last_).count());
  }
  started_ = true;
  last_ = now;
  quiet_ += passed;
  if (asked_) {
    since_asked_ += passed;
    if (since_asked_ < answer_within_) return Advice::none;
    since_asked_ = 0;  // asks for the kill again if it does not help
    return Advice::kill;
  }
  if (quiet_ < hang_after_) return Advice::none;
  asked_ = true;
  return Advice::ask;
}

}  // namespace heddle::pool
