#include "pool/pool.h"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>
#include <system_error>

#include "base/check.h"

namespace heddle::pool {

namespace {

// Jobs that a worker which sleeps may have to wait for at most before it hears of them; a bell
// costs a fence.
constexpr uint32_t kJobsPerBell = 16;
// Jobs that are dealt before the pool looks again how far the workers have come.
constexpr uint32_t kJobsPerEstimate = 64;

// Waiting: first in a spin as long as a few executions of a small test take; then asleep, at first
// for 1 ms, since not everything that can happen rings the bell (a nursery that dies), and never so
// long that Ctrl-C would seem to be ignored.
constexpr auto kSpin = std::chrono::microseconds(40);
constexpr auto kSpinCrowded = std::chrono::microseconds(4);  // with fewer cores than processes
constexpr long kShortestSleep = 1;
constexpr long kLongestSleep = 50;

int core_count() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return CPU_COUNT(&cores);
}

}  // namespace

Pool::Pool(Launch launch, const Settings& settings, const Planner& planner)
    : launch_(std::move(launch)), settings_(settings), planner_(planner), observer_(planner) {
  HEDDLE_CHECK(settings.workers > 0);
  HEDDLE_CHECK(settings.window > 0 && (settings.window & (settings.window - 1)) == 0);
  int cores = core_count();
  spin_time_ = cores > static_cast<int>(settings.workers) ? kSpin : kSpinCrowded;
  if (cores == 1) spin_time_ = {};
  slots_.resize(settings.window);
  members_.reserve(settings.workers);
  for (uint32_t i = 0; i < settings.workers; ++i) {
    Member member{};
    member.worker = std::make_unique<Worker>(launch_, settings_);
    member.hung_job = wire::kNoJob;
    try {
      member.worker->start();
    } catch (const std::system_error&) {  // no process, no memory: then with fewer of them
      if (members_.empty()) throw;
      return;
    }
    members_.push_back(std::move(member));
  }
}

Pool::~Pool() { ask_to_stop(); }  // all at once; then each in turn

void Pool::ask_to_stop() {
  for (Member& member : members_) member.worker->ask_to_stop();
}

uint64_t Pool::own_job(const Member& member, uint64_t id) const {
  while (id < submitted_ && slot(id).member != index_of(member)) ++id;
  return id;
}

// Workers are not equally fast: the engine takes its time from the one whose core it shares. Where
// jobs were dealt evenly, the others would have to wait for that one.
Pool::Member& Pool::least_busy() {
  if (members_.size() > 1 && ++since_estimate_ >= kJobsPerEstimate) estimate_backlogs();
  Member* best = &members_[0];
  for (Member& member : members_) {
    if (member.backlog < best->backlog) best = &member;
  }
  ++best->backlog;
  return *best;
}

// What a worker says of itself may be garbage.
void Pool::estimate_backlogs() {
  since_estimate_ = 0;
  for (Member& member : members_) {
    uint64_t begun = member.worker->region().get()->jobs_begun.load(std::memory_order_relaxed);
    uint64_t left = member.sent - std::min(begun, member.sent);
    member.backlog = std::min<uint64_t>(left, member.under_way) + member.unsent + member.due;
  }
}

void Pool::submit(const Plan& plan) {
  HEDDLE_CHECK(!full());
  uint64_t id = submitted_++;
  Slot& place = slot(id);
  place.plan = plan;
  place.state = JobState::waiting;
  place.attempts = 0;
  Member& member = least_busy();
  place.member = static_cast<uint32_t>(index_of(member));
  ++member.unsent;
  if (member.unsent > 1 || member.due > 0 || !send(member, id)) return;
  member.unsent = 0;
  member.next_job = id + 1;
  if (member.worker->unheard_jobs() >= kJobsPerBell) member.worker->ring_bell();
}

bool Pool::send(Member& member, uint64_t id) {
  bool careful = delivered_ < member.careful_until && first_job(member) < member.careful_until;
  if (careful && member.under_way > 0) return false;
  Slot& place = slot(id);
  RingState sent = member.worker->send(id, place.plan, planner_, &place.end);
  if (sent == RingState::garbage) member.spoilt = true;
  if (sent != RingState::ready) return false;
  place.state = JobState::sent;
  ++member.under_way;
  ++member.sent;
  return true;
}

void Pool::feed(Member& member) {
  for (uint64_t id = first_job(member); member.due > 0 && id < member.next_job;
       id = after(member, id)) {
    if (slot(id).state != JobState::waiting) continue;
    if (!send(member, id)) return;
    --member.due;
  }
  while (member.unsent > 0) {
    uint64_t id = own_job(member, std::max(member.next_job, delivered_));
    if (!send(member, id)) return;
    member.next_job = id + 1;
    --member.unsent;
  }
}

const Outcome* Pool::next(Clock::time_point deadline) {
  HEDDLE_CHECK(!empty());
  waited_ = false;
  if (interrupted()) return nullptr;
  Member& member = members_[slot(delivered_).member];
  for (;;) {
    if (slot(delivered_).state == JobState::stashed) {
      from_stash_ = true;
      return next_outcome_ = &stash_.at(delivered_).outcome;
    }
    if (member.due > 0 || member.unsent > 0) feed(member);
    RingState state = member.worker->peek(&outcome_.execution);
    if (state == RingState::ready) {
      if (outcome_.execution.id == delivered_ && slot(delivered_).state == JobState::sent) {
        from_stash_ = false;
        return next_outcome_ = &outcome_;
      }
      if (set_aside(member, outcome_.execution)) continue;
      state = RingState::garbage;
    }
    if (state == RingState::garbage || member.spoilt) {
      handle_garbage(member);
      continue;
    }
    waited_ = true;
    if (!wait(member, deadline)) return nullptr;
  }
}

trace::Evidence Pool::evidence() const {
  const Worker& worker = *members_[slot(delivered_).member].worker;
  return copy_evidence(worker.region(), next_plan(), *next_outcome_);
}

std::vector<Notes> Pool::notes() const {
  std::vector<Notes> notes;
  for (const Member& member : members_) notes.push_back(copy_notes(member.worker->region()));
  return notes;
}

void Pool::release() {
  Member& member = members_[slot(delivered_).member];
  if (from_stash_) {
    stash_.erase(delivered_);
  } else {
    member.worker->pop();
    --member.under_way;
    member.idle_deaths = 0;
  }
  ++delivered_;
}

// Takes a result that is not the next one out of the ring. False: no job of this worker, garbage.
bool Pool::set_aside(Member& member, const trace::Execution& execution) {
  uint64_t id = execution.id;
  if (id >= member.next_job) return false;
  if (id >= delivered_ && slot(id).member != index_of(member)) return false;
  // Otherwise it has been told twice: by a worker that died right after, and by the one that ran it
  // again.
  if (id >= delivered_ && slot(id).state == JobState::sent) {
    Stashed& stashed = stash_[id];
    stashed.outcome.execution = execution;
    stashed.received = member.worker->take_received();
    slot(id).state = JobState::stashed;
    --member.under_way;
  }
  member.worker->pop();
  return true;
}

void Pool::ring_bells() {
  for (Member& member : members_) {
    if (member.worker->unheard_jobs() > 0) member.worker->ring_bell();
  }
}

bool Pool::arrived(const Member& member) const {
  return !member.worker->idle() || slot(delivered_).state == JobState::stashed;
}

// Looks about once in a microsecond, not all the time: the worker writes to the cache line that is
// looked at here, and a worker that is left alone for a moment delivers several results at once.
bool Pool::spin(const Member& member) const {
  constexpr int kPauses = 32;
  auto end = Clock::now() + spin_time_;
  do {
    for (int i = 0; i < kPauses; ++i) _mm_pause();
    if (!member.worker->idle()) return true;
  } while (Clock::now() < end);
  return false;
}

// True: look again. False: the deadline has passed, or there was an interrupt.
bool Pool::wait(Member& member, Clock::time_point deadline) {
  for (Member& other : members_) {
    if (other.due > 0 || other.unsent > 0) feed(other);
  }
  ring_bells();
  // A subtree takes longer than it is worth to look out for.
  bool is_subtree = slot(delivered_).plan.executions != 0;
  if (!is_subtree && spin(member)) return true;
  since_estimate_ = kJobsPerEstimate;
  for (long sleep = kShortestSleep;; sleep = std::min(2 * sleep, kLongestSleep)) {
    auto now = Clock::now();
    if (interrupted() || now >= deadline) return false;
    supervise(member, now);
    if (arrived(member)) return true;
    if (member.due > 0 || member.spoilt) return true;
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now).count();
    member.worker->wait_for_result(std::clamp<long>(left + 1, 1, sleep));
    if (arrived(member)) return true;
  }
}

// Looks after all workers. Only the awaited one can hang: the others may be waiting for the engine.
void Pool::supervise(Member& awaited, Clock::time_point now) {
  for (Member& member : members_) {
    Worker& worker = *member.worker;
    if (!worker.region().intact()) {  // then its state means nothing
      handle_garbage(member);
      continue;
    }
    if (worker.state(now) == wire::NurseryState::worker_dead) {
      handle_death(member, worker.region().get()->death.wait_status, true);
    } else if (std::optional<int> status = worker.poll_end()) {
      handle_death(member, *status, false);
    }
    if (worker.watch(&member == &awaited, now)) {
      member.hung_job = worker.region().get()->current_job.load();
    }
  }
}

}  // namespace heddle::pool
