#include "pool/worker.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <new>

#include "base/check.h"
#include "causality/received.h"
#include "causality/subtree.h"
#include "pool/launch.h"
#include "wire/seal.h"

namespace heddle::pool {

namespace {

constexpr uint32_t kStarts = 4;         // of a nursery that dies while it starts
constexpr size_t kKeptSteps = 1 << 18;  // of which the memory is kept for the next execution
constexpr auto kFarewell = std::chrono::milliseconds(50);  // between a polite request and the kill

// The low half of a 64-bit word: what a futex can wait on.
std::atomic<uint32_t>* low_half(std::atomic<uint64_t>* word) {
  static_assert(std::endian::native == std::endian::little);
  return reinterpret_cast<std::atomic<uint32_t>*>(word);
}

double seconds_between(Worker::Clock::time_point from, Worker::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Text in shared memory, which may lack its end.
std::string bounded_text(const char* text, size_t size) { return {text, strnlen(text, size)}; }

}  // namespace

Worker::Worker(const Launch& launch, const Settings& settings)
    : launch_(launch), settings_(settings), watch_(settings.hang_after, settings.hang_answer) {}

Worker::~Worker() { stop(); }

void Worker::start() {
  kill();
  region_ = std::make_unique<SharedRegion>(settings_, launch_.serve != nullptr);
  jobs_ = JobWriter(*region_);
  results_ = ResultReader(*region_);
  watch_.forget();
  ready_ = false;
  asked_ = {};
  area_job_ = wire::kNoJob;
  buffer_job_ = wire::kNoJob;
  started_ = Clock::now();
  pid_ = start_nursery(launch_, *region_);
}

void Worker::ask_to_stop() {
  if (pid_ == 0 || asked_ != Clock::time_point{}) return;
  asked_ = Clock::now();
  shared()->stop.store(1);
  jobs_.wake();
  wire::futex_wake(&shared()->state);
  wire::futex_wake(low_half(&shared()->buffer_released));
}

void Worker::stop() { end_nursery(true); }
void Worker::kill() { end_nursery(false); }

void Worker::end_nursery(bool gently) {
  if (pid_ == 0) return;
  if (gently) {
    ask_to_stop();
    auto limit = asked_ + kFarewell;
    siginfo_t info;
    for (;;) {
      info.si_pid = 0;
      if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) break;
      if (info.si_pid != 0 || Clock::now() > limit) break;
      usleep(200);
    }
  }
  // Before the nursery is reaped, so that its number cannot belong to anybody else.
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  forget_nursery(pid_);
  pid_ = 0;
}

std::optional<int> Worker::poll_end() {
  HEDDLE_CHECK(pid_ != 0);
  int status = 0;
  siginfo_t info;
  info.si_pid = 0;
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0) {
    return std::nullopt;
  }
  ::kill(-pid_, SIGKILL);
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  forget_nursery(pid_);
  pid_ = 0;
  if (!ready_ && state(Clock::now()) == wire::NurseryState::starting) {
    // What comes from outside need not come again; a program that does not start never does.
    bool may_start = WIFSIGNALED(status) || was_ready_;
    if (may_start && ++failed_starts_ < kStarts) return status;
    if (WIFEXITED(status) && WEXITSTATUS(status) == wire::kOtherVersion) {
      refuse("it was linked with another version of libheddle than this heddle's; build it again");
    }
    refuse(fmt::format("{} before heddle could control it", describe_end(status)));
  }
  return status;
}

void Worker::refuse(const std::string& how) const {
  std::string name = launch_.serve != nullptr ? "the test process" : launch_.command.at(0);
  throw UserError(fmt::format("{}: {}", name, how));
}

wire::NurseryState Worker::state(Clock::time_point now) {
  auto state = static_cast<wire::NurseryState>(shared()->state.load(std::memory_order_acquire));
  if (ready_) return state;
  if (state == wire::NurseryState::refused) {
    refuse(bounded_text(shared()->refusal, sizeof shared()->refusal));
  }
  if (state != wire::NurseryState::starting) {
    ready_ = was_ready_ = true;
    failed_starts_ = 0;
  } else if (seconds_between(started_, now) > settings_.startup_limit) {
    refuse(
        fmt::format("did not reach main within {:g} s; does a constructor of a global object wait "
                    "for something?",
                    settings_.startup_limit));
  }
  return state;
}

std::string Worker::last_words() const {
  std::string text = bounded_text(shared()->refusal, sizeof shared()->refusal);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

void Worker::proceed() {
  watch_.forget();
  shared()->current_job.store(wire::kNoJob);
  shared()->state.store(static_cast<uint32_t>(wire::NurseryState::proceed));
  wire::futex_wake(&shared()->state);
}

RingState Worker::send(uint64_t id, const Plan& plan, const Planner& planner, uint64_t* end) {
  bool in_area = plan.decision_count > wire::kInlineDecisions;
  if (in_area) {
    HEDDLE_CHECK(plan.decision_count <= settings_.max_steps);
    if (area_job_ != wire::kNoJob && area_job_ != id) return RingState::empty_or_full;
  }
  uint64_t size = sizeof(wire::Job) + (in_area ? 0 : plan.decision_count * sizeof(wire::Decision));
  void* body = nullptr;
  RingState room = jobs_.reserve(size, &body);
  if (room != RingState::ready) return room;
  wire::Job* job = new (body) wire::Job{plan, id, 0};
  if (in_area) job->flags |= wire::kDecisionsInArea;
  if (in_area) area_job_ = id;
  wire::Decision* decisions =
      in_area ? region_->decisions() : reinterpret_cast<wire::Decision*>(job + 1);
  if (plan.decision_count > 0) planner.write_decisions(plan, decisions);
  job->checksum = wire::checksum_of(*job, decisions, jobs_.position());
  jobs_.publish();
  *end = jobs_.tail();
  return RingState::ready;
}

RingState Worker::peek(trace::Execution* execution) {
  const char* body = nullptr;
  uint64_t size = 0;
  RingState state = results_.peek(&body, &size);
  if (state != RingState::ready) return state;
  // A result that looks well is not to be trusted where a stray write has been.
  if (!region_->intact() || !sensible(execution, body, size)) return RingState::garbage;
  peeked_job_ = execution->id;
  buffer_job_ = execution->result.steps_in_buffer != 0 ? execution->id : wire::kNoJob;
  return RingState::ready;
}

bool Worker::sensible(trace::Execution* execution, const char* body, uint64_t size) {
  wire::Result& result = execution->result;
  if (size < sizeof result) return false;
  std::memcpy(&result, body, sizeof result);
  if (result.ending == wire::Ending::running || result.ending > wire::Ending::infeasible ||
      result.failure > wire::Failure::unmet || result.step_count > region_->max_steps() + 1 ||
      result.pending_count > wire::kMaxThreads + 1 || result.option_count > wire::kMaxOptions ||
      result.state_bytes > wire::kStateArea || result.state_bytes % 8 != 0 ||
      result.note_count > wire::kMaxNotes ||
      (result.ending == wire::Ending::failed) != (result.failure != wire::Failure::none)) {
    return false;
  }
  execution->id = result.job;
  uint64_t follow = size - sizeof result;
  if (result.first_step > result.step_count) return false;
  uint32_t steps = result.step_count - result.first_step;
  uint64_t all_steps = uint64_t{steps} + result.pending_count;
  const wire::Step* first;
  const uint16_t* options;
  const char* states;
  const uint64_t* notes;
  if (result.steps_in_buffer != 0) {
    if (follow != 0 || result.digest_bytes != 0) return false;
    first = region_->trace() + result.first_step;
    options = region_->option_threads();
    states = region_->states();
    notes = region_->notes();
  } else {
    uint64_t step_bytes = all_steps * sizeof(wire::Step);
    uint64_t option_bytes = result.option_count * sizeof(uint16_t);
    uint64_t before_states = wire::padded(step_bytes + option_bytes + result.digest_bytes);
    uint64_t before_notes = before_states + wire::padded(result.state_bytes);
    if (follow != before_notes + result.note_count * sizeof(uint64_t)) return false;
    notes = reinterpret_cast<const uint64_t*>(body + sizeof result + before_notes);
    states = body + sizeof result + before_states;
    first = reinterpret_cast<const wire::Step*>(body + sizeof result);
    options = reinterpret_cast<const uint16_t*>(body + sizeof result + step_bytes);
  }
  copy(execution, first, options, states);
  received_.notes.assign(notes, notes + result.note_count);
  execution->notes = received_.notes;
  execution->digest = {};
  if (result.digest_bytes == 0) {
    return result.is_subtree == 0 && causality::is_as_sealed(*execution) &&
           causality::is_sensible(*execution);
  }
  if (all_steps != 0 || result.option_count != 0) return false;
  received_.digest.assign(body + sizeof result, body + sizeof result + result.digest_bytes);
  execution->digest = received_.digest;
  if (!causality::is_as_sealed(*execution)) return false;
  if (result.is_subtree == 0) return causality::is_sensible(execution->digest, result);
  causality::Subtree subtree;
  return subtree.read(execution->digest) && causality::is_sensible(subtree);
}

// What is believed must not change any more.
void Worker::copy(trace::Execution* execution, const wire::Step* steps, const uint16_t* options,
                  const char* states) {
  const wire::Result& result = execution->result;
  uint32_t made = result.step_count - result.first_step;
  if (received_.steps.capacity() > kKeptSteps) received_.steps = {};
  received_.steps.assign(steps, steps + made + result.pending_count);
  received_.option_threads.assign(options, options + result.option_count);
  received_.states.assign(states, states + result.state_bytes);
  execution->steps = std::span(received_.steps).first(made);
  execution->pending = std::span(received_.steps).subspan(made);
  execution->option_threads = received_.option_threads;
  execution->states = received_.states;
}

void Worker::pop() {
  results_.pop();
  if (peeked_job_ == area_job_) area_job_ = wire::kNoJob;
  if (buffer_job_ != wire::kNoJob) {
    shared()->buffer_released.store(buffer_job_, std::memory_order_release);
    wire::futex_wake(low_half(&shared()->buffer_released));
    buffer_job_ = wire::kNoJob;
  }
}

// 0: unknown. The number lies where the program can overwrite it: only members of our own group are
// looked at and signalled.
pid_t Worker::worker_pid() const {
  pid_t worker = shared()->worker_pid.load();
  return worker > 1 && worker != pid_ && getpgid(worker) == pid_ ? worker : 0;
}

// Of its one running thread. Where the kernel does not tell, it is taken to be asleep.
HangWatch::Activity Worker::activity() const {
  HangWatch::Activity activity;
  pid_t worker = worker_pid();
  if (worker == 0) return activity;
  uint64_t nanoseconds = 0;
  std::string stat;
  if (!(std::ifstream(fmt::format("/proc/{}/schedstat", worker)) >> nanoseconds)) return activity;
  if (!std::getline(std::ifstream(fmt::format("/proc/{}/stat", worker)), stat)) return activity;
  // "pid (name) state ...": the name may hold anything.
  size_t end_of_name = stat.rfind(')');
  activity.used = static_cast<double>(nanoseconds) * 1e-9;
  activity.is_runnable =
      end_of_name != std::string::npos && stat.compare(end_of_name, 3, ") R") == 0;
  return activity;
}

void Worker::signal_worker(int signal) {
  if (pid_t worker = worker_pid()) ::kill(worker, signal);
}

bool Worker::watch(bool busy, Clock::time_point now) {
  region_->trim_output();
  busy = busy && ready_ && results_.empty();
  switch (watch_.sample(*shared(), busy, now, busy ? activity() : HangWatch::Activity{})) {
    case HangWatch::Advice::none:
      return false;
    case HangWatch::Advice::ask:
      signal_worker(wire::kHangSignal);
      return false;
    case HangWatch::Advice::kill:
      signal_worker(SIGKILL);
      return true;
    case HangWatch::Advice::kill_all:
      if (pid_ != 0) ::kill(-pid_, SIGKILL);
      return true;
  }
  return false;
}

std::optional<bool> Worker::taken(uint64_t end) {
  uint64_t head = 0;
  if (!jobs_.head(&head)) return std::nullopt;
  return end <= head;
}

void Worker::abandon(uint64_t id) {
  if (area_job_ == id) area_job_ = wire::kNoJob;
}

std::span<const wire::Step> Worker::steps_of(uint64_t job) const {
  if (shared()->current_job.load() != job) return {};
  uint32_t count = std::min(shared()->current_step.load(), region_->max_steps());
  return {region_->trace(), count};
}

}  // namespace heddle::pool
