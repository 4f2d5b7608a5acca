// Tells when a worker makes no progress.
//
// A step takes nanoseconds; a program that makes none for seconds is in an endless loop, or waits
// for something that no thread of the test will bring. A worker that does not even take its next
// job has been stopped by somebody. Time is counted in samples, each at most kLongestSample: an
// engine that was itself stopped, or a machine that slept, does not count against the worker. Nor
// does time in which it could have gone on, had others not had all processors.
#pragma once

#include <chrono>
#include <cstdint>

#include "wire/layout.h"

namespace heddle::pool {

class HangWatch {
 public:
  using Clock = std::chrono::steady_clock;

  enum class Advice {
    none,
    ask,       // send wire::kHangSignal: the worker reports the hang itself
    kill,      // it did not answer, or has no job to report
    kill_all,  // that did not help: the nursery does not do its part either
  };

  HangWatch(double hang_after, double answer_within)
      : hang_after_(hang_after), answer_within_(answer_within) {}

  // What the kernel says of the worker.
  struct Activity {
    bool is_runnable = false;  // it has a processor, or waits for one
    double used = 0;           // seconds that it has had one
  };

  // `busy`: the engine waits for this worker, which has nothing to wait for itself.
  Advice sample(const wire::Region& region, bool busy, Clock::time_point now,
                const Activity& activity);
  void forget();

 private:
  static constexpr double kLongestSample = 0.2;
  static constexpr double kIdle =
      10;  // seconds, at least, to take a job: a loaded machine is no reason

  Advice advance();

  double hang_after_;
  double answer_within_;
  bool started_ = false;
  double quiet_ = 0;         // seconds without progress
  double since_advice_ = 0;  // seconds
  Advice last_advice_ = Advice::none;
  Clock::time_point last_{};
  double last_used_ = 0;
  uint64_t job_ = wire::kNoJob;
  uint32_t step_ = 0;
  uint64_t executions_ = 0;
};

}  // namespace heddle::pool
