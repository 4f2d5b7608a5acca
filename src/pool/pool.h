// Workers, and the jobs that they run.
//
// A job is dealt to the worker that has the least to do, and outcomes are delivered strictly in the
// order in which the jobs were submitted, whatever the number of workers and whatever befalls them:
// a search that looks at nothing else is the same every time. Each submitted job has exactly one
// outcome. A worker that dies, hangs, or spoils its region is replaced and its jobs are sent again;
// a job that has cost kAttempts workers has an outcome made by the engine, a failure (recovery.cc).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pool/evidence.h"
#include "pool/observer.h"
#include "pool/outcome.h"
#include "pool/plan.h"
#include "pool/settings.h"
#include "pool/worker.h"

namespace heddle::pool {

class Pool {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts the workers; does not wait for them. The planner writes the decisions of the plans.
  Pool(Launch launch, const Settings& settings, const Planner& planner);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  uint64_t under_way() const { return submitted_ - delivered_; }
  uint64_t window() const { return settings_.window; }
  bool full() const { return under_way() >= window(); }
  bool empty() const { return submitted_ == delivered_; }
  uint64_t delivered() const { return delivered_; }

  // Not when full().
  void submit(const Plan& plan);

  // The outcome of the oldest job; null if the deadline passes, or the interrupt comes, first. Not
  // when empty(). Throws UserError if the program cannot be put under control.
  const Outcome* next(Clock::time_point deadline);
  const Plan& next_plan() const { return slot(delivered_).plan; }
  // Of those under way, by age; 0 is next_plan().
  const Plan& plan(uint64_t place) const { return slot(delivered_ + place).plan; }
  // What the execution taught that next() returned; until release().
  causality::Observation& observe() { return observer_.observe(next_plan(), *next_outcome_); }
  // Done with what next() returned: its spans are void.
  void release();

  // No outcome is wanted any more. The workers go, while their engine does something else.
  void ask_to_stop();

  bool interrupted() const {
    return settings_.interrupt != nullptr && settings_.interrupt->load() != 0;
  }
  // True if the last next() had to wait.
  bool waited() const { return waited_; }

  // All that a report needs of the execution that next() returned; until release().
  trace::Evidence evidence() const;
  uint32_t max_steps() const { return settings_.max_steps; }
  // Of each worker.
  std::vector<Notes> notes() const;

 private:
  enum class JobState : uint8_t { waiting, sent, stashed };

  struct Slot {
    Plan plan;
    uint64_t end;  // of its record in the job ring, once sent
    JobState state;
    uint8_t attempts;  // that ended with the death of the worker
    uint32_t member;   // whom it was dealt to
  };

  // One worker, with what the pool knows of it.
  struct Member {
    std::unique_ptr<Worker> worker;
    uint64_t next_job;   // its jobs below this one have been sent, once at least
    uint32_t unsent;     // jobs from next_job on
    uint32_t due;        // jobs below next_job that are to be sent again
    uint32_t under_way;  // sent, without an outcome
    uint64_t sent;       // ever
    uint64_t backlog;    // jobs that it has yet to run, as last estimated
    uint64_t
        careful_until;     // jobs below this are sent one at a time: one of them spoils the region
    uint64_t hung_job;     // whose worker was killed because it hung; or kNoJob
    uint32_t idle_deaths;  // in a row, with no job to blame
    bool spoilt;           // the job ring holds garbage
  };

  // An outcome that came before its turn, or that the engine made.
  struct Stashed {
    Outcome outcome;
    Received received;
  };

  Slot& slot(uint64_t id) { return slots_[id & (settings_.window - 1)]; }
  const Slot& slot(uint64_t id) const { return slots_[id & (settings_.window - 1)]; }

  uint64_t index_of(const Member& member) const {
    return static_cast<uint64_t>(&member - members_.data());
  }
  // The member's oldest job that is not delivered and not before `id`; submitted_: there is none.
  uint64_t own_job(const Member& member, uint64_t id) const;
  uint64_t first_job(const Member& member) const { return own_job(member, delivered_); }
  uint64_t after(const Member& member, uint64_t id) const { return own_job(member, id + 1); }

  Member& least_busy();
  void estimate_backlogs();
  void feed(Member& member);
  bool send(Member& member, uint64_t id);
  void ring_bells();
  bool set_aside(Member& member, const trace::Execution& execution);
  bool wait(Member& member, Clock::time_point deadline);
  bool arrived(const Member& member) const;
  bool spin(const Member& member) const;
  void supervise(Member& awaited, Clock::time_point now);

  // recovery.cc
  void handle_death(Member& member, int wait_status, bool nursery_alive);
  void handle_garbage(Member& member);
  bool find_lost(Member& member, std::vector<uint64_t>* lost);
  void blame(Member& member, uint64_t id, int wait_status);
  void send_again(Member& member, uint64_t id);
  void give_up(Member& member, uint64_t id, wire::Failure kind, std::string message);
  void lose_subtree(Member& member, uint64_t id, Stashed* stashed);
  void restart(Member& member);
  void start_again(Worker& worker);
  bool drain(Member& member);
  bool follows_plan(const std::vector<wire::Step>& steps, const Plan& plan) const;

  Launch launch_;
  Settings settings_;
  const Planner& planner_;
  std::vector<Member> members_;
  std::vector<Slot> slots_;
  std::map<uint64_t, Stashed> stash_;
  uint64_t submitted_ = 0;
  uint64_t delivered_ = 0;
  Outcome outcome_;
  const Outcome* next_outcome_ = nullptr;  // what next() returned
  Observer observer_;
  bool from_stash_ = false;
  bool waited_ = false;
  std::chrono::nanoseconds spin_time_;
  uint32_t since_estimate_ = 0;  // jobs that were dealt
};

}  // namespace heddle::pool
