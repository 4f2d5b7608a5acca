#include "session/check_replay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/exit_code.h"
#include "pool/launch.h"
#include "report/view.h"

namespace heddle::session {

namespace {

constexpr char kScheduleVariable[] = "HEDDLE_REPLAY";
constexpr char kOptionsVariable[] = "HEDDLE_REPLAY_OPTIONS";
constexpr char kDoneVariable[] = "HEDDLE_REPLAY_DONE";
// For a debugger. While it is prepared: DebuggerFiles::region and ::story, with a comma between
// them. In it: the region alone.
constexpr char kDebuggerVariable[] = "HEDDLE_REPLAY_DEBUGGER";

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string option_text(const Options& options) {
  std::string text = fmt::format("--times {} --hang-after {}", options.times, options.hang_after);
  for (const auto& [name, value] : execution_options(options)) {
    if (find_option(name)->verbs & kReplay) text += fmt::format(" --{} {}", name, value);
  }
  if (!options.json.empty()) {
    std::string path = options.json == "-" ? "-" : std::filesystem::absolute(options.json).string();
    text += " --json " + in_quotes(path);
  }
  if (options.show_output) text += " --show-output";
  if (options.quiet) text += " --quiet";
  if (options.trace) text += " --trace";
  if (options.steps) {
    bool all = *options.steps == report::View::kAllSteps;
    text += fmt::format(" --steps {}", all ? "all" : std::to_string(*options.steps));
  }
  if (options.width) text += fmt::format(" --width {}", *options.width);
  if (options.gdb) text += " --gdb";
  return text;
}

[[noreturn]] void become(const Subject& subject, const std::string& schedule,
                         const std::string& options, int done) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pool::fix_addresses();
  setenv(kScheduleVariable, schedule.c_str(), 1);
  setenv(kOptionsVariable, options.c_str(), 1);
  setenv(kDoneVariable, std::to_string(done).c_str(), 1);
  fcntl(done, F_SETFD, 0);
  std::vector<std::string> command = subject.launch.command;
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  if (chdir(subject.directory.c_str()) == 0) execv(subject.path.c_str(), words.data());
  dprintf(STDERR_FILENO, "heddle: cannot start %s: %s\n", subject.path.c_str(), strerror(errno));
  _exit(exit_code::refused);
}

}  // namespace

namespace {

std::string absolute_path(const std::string& schedule) {
  return std::filesystem::absolute(schedule).lexically_normal().string();
}

}  // namespace

int replay_check(const Subject& subject, const Options& options, const std::string& schedule) {
  std::string path = absolute_path(schedule);
  std::string text = option_text(options);
  int done[2];
  if (pipe2(done, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  done[1] = out_of_the_way(done[1]);
  pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) become(subject, path, text, done[1]);
  close(done[1]);
  signal(SIGINT, SIG_IGN);  // the test process gets it too, and answers it
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  signal(SIGINT, SIG_DFL);
  fcntl(done[0], F_SETFL, O_NONBLOCK);
  char byte;
  bool reached = read(done[0], &byte, 1) == 1;
  close(done[0]);
  if (reached && WIFEXITED(status)) return WEXITSTATUS(status);
  std::string end = pool::describe_end(status);
  if (reached) throw UserError(fmt::format("{}: {} during the replay", subject.path, end));
  throw UserError(fmt::format(
      "{}: {} without coming to the heddle::check of this schedule (call {} of the process)",
      subject.path, end, subject.check.value_or(1)));
}

int debug_check(const DebuggerCommand& command, const Subject& subject, const Options& options,
                const std::string& schedule, const DebuggerFiles& files) {
  for (int fd : {files.region, files.story}) fcntl(fd, F_SETFD, 0);
  setenv(kDebuggerVariable, fmt::format("{},{}", files.region, files.story).c_str(), 1);
  int code = replay_check(subject, options, schedule);
  struct stat story;
  if (fstat(files.story, &story) != 0 || story.st_size == 0) return code;
  unsetenv(kDebuggerVariable);
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  environment.push_back(fmt::format("{}={}", kScheduleVariable, absolute_path(schedule)));
  environment.push_back(fmt::format("{}={}", kDebuggerVariable, files.region));
  start_gdb(command, subject, std::move(environment), files);
}

std::optional<CheckReplay> requested_check_replay() {
  const char* schedule = getenv(kScheduleVariable);
  const char* options = getenv(kOptionsVariable);
  const char* done = getenv(kDoneVariable);
  if (schedule == nullptr || *schedule == '\0') return std::nullopt;
  CheckReplay request{schedule, options != nullptr ? options : "",
                      done != nullptr ? atoi(done) : -1, -1, -1};
  if (const char* debugger = getenv(kDebuggerVariable)) {
    const char* comma = strchr(debugger, ',');
    request.region_fd = atoi(debugger);
    if (comma != nullptr) request.story_fd = atoi(comma + 1);
  }
  return request;
}

}  // namespace heddle::session
