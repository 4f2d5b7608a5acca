// See worker.h.
#include "runtime/serve/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/raw_call.h"
#include "runtime/carrier/hand_over.h"
#include "runtime/carrier/slots.h"
#include "runtime/carrier/tls.h"
#include "runtime/debugger.h"
#include "runtime/decide/guide.h"
#include "runtime/detect/calls.h"
#include "runtime/detect/heap.h"
#include "runtime/detect/order.h"
#include "runtime/detect/racing.h"
#include "runtime/detect/shadow.h"
#include "runtime/ending/ending.h"
#include "runtime/ending/exceptions.h"
#include "runtime/ending/signals.h"
#include "runtime/filter/fair.h"
#include "runtime/filter/scenario.h"
#include "runtime/filter/spin.h"
#include "runtime/hooks/instrumented.h"
#include "runtime/intercept/exit.h"
#include "runtime/intercept/keys.h"
#include "runtime/intercept/libc_state.h"
#include "runtime/intercept/named_semaphores.h"
#include "runtime/intercept/thread_exit.h"
#include "runtime/isolate/aliases.h"
#include "runtime/isolate/arena.h"
#include "runtime/isolate/arguments.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/modules.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/record/clock.h"
#include "runtime/record/detail.h"
#include "runtime/record/states.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/serve/digest.h"
#include "runtime/serve/output.h"
#include "runtime/serve/subtree.h"
#include "runtime/sync/robust.h"
#include "wire/ring.h"
#include "wire/seal.h"

namespace heddle::runtime {

bool g_active;
wire::Region* g_region;

namespace {

// Results between two rings of the bell, while there is more to do.
constexpr uint32_t kBellInterval = 64;
// A report of a subtree with so many bytes counts as one of them.
constexpr uint64_t kBytesPerBell = 64;

Test g_test;
wire::RingReader g_jobs;
wire::RingWriter g_results;
uint32_t g_since_bell;
wire::Decision g_decisions[wire::kInlineDecisions];

bool must_stop() { return g_region->stop.load(std::memory_order_relaxed) != 0; }

// The main thread of an execution.
void main_thread() {
  Thread* main = g_run.current;
  main->stack_high = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  main->stack_low = main->stack_high - kStackSize;
  g_active = true;
  record(main, 0, 1, 1);
  if (HEDDLE_UNLIKELY(g_debugged)) {
    debugger_thread_created(main, main_slot()->tid);
    debugger_step();
  }
  int status = 0;
  uint64_t place = 0;  // of what main's return is told of: main itself, whose frame is gone by then
  if (g_test.function != nullptr) {
    g_test.function(g_test.argument);
  } else {
    status = g_test.main(g_test.argc, g_test.argv, g_test.environment);
    place = reinterpret_cast<uint64_t>(g_test.main) + 1;
  }
  state_function_returned();
  program_exit(status, true, place);
}

wire::Result make_result();

void run(const wire::Job& job, const wire::Decision* decisions) {
  begin_run(job, decisions);
  shadow_reset();
  slots_reset();
  thread_exits_reset();
  robust_reset();
  Thread* main = add_thread(nullptr);
  order_begin(main, nullptr);
  main->slot = main_slot();
  main_slot()->thread = main;
  g_run.current = main;
  g_end = {};
  g_keep_calls = g_run.detail;
  g_track_calls = g_keep_calls || (g_has_route && job.decider == wire::Decider::guide);
  g_follow_calls = g_track_calls || g_focus_calls || g_route_tells_calls;
  focus_begin_run();
  racing_begin_run();
  states_begin_run();
  if (g_track_calls) calls_reset();
  if (g_run.detail) {
    blocks_reset();
    detail_begin();
    capture_output(true);
  }
  if (g_debugged) debugger_begin();
  enter_run(main_thread);
  flush_output();
  if (g_run.detail) capture_output(false);
  if (g_in_subtree) {
    subtree_executed(make_result());
  } else {
    deliver_result();
  }
}

const wire::Job* wait_for_job() {
  uint32_t spins = 0;
  for (;;) {
    if (must_stop()) _exit(wire::kWorkerDone);
    if (void* body = g_jobs.peek()) return static_cast<const wire::Job*>(body);
    if (spins == 0) g_results.ring_bell();
    // About 20 µs: longer than the engine needs to answer, shorter than a sleep costs.
    if (++spins < 400) {
      __builtin_ia32_pause();
    } else {
      g_jobs.wait(50);
      spins = 1;
    }
  }
}

// Copies it; returns its decisions. What an execution before has done to the ring must not be run.
const wire::Decision* take_job(wire::Job* job) {
  const wire::Job* body = wait_for_job();
  *job = *body;
  const wire::Decision* decisions = wire::decisions(g_region);
  bool is_sound = job->decision_count <= g_region->config.max_steps + 1;
  if ((job->flags & wire::kDecisionsInArea) == 0) {
    is_sound = job->decision_count <= wire::kInlineDecisions;
    if (is_sound) memcpy(g_decisions, body + 1, job->decision_count * sizeof(wire::Decision));
    decisions = g_decisions;
  }
  if (!is_sound || wire::checksum_of(*job, decisions, g_jobs.position()) != job->checksum) {
    _exit(wire::kWorkerSpoilt);
  }
  return decisions;
}

void set_back() {
  if (g_region->config.isolation != wire::Isolation::snapshot) return;
  snapshot_restore();
  arena_reset();
  tls_set_back_main();
  exit_handlers_reset();
  keys_reset();
  named_semaphores_reset();
  libc_state_reset();
  signals_reset();
  leftovers_undo();
  aliases_undo();
  arguments_set_back();
}

void begin_execution() {
  g_region->current_step.store(0, std::memory_order_relaxed);
  uint64_t executions = g_region->executions.load(std::memory_order_relaxed);
  g_region->executions.store(executions + 1, std::memory_order_relaxed);
}

void deliver_subtree();

// Execution after execution, as if each were a job of its own.
void search_subtree(const wire::Job& job, const wire::Decision* words) {
  subtree_begin(job, words);
  wire::Job next;
  while (subtree_next(&next)) {
    if (must_stop()) _exit(wire::kWorkerDone);
    begin_execution();
    run(next, subtree_decisions());
    set_back();
  }
  deliver_subtree();
}

[[noreturn]] void work() {
  if (!g_debugged) prctl(PR_SET_PDEATHSIG, SIGKILL);
  g_region->worker_pid.store(getpid());
  g_jobs = wire::RingReader(g_region, &g_region->jobs);
  g_results = wire::RingWriter(g_region, &g_region->results);
  slots_begin();
  tls_begin();
  signals_begin();
  exceptions_begin();
  objects_begin();
  // Address space of the detectors: the program may limit what there is of it later.
  shadow_reserve();
  take_detector_memory(0);
  // Threads to come are no threads to libc; libstdc++ asks it whether a reference count may be
  // changed plainly.
  __libc_single_threaded = 0;
  g_ordering = g_region->config.races != wire::Races::ignore;
  g_spurious = g_region->config.spurious != 0;
  racing_begin();
  focus_begin();
  route_begin();
  fair_begin();
  g_plain_accesses = g_region->config.accesses == wire::Accesses::all ? kAllAccesses : 0;
  retries_begin();
  if (g_last_retries) g_plain_accesses |= kRoundsAccesses;
  leftovers_begin();
  aliases_begin();
  if (g_test.function == nullptr) arguments_begin(g_test.argc, g_test.argv);
  if (g_region->config.isolation == wire::Isolation::snapshot) snapshot_take();
  arena_begin_executions(g_region->config.in_process != 0);
  for (;;) {
    wire::Job job;
    const wire::Decision* decisions = take_job(&job);
    // In this order: a worker that dies in between has the job on record once at least.
    g_region->current_step.store(0, std::memory_order_relaxed);
    g_region->current_job.store(job.id, std::memory_order_release);
    g_region->jobs_begun.fetch_add(1, std::memory_order_relaxed);
    g_jobs.pop();
    if (job.executions != 0) {
      search_subtree(job, decisions);
      continue;
    }
    begin_execution();
    run(job, decisions);
    // Slots are used again, as they are.
    if (g_region->config.isolation == wire::Isolation::fork || !slots_are_intact()) {
      g_results.ring_bell();
      _exit(wire::kWorkerRestart);
    }
    set_back();
  }
}

[[noreturn]] void nurse() {
  for (;;) {
    pid_t child = real::fork();
    if (child == 0) work();
    if (child < 0) refuse("fork failed: out of processes or memory");
    int status = 0;
    while (real::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    g_region->worker_pid.store(0);
    if (must_stop()) _exit(0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == wire::kWorkerRestart) continue;
    g_region->death = {status, 0, g_region->current_job.load()};
    g_region->state.store(static_cast<uint32_t>(wire::NurseryState::worker_dead));
    wire::futex_wake(&g_region->state);
    wire::RingWriter(g_region, &g_region->results).ring_bell();
    while (g_region->state.load() != static_cast<uint32_t>(wire::NurseryState::proceed)) {
      if (must_stop()) _exit(0);
      wire::futex_wait(&g_region->state, static_cast<uint32_t>(wire::NurseryState::worker_dead),
                       50);
    }
    g_region->current_job.store(wire::kNoJob);
    g_region->state.store(static_cast<uint32_t>(wire::NurseryState::ready));
  }
}

// What the living threads would have done next goes behind the steps; returns how many there are.
uint32_t write_pending() {
  const Run& run = g_run;
  // The thread that ended the execution has performed what it announced last; in a deadlock, or
  // where the scheduler ended it, or the function of heddle::state, it has not.
  bool failed_inside = g_end.ending == wire::Ending::failed && !found_by_scheduler(g_end.failure);
  bool performed = g_end.ending == wire::Ending::finished || g_end.ending == wire::Ending::pruned ||
                   failed_inside;
  if (g_in_state) performed = false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    Thread* thread = run.living[i];
    if ((thread == run.current && performed) || thread->stopped) continue;
    wire::Step& step = run.trace[run.step + count++];
    step = {};
    step.thread = static_cast<uint16_t>(thread->index);
    const Pending& pending = thread->pending;
    step.op = pending.op;
    step.after = thread->after;
    step.pc = pending.pc;
    step.outcomes = static_cast<uint16_t>(pending.open ? outcomes(thread) : 1);
    bool can = thread->state == State::ready || thread->state == State::late;
    step.flags = static_cast<uint16_t>(focus_flags(thread) | thread->flags);
    if (can) step.flags |= wire::kCanProceed;
    if (is_out_of_script(thread) || thread->runs_script) step.flags |= wire::kScripted;
    // It would be a yield, or may.
    if (g_fair && (pending.yields != Yields::no || may_spin(thread))) step.flags |= wire::kRanked;
    if (wire::op_effect(pending.op) == '-') continue;
    step.object = find_object(pending.object, pending.bytes)->name;
    set_bytes(&step, pending.bytes);
    if (second_object(pending) == 0 || step.size == wire::kManyBytes) continue;
    step.second = find_object(pending.second, pending.copies ? pending.bytes : 1)->name;
    if (pending.copies) step.flags |= wire::kCopies;
  }
  return count;
}

wire::Result make_result() {
  const Run& run = g_run;
  bool failed = g_end.ending == wire::Ending::failed;
  wire::Result result{};
  result.job = run.job.id;
  result.fingerprint = run.fingerprint;
  result.sequence = run.sequence;
  result.failure_key = failed ? g_end.key : 0;
  result.pc = g_end.pc;
  result.step_count = run.step;
  result.thread_count = run.thread_count;
  result.preemptions = run.preemptions;
  result.ending = g_end.ending;
  result.failure = failed ? g_end.failure : wire::Failure::none;
  result.racing_key = g_racing_key;
  if (g_region->has_wanted.load(std::memory_order_relaxed) != 0) {
    result.racing_key += hash_text(g_region->wanted.text) | 1;
  }
  result.set_back = run.set_back ? 1 : 0;
  result.counted = run.counted_back ? 1 : 0;
  result.cycle = failed ? g_end.cycle : 0;
  result.transfers = scenario_transfers();
  bool wanted = (run.job.flags & wire::kWantSteps) != 0;
  result.first_step = run.step;
  bool whole = (run.job.flags & wire::kWantPending) != 0;
  uint32_t first_step = whole ? 0 : run.job.first_step;
  if (wanted && first_step < run.step) result.first_step = first_step;
  if (failed || g_end.ending == wire::Ending::diverged) result.first_step = 0;
  if (whole) result.pending_count = write_pending();
  result.overlaps = g_objects_overlap ? 1 : 0;
  result.option_count = run.option_count;
  result.state_bytes = g_state_bytes;
  result.note_count = run.note_count;
  result.depth = run.depth;
  return result;
}

// Before it is copied, and with what is copied. Of the sealed steps those are taken out that are
// not sent.
void seal(wire::Result* result, std::span<const char> digest) {
  const Run& run = g_run;
  uint32_t first = result->first_step > run.sealed_from ? result->first_step : run.sealed_from;
  result->sealed_from = first;
  result->step_seal = 0;
  if (first < run.step) {
    result->step_seal = run.seal - wire::seal_of({run.trace + run.sealed_from, run.trace + first});
  }
  result->area_seal = run.note_seal + g_state_seal;
  if (result->option_count != 0) result->area_seal += run.option_seal;
  result->checksum =
      wire::checksum_of(*result, {run.trace + run.step, result->pending_count}, digest);
}

// Room for a result in the ring, with so many bytes behind it.
char* room_for(const wire::Result& result, uint64_t bytes) {
  void* body;
  while ((body = g_results.reserve(sizeof result + bytes)) == nullptr) {
    g_results.ring_bell();
    usleep_natively(50);
    if (must_stop()) _exit(wire::kWorkerDone);
  }
  __builtin_memcpy(body, &result, sizeof result);
  return static_cast<char*>(body) + sizeof result;
}

void deliver_subtree() {
  std::span<const char> report = subtree_end();
  wire::Result result{};
  result.job = subtree_job();
  result.ending = wire::Ending::finished;
  result.is_subtree = 1;
  result.digest_bytes = static_cast<uint32_t>(report.size());
  result.checksum = wire::checksum_of(result, {}, report);
  memcpy(room_for(result, report.size()), report.data(), report.size());
  g_results.publish();
  g_region->current_job.store(wire::kNoJob, std::memory_order_release);
  // The engine is to sleep meanwhile: it is woken for several small ones at once. Who has nothing
  // left to do rings in any case.
  g_since_bell += 1 + static_cast<uint32_t>(report.size() / kBytesPerBell);
  if (g_since_bell < kBellInterval) return;
  g_since_bell = 0;
  g_results.ring_bell();
}

}  // namespace

void deliver_result() {
  if (g_in_subtree) return deliver_subtree();
  if (g_run.detail) detail_end();
  wire::Result result = make_result();
  std::span<const char> digest = make_digest(&result);
  uint32_t steps = result.step_count - result.first_step + result.pending_count;
  bool in_buffer = steps > wire::kInlineSteps || result.option_count > wire::kInlineOptions ||
                   result.state_bytes > wire::kInlineStates ||
                   result.note_count > wire::kInlineNotes;
  result.steps_in_buffer = in_buffer ? 1 : 0;
  seal(&result, digest);
  uint64_t step_bytes = in_buffer ? 0 : steps * sizeof(wire::Step);
  uint64_t option_bytes = in_buffer ? 0 : result.option_count * sizeof(uint16_t);
  uint64_t before_states = wire::padded(step_bytes + option_bytes + digest.size());
  uint64_t state_bytes = in_buffer ? 0 : result.state_bytes;
  uint64_t before_notes = before_states + wire::padded(state_bytes);
  uint64_t note_bytes = in_buffer ? 0 : result.note_count * sizeof(uint64_t);
  char* out = room_for(result, before_notes + note_bytes);
  if (step_bytes != 0) memcpy(out, g_run.trace + result.first_step, step_bytes);
  if (option_bytes != 0) memcpy(out + step_bytes, wire::option_threads(g_region), option_bytes);
  if (!digest.empty()) memcpy(out, digest.data(), digest.size());
  if (state_bytes != 0) memcpy(out + before_states, wire::states(g_region), state_bytes);
  if (note_bytes != 0) memcpy(out + before_notes, wire::notes(g_region), note_bytes);
  g_results.publish();
  if (result.steps_in_buffer != 0) {
    g_results.ring_bell();
    auto* released = reinterpret_cast<std::atomic<uint32_t>*>(&g_region->buffer_released);
    while (g_region->buffer_released.load(std::memory_order_acquire) != result.job) {
      if (must_stop()) _exit(wire::kWorkerDone);
      uint32_t seen = released->load();
      if (g_region->buffer_released.load(std::memory_order_acquire) != result.job) {
        wire::futex_wait(released, seen, 50);
      }
    }
  }
  g_region->current_job.store(wire::kNoJob, std::memory_order_release);
  if (++g_since_bell >= kBellInterval || g_end.ending == wire::Ending::failed) {
    g_since_bell = 0;
    g_results.ring_bell();
  }
}

void refuse(const char* reason) {
  snprintf(g_region->refusal, sizeof g_region->refusal, "%s", reason);
  g_region->state.store(static_cast<uint32_t>(wire::NurseryState::refused));
  wire::futex_wake(&g_region->state);
  _exit(2);
}

void leave_debugged() {
  flush_output();
  _exit(g_end.ending == wire::Ending::failed ? 1 : 0);
}

void serve(const Test& test) {
  g_debugged = g_hands_over = g_region->config.debugged != 0;
  if (!g_debugged) prctl(PR_SET_PDEATHSIG, SIGKILL);
  g_test = test;
  modules_begin();
  for (uint32_t i = 0; i < g_region->module_count.load(); ++i) {
    wire::Module& module = g_region->modules[i];
    module.instrumented = is_instrumented(module.begin) ? 1 : 0;
  }
  output_begin();
  g_region->state.store(static_cast<uint32_t>(wire::NurseryState::ready));
  wire::futex_wake(&g_region->state);
  if (g_debugged) work();
  nurse();
}

}  // namespace heddle::runtime
