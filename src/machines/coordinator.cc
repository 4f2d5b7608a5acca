#include "machines/coordinator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/hash.h"
#include "machines/assignment.h"
#include "machines/collected.h"
#include "machines/redis.h"
#include "machines/shared_search.h"
#include "report/style.h"
#include "session/interrupt.h"
#include "session/joined.h"
#include "session/program.h"
#include "session/search_setup.h"
#include "session/status_line.h"
#include "session/task.h"
#include "trace/schedule_file.h"

namespace heddle::machines {

namespace {

using Clock = std::chrono::steady_clock;
using session::Options;

// Of a round, run here: few enough to be done at once, and enough to have something to deal out.
constexpr uint64_t kFirstExecutions = 64;
constexpr uint64_t kFirstTasks = 8;
constexpr uint64_t kExecutionsEach = 256;    // of the first tasks: see worker.cc
constexpr uint64_t kLeastToKeep = 64 << 10;  // bytes
constexpr uint64_t kResultsPerState = 4;     // bytes of these to one of the state
constexpr auto kLookInterval = std::chrono::milliseconds(500);
constexpr double kLonely = 3;  // seconds without a worker, until it is said

class Coordinator {
 public:
  Coordinator(const session::Subject& subject, const Options& options,
              const std::vector<std::pair<std::string, std::string>>& given)
      : subject_(subject),
        options_(options),
        given_(given),
        setup_(session::setup_of(options)),
        redis_(options.on, password_of(options.password_file)),
        shared_(redis_, id_of()),
        status_(!options.quiet, subject.label) {
    state_.racing = options.racing;
  }

  report::Summary run();

 private:
  std::string id_of() const;
  void greet();
  void take_up();
  End run_round();
  End run_here(std::vector<std::string>* tasks);
  void post(const std::vector<std::string>& tasks);
  End collect();
  void read_again();
  [[noreturn]] void not_ours();
  [[noreturn]] void lost() const;
  void fold(const std::string& id, const std::string& result);
  void look();
  void insist_on_ours();
  void look_if_due();
  std::vector<uint64_t> told() const;
  void keep();
  void keep_if_due();
  void show();
  bool is_covered();
  void learn();
  uint64_t executions_left() const;
  bool time_is_up() const;
  double seconds() const {
    return state_.seconds + std::chrono::duration<double>(Clock::now() - begun_).count();
  }
  std::string packed_state();
  report::Summary report(End end);
  std::vector<trace::Finding> findings();

  const session::Subject& subject_;
  const Options& options_;
  const std::vector<std::pair<std::string, std::string>>& given_;
  session::SearchSetup setup_;
  Redis redis_;
  SharedSearch shared_;
  session::StatusLine status_;
  Collected state_;
  session::Identity modules_;
  std::vector<std::string> files_;  // the program, and its instrumented libraries
  bool is_posted_ = false;          // the round is in Redis
  bool was_posted_ = false;         // the search is
  uint64_t connections_ = 0;
  uint64_t unkept_ = 0;       // bytes of results that are not in the state that Redis has
  uint64_t state_bytes_ = 0;  // of that
  uint64_t resumed_at_ = 0;   // executions
  Look look_;
  size_t most_workers_ = 0;
  std::set<std::string> machines_;
  bool told_lonely_ = false;
  std::string broken_;  // what has ended it early
  const Clock::time_point run_begun_ = Clock::now();
  Clock::time_point begun_ = run_begun_;  // since then seconds are not in the state
  Clock::time_point next_look_ = Clock::now();
};

// The same command on the same program.
std::string Coordinator::id_of() const {
  session::Identity identity =
      session::identity_of(subject_, options_, setup_.record, setup_.stages);
  std::string text = session::build_id_of(subject_.path);
  for (const auto& [name, value] : identity) text += fmt::format("\n{} {}", name, value);
  return fmt::format("{}-{:016x}", std::filesystem::path(subject_.path).filename().string(),
                     hash_text(text.c_str()));
}

// A server that throws away what it has no room for would make holes that nobody sees.
void Coordinator::greet() {
  Reply reply = redis_.insist([&] { return redis_.command({"INFO", "memory"}); });
  bool is_bounded = reply.text.find("\nmaxmemory:0\r") == std::string::npos;
  bool is_safe = reply.text.find("maxmemory_policy:noeviction") != std::string::npos;
  if (is_bounded && !is_safe) {
    throw UserError(fmt::format(
        "{} throws away what it has no room for; there, set maxmemory-policy noeviction",
        options_.on.text));
  }
  connections_ = redis_.connections();
}

// What Redis has of a search that did not end. Without --resume, one that was stopped in good order
// begins anew, as it does on one machine.
void Coordinator::take_up() {
  std::optional<std::string> standing = shared_.field("state");
  bool is_there = standing && !shared_.state().empty();
  if (!is_there && options_.resume) {
    throw UserError(fmt::format(
        "{} has no search to go on with, of this program with these options; leave out --resume",
        options_.on.text));
  }
  if (!is_there) return;
  if (*standing != "running" && !options_.resume) return;
  if (shared_.field("version") != own_version()) {
    throw UserError(fmt::format(
        "{} has this search of another version, {}; this is {}: go on with that one, or remove "
        "the search there (FLUSHDB)",
        options_.on.text, shared_.field("version").value_or("unknown"), own_version()));
  }
  shared_.take_over();
  read_again();
  resumed_at_ = state_.joined.executions();
  if (!shared_.grant(state_.round, executions_left())) not_ours();
  is_posted_ = was_posted_ = true;
}

void Coordinator::not_ours() {
  if (!shared_.field("version")) lost();
  throw UserError(
      fmt::format("{}: another heddle run has taken this search over", options_.on.text));
}

void Coordinator::lost() const {
  throw UserError(fmt::format(
      "{} has lost the search: it was started again, without an append-only file, or somebody "
      "has removed it",
      options_.on.text));
}

void Coordinator::read_again() {
  connections_ = redis_.connections();
  std::string bytes = shared_.state();
  if (bytes.empty()) lost();
  if (!shared_.claim_again()) not_ours();
  Collected read;
  unpack(bytes, [&](explore::ByteReader& in) { read.load(in); });
  state_ = std::move(read);
  begun_ = Clock::now();
  unkept_ = 0;
  state_bytes_ = bytes.size();
}

std::string Coordinator::packed_state() {
  state_.seconds = seconds();
  begun_ = Clock::now();
  std::string bytes = pack([&](explore::ByteWriter& out) { state_.save(out); });
  state_bytes_ = bytes.size();
  return bytes;
}

uint64_t Coordinator::executions_left() const {
  if (!setup_.limits.executions) return ~uint64_t{0};
  uint64_t done = state_.joined.executions() - resumed_at_;
  return *setup_.limits.executions - std::min(done, *setup_.limits.executions);
}

bool Coordinator::time_is_up() const {
  return setup_.limits.seconds &&
         Clock::now() - run_begun_ >= std::chrono::duration<double>(*setup_.limits.seconds);
}

// The first executions of a round.
End Coordinator::run_here(std::vector<std::string>* tasks) {
  Options options = options_;
  options.racing = state_.racing;
  session::Task task;
  task.stage = state_.stage;
  task.executions = std::min(kFirstExecutions, executions_left());
  task.told = told();
  task.beat = [] {};
  session::TaskDone done = session::run_task(subject_, options, task);
  if (!done.part.modules.empty()) {
    modules_ = done.part.modules;
    files_ = {subject_.path};
    for (const auto& [path, id] : done.modules) {
      if (path != subject_.path && session::is_instrumented(path)) files_.push_back(path);
    }
  }
  state_.first = done.first;
  state_.add(done.part);
  if (*session::Interrupt::flag() != 0) return End::interrupted;
  if (End end = state_.judged(options_.keep_going); end != End::none) return end;
  for (const explore::Bundle& some : done.left_over.deal(kFirstTasks)) {
    tasks->push_back(pack([&](explore::ByteWriter& out) { some.save(out); }));
  }
  return End::none;
}

void Coordinator::post(const std::vector<std::string>& tasks) {
  if (!was_posted_) {
    shared_.create(assignment_of(subject_, options_, given_, modules_, files_),
                   options_.redis_memory);
    for (const std::string& path : files_) shared_.put_file(content_of(path));
    shared_.announce();
    was_posted_ = true;
  }
  uint64_t left = executions_left();
  shared_.set_field("left", left == ~uint64_t{0} ? "-1" : std::to_string(left));
  ++state_.round;
  state_.last = "0";
  state_.tasks = 0;
  std::string bytes = packed_state();
  while (!shared_.begin({state_.round, state_.stage, state_.first, state_.racing}, bytes,
                        kExecutionsEach, tasks)) {
    if (!shared_.claim_again()) not_ours();
  }
  shared_.tell(told());
  unkept_ = 0;
  is_posted_ = true;
}

std::vector<uint64_t> Coordinator::told() const {
  std::vector<uint64_t> keys;
  for (const session::PartFinding& one : state_.joined.part().findings) keys.push_back(one.key);
  return keys;
}

void Coordinator::keep() {
  if (unkept_ == 0) return;
  using Kept = SharedSearch::Kept;
  Kept kept = shared_.keep(state_.round, state_.last, unkept_, packed_state(), connections_);
  if (kept == Kept::others) not_ours();
  if (kept == Kept::reconnected) read_again();
  unkept_ = 0;
}

// What is kept is as large as all that was found so far: so rarely that it is little beside the
// results, and as often as there has to be room for those.
void Coordinator::keep_if_due() {
  if (unkept_ >= std::max(kLeastToKeep, kResultsPerState * state_bytes_) ||
      unkept_ >= options_.redis_memory / 4) {
    keep();
  }
}

void Coordinator::fold(const std::string& id, const std::string& result) {
  std::optional<session::Part> part;
  unpack(result, [&](explore::ByteReader& in) { part = session::get_part(in); });
  state_.add(*part);
  state_.last = id;
  ++state_.tasks;
  unkept_ += result.size();
}

void Coordinator::look() {
  look_ = shared_.look(state_.round, options_.lost_after);
  most_workers_ = std::max(most_workers_, look_.workers.size());
  for (const std::string& worker : look_.workers) {
    machines_.insert(worker.substr(0, worker.find(' ')));
  }
}

void Coordinator::insist_on_ours() {
  if (!look_.is_ours && !shared_.claim_again()) not_ours();
}

void Coordinator::look_if_due() {
  if (Clock::now() < next_look_) return;
  next_look_ = Clock::now() + kLookInterval;
  look();
  insist_on_ours();
  bool is_lonely = look_.workers.empty() && seconds() > kLonely;
  if (is_lonely && !told_lonely_ && !options_.quiet) {
    status_.erase();
    fmt::print(stderr, "heddle: no machine is at work; on each, type: heddle worker --on {}\n",
               options_.on.text);
    told_lonely_ = true;
  }
  show();
}

void Coordinator::show() {
  status_.show(fmt::format(
      "{} executions  {}  {}  {}  {}", report::grouped(state_.joined.executions()),
      report::counted(machines_.size(), "machine"), report::counted(look_.workers.size(), "worker"),
      report::counted(look_.tasks, "task"),
      report::counted(state_.joined.part().findings.size(), "failure")));
}

// No tasks are there any more: whether all that ever were have been counted.
bool Coordinator::is_covered() {
  look();
  insist_on_ours();
  if (look_.tasks != 0 || look_.done != state_.tasks) return false;
  if (look_.made != look_.done) {
    throw UserError(fmt::format("{} has lost {} of {} tasks of the search: begin anew",
                                options_.on.text, look_.made - look_.done, look_.made));
  }
  return true;
}

End Coordinator::collect() {
  for (;;) {
    if (*session::Interrupt::flag() != 0) return End::interrupted;
    if (time_is_up()) return End::budget;
    std::vector<std::pair<std::string, std::string>> results;
    try {
      results = shared_.results(state_.round, state_.last);
    } catch (const Lost&) {
      redis_.insist([&] { return redis_.command({"PING"}); });
    }
    if (redis_.connections() != connections_) {
      read_again();
      continue;
    }
    for (const auto& [id, result] : results) {
      fold(id, result);
      if (End end = state_.judged(options_.keep_going); end != End::none) return end;
    }
    keep_if_due();
    look_if_due();
    if (!state_.found.empty()) return End::none;
    if (executions_left() == 0) return End::budget;
    if (results.empty() && is_covered()) return End::none;
  }
}

void Coordinator::learn() {
  state_.begin_again();
  is_posted_ = false;
}

End Coordinator::run_round() {
  if (!is_posted_) {
    std::vector<std::string> tasks;
    if (End end = run_here(&tasks); end != End::none) return end;
    if (!state_.found.empty()) {
      learn();
      return End::none;
    }
    if (!tasks.empty()) {
      if (executions_left() == 0) return End::budget;
      post(tasks);
    }
  }
  if (is_posted_) {
    if (End end = collect(); end != End::none) return end;
    is_posted_ = false;
  }
  if (!state_.found.empty()) {
    learn();
    return End::none;
  }
  bool is_last = state_.stage + 1 == setup_.stages.size() || !state_.joined.part().held_back;
  if (is_last) return End::complete;
  ++state_.stage;
  state_.joined.begin_stage();
  return End::none;
}

report::Summary Coordinator::run() {
  greet();
  take_up();
  End end = End::none;
  try {
    while (end == End::none) end = run_round();
    if (was_posted_) look();
    bool goes_on = end == End::interrupted || end == End::budget;
    if (was_posted_ && goes_on) {
      if (is_posted_) keep();
      shared_.set_field("state", "stopped");
    }
  } catch (const Lost&) {
    if (end == End::none) end = End::interrupted;
    look_.is_ours = false;
  } catch (const UserError& error) {
    // What has been found is told nevertheless.
    if (state_.joined.empty()) throw;
    broken_ = error.what();
    look_.is_ours = false;
  }
  status_.erase();
  if (!broken_.empty()) fmt::print(stderr, "heddle: {}\n", broken_);
  report::Summary summary = report(end);
  bool is_over = end != End::interrupted && end != End::budget;
  if (was_posted_ && is_over && look_.is_ours) shared_.remove();
  return summary;
}

report::Summary Coordinator::report(End end) {
  report::Summary summary = state_.summary(end, setup_.record.staged);
  summary.program = subject_.command;
  summary.seconds = seconds();
  summary.machines = {machines_.size(), most_workers_, state_.all_tasks};
  summary.findings = findings();
  if (end != End::complete && look_.tasks != 0) summary.remaining = {look_.tasks, std::nullopt};
  if (end == End::budget) {
    summary.stopped_by = executions_left() == 0
                             ? fmt::format("--executions {}", *setup_.limits.executions)
                             : fmt::format("--seconds {:g}", setup_.limits.seconds.value_or(0));
  }
  if (!broken_.empty()) {
    summary.broken = {broken_, exit_code::refused};
    summary.notes.push_back(fmt::format("the search has ended early: {}", broken_));
  }
  if ((end == End::budget || end == End::interrupted) && was_posted_ && broken_.empty()) {
    summary.notes.push_back(
        "the search stays in Redis; to go on with it, type the same command with --resume");
  }
  if (resumed_at_ != 0) {
    summary.notes.push_back(fmt::format("the search in Redis was taken up after {}",
                                        report::counted(resumed_at_, "execution")));
  }
  return summary;
}

// Under names of this search's own, and of the program where it is here.
std::vector<trace::Finding> Coordinator::findings() {
  std::vector<session::PartFinding> all = state_.joined.part().findings;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].name.empty()) all[i].name = session::schedule_path(subject_, options_, i + 1);
  }
  std::vector<trace::Finding> found = session::write_findings(all, options_.out);
  Options options = options_;
  options.racing = state_.racing;
  for (const trace::Finding& finding : found) {
    if (finding.schedule_file.empty()) continue;
    trace::ScheduleFile file = trace::read_schedule_file(finding.schedule_file);
    session::describe_subject(subject_, options, &file);
    trace::write_schedule_file(finding.schedule_file, file);
  }
  return found;
}

}  // namespace

report::Summary run_on_machines(const session::Subject& subject, const session::Options& options,
                                const std::vector<std::pair<std::string, std::string>>& given) {
  return Coordinator(subject, options, given).run();
}

}  // namespace heddle::machines
