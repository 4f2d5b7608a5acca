#include "pool/fake_program.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "base/random.h"
#include "causality/subtree_search.h"
#include "wire/ring.h"
#include "wire/seal.h"

namespace heddle::testing {

namespace {

wire::Region* g_region;
wire::RingWriter g_results;
bool g_restart;

void write_result(const wire::Result& result, uint32_t first_step, bool in_buffer) {
  uint32_t count = first_step < result.step_count ? result.step_count - first_step : 0;
  in_buffer = in_buffer || count > wire::kInlineSteps;
  wire::Result record = result;
  record.first_step = result.step_count - count;
  record.steps_in_buffer = in_buffer ? 1 : 0;
  record.sealed_from = record.first_step;
  record.step_seal = wire::seal_of({wire::trace(g_region) + record.first_step, count});
  record.checksum = wire::checksum_of(record, {}, {});
  uint64_t follow = in_buffer ? 0 : count * sizeof(wire::Step);
  void* body;
  while ((body = g_results.reserve(sizeof record + follow)) == nullptr) {
    g_results.ring_bell();
    if (g_region->stop.load() != 0) _exit(wire::kWorkerDone);
    usleep(50);
  }
  std::memcpy(body, &record, sizeof record);
  std::memcpy(static_cast<char*>(body) + sizeof record, wire::trace(g_region) + record.first_step,
              follow);
  g_results.publish();
  g_results.ring_bell();
  while (in_buffer && g_region->buffer_released.load() != record.job) {
    if (g_region->stop.load() != 0) _exit(wire::kWorkerDone);
    usleep(50);
  }
}

void on_hang(int) {
  wire::Result result{};
  result.job = g_region->current_job.load();
  result.step_count = g_region->current_step.load();
  result.thread_count = wire::kMaxThreads;
  result.ending = wire::Ending::failed;
  result.failure = wire::Failure::hang;
  result.failure_key = 77;
  write_result(result, 0, false);
  _exit(wire::kWorkerRestart);
}

void begin_job(const wire::Job& job) {
  g_region->current_step.store(0);
  g_region->current_job.store(job.id);
  g_region->jobs_begun.fetch_add(1);
}

class FakeRun {
 public:
  FakeRun(const FakeProgram& program, const wire::Job& job, const wire::Decision* decisions)
      : program_(program),
        job_(job),
        decisions_(decisions),
        random_(job.seed),
        left_(program.steps) {}

  void run() {
    begin_job(job_);
    execute();
    bool want = (job_.flags & wire::kWantSteps) != 0;
    uint32_t first = want ? job_.first_step : result_.step_count;
    if (result_.ending == wire::Ending::failed) first = 0;
    write_result(result_, first, program_.steps_in_buffer && want);
    g_region->current_job.store(wire::kNoJob);
  }

  const wire::Result& execute() {
    g_region->current_step.store(0);
    uint64_t number = g_region->executions.fetch_add(1);
    if (program_.unrepeatable_from >= 0 && number >= uint64_t(program_.unrepeatable_from))
      sequence_ = 5;
    result_.job = job_.id;
    result_.ending = wire::Ending::finished;
    while (result_.ending == wire::Ending::finished && step()) {
    }
    if (result_.ending == wire::Ending::finished && program_.end) {
      FakeEnd end = program_.end(order_, g_region);
      result_.ending = end.ending;
      result_.failure = end.failure;
      result_.failure_key = end.failure_key;
      g_restart = end.restart;
    }
    result_.sequence = result_.fingerprint = sequence_;
    result_.thread_count = static_cast<uint32_t>(program_.steps.size());
    return result_;
  }

 private:
  // False: all threads have ended.
  bool step() {
    std::vector<int> options;
    bool running = current_ >= 0 && left_[size_t(current_)] > 0;
    if (running) options.push_back(current_);
    for (int t = 0; t < int(left_.size()); ++t) {
      if (left_[size_t(t)] > 0 && !(running && t == current_)) options.push_back(t);
    }
    if (options.empty()) return false;
    uint32_t number = result_.step_count;
    if (number == g_region->config.max_steps) {
      result_.ending = wire::Ending::cut;
      return true;
    }
    uint32_t choice = choose(number, static_cast<uint32_t>(options.size()));
    if (result_.ending == wire::Ending::diverged) return true;
    uint32_t free_options = running ? 1 : static_cast<uint32_t>(options.size());
    int thread = options[choice];
    wire::Step step{};
    step.thread = static_cast<uint32_t>(thread);
    step.op = wire::Op::atomic_rmw;
    step.choice = static_cast<uint16_t>(choice);
    step.options = static_cast<uint16_t>(options.size());
    step.free_options = static_cast<uint16_t>(free_options);
    step.check = static_cast<uint32_t>(sequence_);
    step.object = 8;
    step.after = wire::kNoStep;
    wire::trace(g_region)[number] = step;
    if (choice >= free_options) ++result_.preemptions;
    sequence_ = mix(sequence_, uint64_t(thread) + 1);
    order_.push_back(thread);
    --left_[size_t(thread)];
    current_ = thread;
    g_region->current_step.store(++result_.step_count);
    return true;
  }

  uint32_t choose(uint32_t number, uint32_t options) {
    if (number == job_.check_step && static_cast<uint32_t>(sequence_) != job_.check) {
      result_.ending = wire::Ending::diverged;
    }
    if (used_ < job_.decision_count && decisions_[used_].step == number) {
      uint32_t choice = decisions_[used_++].choice;
      if (choice >= options) result_.ending = wire::Ending::diverged;
      return choice;
    }
    if (job_.decider == wire::Decider::uniform)
      return static_cast<uint32_t>(random_.below(options));
    return 0;
  }

  const FakeProgram& program_;
  wire::Job job_;
  const wire::Decision* decisions_;
  uint32_t used_ = 0;
  Random random_;
  std::vector<int> left_;
  std::vector<int> order_;
  int current_ = -1;
  uint64_t sequence_ = 1;
  wire::Result result_{};
};

// As the runtime does: serve/subtree.cc.
void search_subtree(const FakeProgram& program, const wire::Job& job, const wire::Decision* words) {
  static causality::SubtreeSearch search;
  begin_job(job);
  search.begin(job, words);
  wire::Job next;
  while (!g_restart && search.next(&next)) {
    causality::Execution execution;
    execution.result = FakeRun(program, next, search.decisions()).execute();
    uint32_t first = std::min(next.first_step, execution.result.step_count);
    execution.result.first_step = first;
    execution.steps = {wire::trace(g_region) + first, execution.result.step_count - first};
    if (!g_restart) search.executed(execution);
  }
  std::span<const char> report = search.end();
  wire::Result result{};
  result.job = job.id;
  result.ending = wire::Ending::finished;
  result.is_subtree = 1;
  result.digest_bytes = static_cast<uint32_t>(report.size());
  result.checksum = wire::checksum_of(result, {}, report);
  void* body;
  while ((body = g_results.reserve(sizeof result + report.size())) == nullptr) {
    g_results.ring_bell();
    if (g_region->stop.load() != 0) _exit(wire::kWorkerDone);
    usleep(50);
  }
  std::memcpy(body, &result, sizeof result);
  std::memcpy(static_cast<char*>(body) + sizeof result, report.data(), report.size());
  g_results.publish();
  g_results.ring_bell();
  g_region->current_job.store(wire::kNoJob);
}

[[noreturn]] void work(const FakeProgram& program) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  g_region->worker_pid.store(getpid());
  signal(wire::kHangSignal, program.answer_hang ? on_hang : SIG_IGN);
  if (program.worker_start) program.worker_start();
  wire::RingReader jobs(g_region, &g_region->jobs);
  g_results = wire::RingWriter(g_region, &g_region->results);
  for (;;) {
    void* body = jobs.peek();
    if (body == nullptr) {
      if (g_region->stop.load() != 0) _exit(wire::kWorkerDone);
      jobs.wait(20);
      continue;
    }
    wire::Job job;
    std::memcpy(&job, body, sizeof job);
    std::vector<wire::Decision> decisions(job.decision_count);
    const void* from = (job.flags & wire::kDecisionsInArea) != 0
                           ? static_cast<void*>(wire::decisions(g_region))
                           : static_cast<char*>(body) + sizeof job;
    if (!decisions.empty())
      std::memcpy(decisions.data(), from, decisions.size() * sizeof decisions[0]);
    jobs.pop();
    if (job.executions != 0) {
      search_subtree(program, job, decisions.data());
    } else {
      FakeRun(program, job, decisions.data()).run();
    }
    if (g_restart) _exit(wire::kWorkerRestart);
  }
}

void serve(int fd, pool::TestFunction, void* argument) {
  const FakeProgram& program = *static_cast<const FakeProgram*>(argument);
  struct stat status;
  fstat(fd, &status);
  void* address = mmap(nullptr, size_t(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  g_region = static_cast<wire::Region*>(address);
  if (program.start) program.start(g_region);
  auto set_state = [](wire::NurseryState state) {
    g_region->state.store(static_cast<uint32_t>(state));
    wire::futex_wake(&g_region->state);
  };
  set_state(wire::NurseryState::ready);
  for (;;) {
    pid_t worker = fork();
    if (worker == 0) work(program);
    int wait_status = 0;
    waitpid(worker, &wait_status, 0);
    if (g_region->stop.load() != 0) _exit(0);
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == wire::kWorkerRestart) {
      g_region->current_job.store(wire::kNoJob);
      continue;
    }
    g_region->death.wait_status = wait_status;
    g_region->death.job = g_region->current_job.load();
    set_state(wire::NurseryState::worker_dead);
    g_region->results.bell.fetch_add(1);
    wire::futex_wake(&g_region->results.bell);
    while (g_region->state.load() == uint32_t(wire::NurseryState::worker_dead)) {
      if (g_region->stop.load() != 0) _exit(0);
      wire::futex_wait(&g_region->state, uint32_t(wire::NurseryState::worker_dead), 50);
    }
  }
}

}  // namespace

pool::Launch launch_of(const FakeProgram& program) {
  pool::Launch launch;
  launch.serve = serve;
  launch.argument = const_cast<FakeProgram*>(&program);
  return launch;
}

}  // namespace heddle::testing
