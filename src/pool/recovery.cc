// What the pool does when a worker dies, hangs, or spoils its region. None of it is on the path of
// a healthy search.
//
//   killed from outside     the job is sent again, kAttempts times in all; then it is a crash
//   … at a subtree          again, kSubtreeAttempts times in all
//   died otherwise          the job is a crash (a signal) or an exit (a status), at once
//   hung and did not answer the job is a hang
//   garbage in the region   nobody knows which job it was: all are sent again, one at a time; the
//   one that
//                           spoils the region alone, kAttempts times, is a crash
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>

#include "base/check.h"
#include "base/hash.h"
#include "causality/received.h"
#include "pool/launch.h"
#include "pool/pool.h"
#include "wire/subtree.h"

namespace heddle::pool {

namespace {

// At a subtree, which takes longer; to lose it is no failure, but changes the order of what is run.
constexpr uint32_t kSubtreeAttempts = 8;
constexpr uint32_t kIdleDeaths = 5;  // of workers in a row that had not even begun a job

// The status with which the runtime ends a process of which it has lost control, after it has
// written down why.
constexpr int kInternalError = 4;

// Signals that come from the user, the system or another process, not from what the program does
// itself.
bool killed_from_outside(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return false;
  switch (WTERMSIG(wait_status)) {
    case SIGKILL:
    case SIGTERM:
    case SIGINT:
    case SIGHUP:
    case SIGQUIT:
    case SIGXCPU:
      return true;
    default:
      return false;
  }
}

// The result of an execution that its worker did not live to report.
wire::Result result_of(uint64_t id, wire::Failure kind, uint64_t key,
                       const std::vector<wire::Step>& steps) {
  wire::Result result{};
  result.job = id;
  result.failure_key = key;
  result.step_count = static_cast<uint32_t>(steps.size());
  result.ending = wire::Ending::failed;
  result.failure = kind;
  result.sequence = mix(key, steps.size());
  for (const wire::Step& step : steps) {
    result.thread_count = std::max<uint32_t>(result.thread_count, step.thread + 1);
    if (step.choice >= step.free_options) ++result.preemptions;
    result.sequence = mix(result.sequence, step.object ^ (uint64_t{step.thread} << 8) ^
                                               static_cast<uint64_t>(step.op));
  }
  result.fingerprint = result.sequence;
  result.overlaps = 1;  // they may
  return result;
}

}  // namespace

// Whether the steps, from a region that may be spoilt, can be those of the plan's execution.
bool Pool::follows_plan(const std::vector<wire::Step>& steps, const Plan& plan) const {
  std::vector<wire::Decision> decisions(plan.decision_count);
  planner_.write_decisions(plan, decisions.data());
  decisions.resize(plan.decision_count - plan.hint_count);
  size_t next = 0;
  bool default_known = plan.decider == wire::Decider::follow;
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const wire::Step& step = steps[i];
    if (step.choice >= step.options || step.free_options > step.options) return false;
    while (next < decisions.size() && decisions[next].step == i && decisions[next].is_sleep()) {
      default_known = false;  // whoever sleeps is passed over
      ++next;
    }
    bool decided = next < decisions.size() && decisions[next].step == i;
    if (decided) {
      const wire::Decision& decision = decisions[next++];
      bool followed = decision.names_thread() ? step.thread == decision.thread()
                                              : step.choice == decision.choice;
      if (!followed && !decision.is_wish()) return false;
    } else if (default_known && step.choice != 0) {
      return false;
    }
  }
  return true;
}

// Sets aside all results that lie in the ring. False: garbage.
bool Pool::drain(Member& member) {
  trace::Execution execution;
  for (;;) {
    RingState state = member.worker->peek(&execution);
    if (state == RingState::empty_or_full) return true;
    if (state == RingState::garbage || !set_aside(member, execution)) return false;
  }
}

// The jobs that were taken from the ring and have no result. False: garbage.
bool Pool::find_lost(Member& member, std::vector<uint64_t>* lost) {
  for (uint64_t id = first_job(member); id < member.next_job; id = after(member, id)) {
    if (slot(id).state != JobState::sent) continue;
    std::optional<bool> taken = member.worker->taken(slot(id).end);
    if (!taken.has_value()) return false;
    if (*taken) lost->push_back(id);
  }
  return true;
}

void Pool::handle_death(Member& member, int wait_status, bool nursery_alive) {
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == kInternalError) {
    std::string what = member.worker->last_words();
    if (!what.empty()) throw InternalError(what);
  }
  bool is_spoilt = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == wire::kWorkerSpoilt &&
                   member.worker->region().get()->current_job.load() == wire::kNoJob;
  std::vector<uint64_t> lost;
  if (is_spoilt || !drain(member) || !find_lost(member, &lost)) {
    handle_garbage(member);
    return;
  }
  if (lost.empty()) {
    if (++member.idle_deaths >= kIdleDeaths) {
      throw UserError(fmt::format("a worker process {}, {} times in a row, before it ran anything",
                                  describe_end(wait_status), kIdleDeaths));
    }
  } else {
    uint64_t current = member.worker->region().get()->current_job.load();
    uint64_t guilty =
        std::find(lost.begin(), lost.end(), current) != lost.end() ? current : lost[0];
    for (uint64_t id : lost) {
      if (id == guilty) {
        blame(member, id, wait_status);
      } else {
        send_again(member, id);
      }
    }
  }
  member.hung_job = wire::kNoJob;
  if (nursery_alive) {
    member.worker->proceed();
  } else {
    restart(member);
  }
}

void Pool::blame(Member& member, uint64_t id, int wait_status) {
  uint32_t attempts = ++slot(id).attempts;
  if (member.hung_job == id) {
    give_up(member, id, wire::Failure::hang,
            fmt::format("no step for {:g} s, and no answer when asked where it is",
                        settings_.hang_after));
  } else if (killed_from_outside(wait_status)) {
    bool is_subtree = slot(id).plan.executions != 0;
    if (attempts < (is_subtree ? kSubtreeAttempts : kAttempts)) {
      send_again(member, id);
      return;
    }
    give_up(member, id, wire::Failure::crash,
            fmt::format("{} in {} attempts; out of memory?", describe_end(wait_status), attempts));
  } else if (WIFSIGNALED(wait_status)) {
    give_up(member, id, wire::Failure::crash, describe_end(wait_status));
  } else if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == wire::kReportCrashed) {
    give_up(member, id, wire::Failure::crash,
            "crashed, and once more when it was to say where: its stack, or memory of Heddle's, "
            "is overwritten");
  } else {
    give_up(member, id, wire::Failure::exit,
            fmt::format("the process {} in the middle of the test", describe_end(wait_status)));
  }
}

void Pool::send_again(Member& member, uint64_t id) {
  HEDDLE_CHECK(slot(id).state == JobState::sent);
  slot(id).state = JobState::waiting;
  ++member.due;
  --member.under_way;
}

void Pool::give_up(Member& member, uint64_t id, wire::Failure kind, std::string message) {
  HEDDLE_CHECK(slot(id).state == JobState::sent);
  Stashed& stashed = stash_[id];
  if (slot(id).plan.executions != 0) {
    lose_subtree(member, id, &stashed);
    return;
  }
  // A program that has come as far as the region's beginning may be at the steps next.
  std::span<const wire::Step> steps;
  if (member.worker->region().intact()) steps = member.worker->steps_of(id);
  std::vector<wire::Step>& kept = stashed.received.steps;
  kept.assign(steps.begin(), steps.end());
  if (!follows_plan(kept, slot(id).plan)) kept.clear();
  uint64_t key = mix(static_cast<uint64_t>(kind), hash_text(message.c_str()));
  trace::Execution& execution = stashed.outcome.execution;
  execution.id = id;
  execution.result = result_of(id, kind, key, kept);
  execution.steps = kept;
  if (!causality::is_sensible(execution)) {
    execution.steps = {};
    execution.result = result_of(id, kind, key, {});
  }
  stashed.outcome.message = std::move(message);
  slot(id).state = JobState::stashed;
  --member.under_way;
  member.worker->abandon(id);
}

// One of its executions has cost the worker. Which one, is found out by those who run them one by
// one.
void Pool::lose_subtree(Member& member, uint64_t id, Stashed* stashed) {
  wire::SubtreeReport report{};
  report.end = wire::SubtreeEnd::lost;
  std::vector<char>& bytes = stashed->received.digest;
  bytes.resize(sizeof report);
  std::memcpy(bytes.data(), &report, sizeof report);
  trace::Execution& execution = stashed->outcome.execution;
  execution.id = id;
  execution.result.job = id;
  execution.result.is_subtree = 1;
  execution.result.digest_bytes = sizeof report;
  execution.digest = bytes;
  slot(id).state = JobState::stashed;
  --member.under_way;
  member.worker->abandon(id);
}

void Pool::handle_garbage(Member& member) {
  member.spoilt = true;
  if (member.under_way == 0 && ++member.idle_deaths >= kIdleDeaths) {
    throw UserError(
        "a worker process writes over the memory that Heddle shares with it before it runs the "
        "test");
  }
  bool alone = member.under_way == 1 && first_job(member) < member.careful_until;
  for (uint64_t id = first_job(member); alone && id < member.next_job; id = after(member, id)) {
    if (slot(id).state != JobState::sent) continue;
    if (++slot(id).attempts >= kAttempts) {
      give_up(member, id, wire::Failure::crash,
              "the test wrote over memory that Heddle shares with it: a wild pointer");
    }
  }
  member.careful_until = member.next_job;
  member.worker->kill();
  restart(member);
}

void Pool::restart(Member& member) {
  for (uint64_t id = first_job(member); id < member.next_job; id = after(member, id)) {
    if (slot(id).state == JobState::sent) send_again(member, id);
  }
  member.spoilt = false;
  member.hung_job = wire::kNoJob;
  member.sent = 0;  // as the new region has it
  start_again(*member.worker);
}

// A process, or memory for a region, may be lacking for a moment.
void Pool::start_again(Worker& worker) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  for (int left = 8;; --left) {
    try {
      return worker.start();
    } catch (const std::system_error&) {
      if (left == 0) throw;
      std::this_thread::sleep_for(kPause * (1 << (8 - left)));
    }
  }
}

}  // namespace heddle::pool
