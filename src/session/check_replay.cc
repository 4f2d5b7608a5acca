#include "session/check_replay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
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

namespace heddle::session {

namespace {

constexpr char kScheduleVariable[] = "HEDDLE_REPLAY";
constexpr char kOptionsVariable[] = "HEDDLE_REPLAY_OPTIONS";
constexpr char kDoneVariable[] = "HEDDLE_REPLAY_DONE";

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

int replay_check(const Subject& subject, const Options& options, const std::string& schedule) {
  std::string path = std::filesystem::absolute(schedule).lexically_normal().string();
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

std::optional<CheckReplay> requested_check_replay() {
  const char* schedule = getenv(kScheduleVariable);
  const char* options = getenv(kOptionsVariable);
  const char* done = getenv(kDoneVariable);
  if (schedule == nullptr || *schedule == '\0') return std::nullopt;
  return CheckReplay{schedule, options != nullptr ? options : "",
                     done != nullptr ? atoi(done) : -1};
}

}  // namespace heddle::session
