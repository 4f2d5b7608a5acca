// One nursery with its region: started, fed, listened to, and ended. Knows nothing of order or of
// retries: see pool.h.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pool/guarded_ring.h"
#include "pool/hang_watch.h"
#include "pool/outcome.h"
#include "pool/plan.h"
#include "pool/settings.h"
#include "pool/shared_region.h"

namespace heddle::pool {

class Worker {
 public:
  using Clock = std::chrono::steady_clock;

  // Launch and settings must outlive the worker.
  Worker(const Launch& launch, const Settings& settings);
  ~Worker();  // ends the nursery and everything that came of it
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts a nursery with a fresh region, after the end of an earlier one.
  void start();
  // Asks the nursery to go, and does not wait.
  void ask_to_stop();
  // Asks it, waits a moment, and kills what is left of it.
  void stop();
  void kill();

  // The job's record goes into the ring; *end is where it ends there. empty_or_full: not now.
  RingState send(uint64_t id, const Plan& plan, const Planner& planner, uint64_t* end);
  void ring_bell() { jobs_.ring_bell(); }
  uint32_t unheard_jobs() const { return jobs_.silent(); }

  // The next result, checked for sense, if there is one. It stays until pop(), which also releases
  // the trace buffer.
  RingState peek(trace::Execution* execution);
  void pop();
  // What the execution that was peeked at consists of; its spans point to that.
  Received take_received() { return std::move(received_); }
  bool idle() const { return results_.empty(); }
  void wait_for_result(long milliseconds) { results_.wait(milliseconds); }

  // The nursery's state; throws UserError if it refuses, or is not ready in time.
  wire::NurseryState state(Clock::time_point now);
  // Set when the nursery itself has ended: its wait status.
  std::optional<int> poll_end();
  void proceed();  // the answer to worker_dead
  // What the runtime wrote down before it ended its process for an error of its own; empty if it
  // did not.
  std::string last_words() const;

  // Called while the engine waits for a result of this worker. Signals a worker that hangs; true:
  // it was killed for it.
  bool watch(bool busy, Clock::time_point now);

  // Whether the job whose record ends at `end` has been taken from the ring. nullopt: garbage.
  std::optional<bool> taken(uint64_t end);
  void abandon(uint64_t id);  // no result will come for this job
  // The steps of `job` that stand in the trace buffer, if the worker was at it when it died.
  std::span<const wire::Step> steps_of(uint64_t job) const;

  const SharedRegion& region() const { return *region_; }

 private:
  wire::Region* shared() const { return region_->get(); }
  pid_t worker_pid() const;
  HangWatch::Activity activity() const;
  void signal_worker(int signal);
  void end_nursery(bool gently);
  [[noreturn]] void refuse(const std::string& how) const;
  bool sensible(trace::Execution* execution, const char* body, uint64_t size);
  void copy(trace::Execution* execution, const wire::Step* steps, const uint16_t* options,
            const char* states);

  const Launch& launch_;
  const Settings& settings_;
  std::unique_ptr<SharedRegion> region_;
  JobWriter jobs_;
  ResultReader results_;
  HangWatch watch_;
  pid_t pid_ = 0;               // of the nursery; 0: there is none
  uint32_t failed_starts_ = 0;  // in a row: nurseries that died before they were ready
  bool was_ready_ = false;      // one of them has been
  bool ready_ = false;
  Clock::time_point started_{};
  Clock::time_point asked_{};           // to stop
  uint64_t area_job_ = wire::kNoJob;    // whose decisions are in the decision area
  uint64_t buffer_job_ = wire::kNoJob;  // whose steps, peeked at, are in the trace buffer
  Received received_;                   // of the result that was peeked at
  uint64_t peeked_job_ = wire::kNoJob;
};

}  // namespace heddle::pool
