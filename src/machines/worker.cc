#include "machines/worker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <thread>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/scratch_folder.h"
#include "machines/received_program.h"
#include "machines/redis.h"
#include "machines/shared_search.h"
#include "report/style.h"
#include "session/interrupt.h"
#include "session/program.h"
#include "session/task.h"

namespace heddle::machines {

namespace {

using Clock = std::chrono::steady_clock;
using session::Options;

// A task is to take about so long: it then costs next to nothing to begin one, and the machines
// come to their ends together. Where there are very many it takes longer, as long as there is
// enough to do for all: they ask one server.
constexpr double kTaskSeconds = 1, kLongestTask = 10;
constexpr double kWorkersPerSecond = 100;
constexpr uint64_t kFewest = 64, kMost = 1'000'000;  // executions of a task
// So many tasks for each worker, and there is no need to make more.
constexpr uint64_t kEnough = 4;
constexpr uint64_t kHands = 4;
constexpr double kBeatsUntilLost = 5;
constexpr char kLibraryPath[] = "LD_LIBRARY_PATH";
constexpr auto kFirstPause = std::chrono::milliseconds(10);
constexpr auto kLongestPause = std::chrono::milliseconds(500);

// The task is not this worker's any more, or nobody's.
struct GivenUp {};

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

// What the coordinator knows, as it is the same for all tasks.
void strip(session::Part* part) {
  part->identity.clear();
  part->modules.clear();
  report::Summary& summary = part->summary;
  summary.program.clear();
  summary.remaining.reset();
  for (std::string* text :
       {&summary.strategy, &summary.order, &summary.accesses, &summary.reduce}) {
    text->clear();
  }
}

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "unknown";
  return name;
}

// A search that this worker takes part in.
struct Part {
  SharedSearch shared;
  Assignment assignment;
  Options options;
  session::Subject subject;
  std::string libraries;  // a folder to look for them in
  Round round{};
  std::vector<uint64_t> failures;
  uint64_t connections = 0;  // of Redis, when these were read
};

class Worker {
 public:
  explicit Worker(const Options& options)
      : options_(options),
        password_(password_of(options.password_file)),
        redis_(options.on, password_),
        name_(fmt::format("{} {} {:08x}", host_name(), getpid(), std::random_device()())) {}

  int run();

 private:
  bool run_one();
  void join(const std::string& id);
  bool run_task_of(Part& part);
  void begin_round(Part& part);
  void run(Part& part, const Taken& taken);
  std::optional<session::TaskDone> try_to_run(Part& part, const Taken& taken);
  void finish(Part& part, const Taken& taken, const session::TaskDone& done, double took);
  void find_libraries_in(const std::string& folder) const;
  void refuse_other_modules(const Part& part, const session::Identity& modules) const;
  void say(const std::string& text) const;

  const Options& options_;
  ScratchFolder folder_{"heddle-worker"};
  const std::string password_;
  Redis redis_;
  const std::string name_;  // of this worker, among all
  const std::string library_path_ = getenv(kLibraryPath) != nullptr ? getenv(kLibraryPath) : "";
  std::map<std::string, Part> parts_;
  uint64_t joined_ = 0;
  uint64_t tasks_ = 0;
  uint64_t executions_ = 0;
};

void Worker::say(const std::string& text) const {
  if (options_.quiet) return;
  fmt::print("{}\n", text);
  fflush(stdout);
}

int Worker::run() {
  if (password_.empty()) {
    throw UserError(
        "heddle worker runs the programs that come from Redis, and so only from one that has a "
        "password: set HEDDLE_REDIS_PASSWORD or type --password-file FILE");
  }
  redis_.insist([&] { return redis_.command({"PING"}); });
  say(
      fmt::format("heddle worker: runs what whoever has the password of {} puts there, as {}, {} "
                  "at a time",
                  options_.on.text, getuid() == 0 ? "root" : "this user",
                  report::counted(options_.jobs, "execution")));
  auto idle_since = Clock::now();
  auto pause = kFirstPause;
  try {
    while (*session::Interrupt::flag() == 0) {
      if (run_one()) {
        idle_since = Clock::now();
        pause = kFirstPause;
        continue;
      }
      if (options_.idle && seconds_since(idle_since) >= *options_.idle) break;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLongestPause);
    }
  } catch (const Lost&) {
    // Only after an interrupt: else there is no end to trying.
  }
  say(fmt::format("heddle worker: {} of {}", report::counted(executions_, "execution"),
                  report::counted(tasks_, "task")));
  return *session::Interrupt::flag() != 0 ? exit_code::interrupted : 0;
}

// False: there is nothing to do.
bool Worker::run_one() {
  std::vector<std::string> ids = SharedSearch::all(redis_);
  std::erase_if(
      parts_, [&](const auto& known) { return std::ranges::find(ids, known.first) == ids.end(); });
  for (const std::string& id : ids) {
    if (!parts_.contains(id)) join(id);
    auto known = parts_.find(id);
    if (known != parts_.end() && run_task_of(known->second)) return true;
  }
  return false;
}

void Worker::join(const std::string& id) {
  SharedSearch shared(redis_, id);
  if (shared.field("state") != "running") return;
  std::optional<std::string> version = shared.field("version");
  std::optional<std::string> packed = shared.field("assignment");
  if (!version || !packed) return;
  if (*version != own_version()) {
    throw UserError(fmt::format(
        "the search {} in {} is of another version: {}, and this is {}; install that one here", id,
        options_.on.text, *version, own_version()));
  }
  Assignment assignment = Assignment::unpacked(*packed);
  Options options;
  for (const auto& [name, value] : assignment.options) {
    options::set_option(&options, name, value);
  }
  if (!assignment.suppressions.empty()) {
    std::string path = folder_.path() + "/suppressions.txt";
    std::ofstream(path) << assignment.suppressions;
    options::set_option(&options, "suppress", path);
  }
  options.on = options_.on;
  options.jobs = options_.jobs;
  options.memory = options_.memory;
  options.out = folder_.path();
  options.quiet = true;
  std::vector<std::string> command = assignment.command;
  ReceivedProgram received =
      receive(shared, assignment, fmt::format("{}/{}", folder_.path(), ++joined_));
  command[0] = received.path;
  session::Program program = session::find_program(command, options.uninstrumented, "worker");
  if (program.preload.empty()) options.uninstrumented = false;
  program.command = assignment.command;
  std::error_code ignored;
  bool has_directory = std::filesystem::is_directory(assignment.directory, ignored);
  session::Subject subject =
      session::subject_of(program, has_directory ? assignment.directory : "");
  bool is_here = received.libraries.empty();
  say(fmt::format("heddle worker: {}, {}: {} (build id {}{})", id,
                  is_here ? "the program that is here" : "a program that was sent",
                  fmt::join(assignment.command, " "), session::build_id_of(received.path),
                  is_here ? "" : fmt::format(", {} KB", assignment.files.front().size >> 10)));
  parts_.emplace(id, Part{std::move(shared),
                          std::move(assignment),
                          std::move(options),
                          std::move(subject),
                          received.libraries,
                          {},
                          {},
                          0});
}

bool Worker::run_task_of(Part& part) {
  // A server that was started again may have forgotten the last second.
  if (part.connections != redis_.connections()) {
    part.round = {};
    part.failures.clear();
    part.connections = redis_.connections();
  }
  if (part.round.number == 0) begin_round(part);
  if (part.round.number == 0) return false;
  Taken taken = part.shared.take(part.round.number, name_, part.assignment.lost_after);
  if (taken.what == Taken::What::round) {
    begin_round(part);
    return part.round.number != 0;
  }
  if (taken.what != Taken::What::task) return false;
  if (taken.failures != part.failures.size()) part.failures = part.shared.failures();
  run(part, taken);
  return true;
}

// Here it has to begin as it does where the search was begun: else what is run here is something
// else.
void Worker::begin_round(Part& part) {
  part.round = part.shared.round();
  if (part.round.number == 0) return;
  session::Task task;
  task.executions = 1;
  task.stage = part.round.stage;
  task.told = part.shared.failures();
  task.beat = [] {};
  Options options = part.options;
  options.racing = part.round.racing;
  if (task.stage >= session::stages_of_tasks(options)) {
    throw UserError(
        fmt::format("{}: the search {} cannot be run", options_.on.text, part.shared.id()));
  }
  find_libraries_in(part.libraries);
  session::TaskDone done = session::run_task(part.subject, options, task);
  if (*session::Interrupt::flag() != 0) {
    part.round = {};
    return;
  }
  refuse_other_modules(part, done.part.modules);
  if (done.first != part.round.first) {
    throw UserError(fmt::format(
        "the first execution of the search {} does not go here as where it was begun: the test "
        "depends on something that differs between the machines",
        part.shared.id()));
  }
}

void Worker::run(Part& part, const Taken& taken) {
  auto begin = Clock::now();
  std::optional<session::TaskDone> done = try_to_run(part, taken);
  if (!done) return;
  bool is_interrupted = *session::Interrupt::flag() != 0;
  bool has_failed = done->part.summary.broken || done->end == explore::SearchEnd::out_of_space;
  if (is_interrupted || has_failed) {
    try {
      part.shared.give_back(part.round.number, name_, taken.id);
    } catch (const Lost&) {
      // It is taken from this worker, then, when nothing was heard of it for long enough.
    }
    if (is_interrupted) return;
    const std::optional<report::Summary::Broken>& broken = done->part.summary.broken;
    throw UserError(broken ? broken->what : done->part.summary.notes.back());
  }
  finish(part, taken, *done, seconds_since(begin));
}

// Heddle's own is beside this command; the program was linked to that of another machine.
void Worker::find_libraries_in(const std::string& folder) const {
  std::string all = library_path_;
  if (!folder.empty()) {
    std::error_code ignored;
    std::filesystem::path command = std::filesystem::read_symlink("/proc/self/exe", ignored);
    all = fmt::format("{}:{}{}{}", folder, (command.parent_path().parent_path() / "lib").string(),
                      library_path_.empty() ? "" : ":", library_path_);
  }
  if (all.empty()) {
    unsetenv(kLibraryPath);
  } else {
    setenv(kLibraryPath, all.c_str(), 1);
  }
}

// Nothing: it is not this worker's any more.
std::optional<session::TaskDone> Worker::try_to_run(Part& part, const Taken& taken) {
  session::Task task;
  unpack(taken.subtrees, [&](explore::ByteReader& in) { task.subtrees.load(in); });
  task.executions = taken.executions;
  task.stage = part.round.stage;
  task.told = part.failures;
  const std::chrono::duration<double> interval(part.assignment.lost_after / kBeatsUntilLost);
  auto last = Clock::now();
  task.beat = [&] {
    if (Clock::now() - last < interval) return;
    last = Clock::now();
    try {
      if (!part.shared.beat(part.round.number, name_, taken.id)) throw GivenUp();
    } catch (const Lost&) {
      // What it has found it can bring when the server is back.
    }
  };
  Options options = part.options;
  options.racing = part.round.racing;
  if (task.subtrees.empty()) {
    throw UserError(fmt::format("{}: the task {} cannot be run", options_.on.text, taken.id));
  }
  find_libraries_in(part.libraries);
  try {
    return session::run_task(part.subject, options, task);
  } catch (const GivenUp&) {
    return std::nullopt;
  }
}

void Worker::refuse_other_modules(const Part& part, const session::Identity& modules) const {
  const session::Identity& known = part.assignment.modules;
  for (const auto& [name, id] : modules) {
    auto same = std::ranges::find(known, name, &std::pair<std::string, std::string>::first);
    if (same != known.end() && same->second == id) continue;
    throw UserError(fmt::format(
        "{} is not the same on this machine as where the search {} was begun: install the same "
        "package here",
        name, part.shared.id()));
  }
}

void Worker::finish(Part& part, const Taken& taken, const session::TaskDone& done, double took) {
  session::Part found = done.part;
  strip(&found);
  Finished finished;
  finished.id = taken.id;
  finished.executions = found.summary.executions;
  for (const session::PartFinding& one : found.findings) finished.failures.push_back(one.key);
  finished.results = pack([&](explore::ByteWriter& out) { session::put_part(out, found); });
  bool is_enough = taken.tasks >= kEnough * std::max<uint64_t>(taken.workers, 1);
  double each = is_enough ? std::clamp(static_cast<double>(taken.workers) / kWorkersPerSecond,
                                       kTaskSeconds, kLongestTask)
                          : kTaskSeconds;
  double wanted = static_cast<double>(finished.executions) * each / std::max(took, 1e-3);
  finished.executions_each = std::clamp(static_cast<uint64_t>(wanted), kFewest, kMost);
  for (const explore::Bundle& some : done.left_over.deal(is_enough ? 1 : kHands)) {
    finished.left_over.push_back(pack([&](explore::ByteWriter& out) { some.save(out); }));
  }
  if (!part.shared.finish(part.round.number, finished)) return;
  ++tasks_;
  executions_ += finished.executions;
}

}  // namespace

int work(const Options& options) { return Worker(options).run(); }

}  // namespace heddle::machines
