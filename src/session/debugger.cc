#include "session/debugger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/exit_code.h"
#include "pool/debugged.h"
#include "pool/launch.h"
#include "session/story.h"

namespace heddle::session {

namespace {

namespace fs = std::filesystem;

// What gdb finds in its environment: where heddle_gdb.py is; for that, numbers of descriptors, and
// the path of this command.
constexpr char kFolderVariable[] = "HEDDLE_GDB_FOLDER";
constexpr char kStoryVariable[] = "HEDDLE_GDB_STORY";
constexpr char kLaunchVariable[] = "HEDDLE_GDB_LAUNCH";
constexpr char kCommandVariable[] = "HEDDLE_GDB_COMMAND";
constexpr char kImport[] =
    "python import os, sys; sys.path.insert(0, os.environ.pop('HEDDLE_GDB_FOLDER')); "
    "sys.dont_write_bytecode = True; import heddle_gdb";

int memory_file(const char* name) {
  int fd = memfd_create(name, 0);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  return out_of_the_way(fd);
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw std::system_error(errno, std::generic_category(), "write");
    text.remove_prefix(static_cast<size_t>(written));
  }
}

std::string read_all(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) return {};
  std::string text(static_cast<size_t>(status.st_size), '\0');
  ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

void keep_open(int fd) { fcntl(fd, F_SETFD, 0); }

fs::path own_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Path, directory, number of arguments, arguments, environment; each with its end.
std::string launch_text(const Subject& subject, const std::vector<std::string>& environment) {
  std::vector<std::string> words = {subject.path, subject.directory,
                                    std::to_string(subject.launch.command.size())};
  words.insert(words.end(), subject.launch.command.begin(), subject.launch.command.end());
  words.insert(words.end(), environment.begin(), environment.end());
  std::string text;
  for (const std::string& word : words) text += word + '\0';
  return text;
}

}  // namespace

DebuggerFiles::DebuggerFiles()
    : region(memory_file("heddle")),
      story(memory_file("heddle-story")),
      launch(memory_file("heddle-launch")) {}

DebuggerCommand::DebuggerCommand(const Options& options, std::vector<std::string> given)
    : arguments(std::move(given)) {
  if (options.times > 1) throw UserError("--gdb runs a schedule once; leave out --times");
  if (!options.json.empty()) {
    throw UserError("--gdb writes no JSON; leave out --json, or replay without --gdb");
  }
  gdb = find_on_path("gdb");
  if (gdb.empty()) {
    throw UserError(
        "--gdb needs gdb, which is not on the PATH; on Debian, type: apt-get install gdb");
  }
  folder = own_path().parent_path().parent_path() / "share" / "heddle";
  if (access((folder / "heddle_gdb.py").c_str(), R_OK) != 0) {
    throw UserError(
        fmt::format("{} is not there; --gdb needs it", (folder / "heddle_gdb.py").string()));
  }
  if (arguments.empty() && isatty(STDIN_FILENO) == 0) {
    throw UserError(
        "--gdb needs a terminal, or commands for gdb: heddle replay --gdb FILE -- -batch -ex "
        "'heddle failure' -ex 'thread apply all backtrace'");
  }
}

bool can_be_debugged(const Replayed& replayed) {
  const report::Summary& summary = replayed.summary;
  return replayed.examined.has_value() && replayed.examined->finding.has_value() &&
         !summary.unrepeatable.has_value() && summary.unsupported.empty() && !summary.interrupted;
}

void write_debugged(const Replayed& replayed, const Subject& subject, const std::string& path,
                    const DebuggerFiles& files) {
  pool::Settings settings = settings_of(replayed.options);
  pool::write_debugged_region(settings, subject.launch, replayed.rerun, replayed.rerun.schedule,
                              files.region);
  write_all(files.story, story_of(replayed, subject.path, path));
}

void start_gdb(const DebuggerCommand& command, const Subject& subject,
               std::vector<std::string> environment, DebuggerFiles files) {
  write_all(files.launch, launch_text(subject, environment));
  for (int fd : {files.region, files.story, files.launch}) keep_open(fd);
  setenv(kFolderVariable, command.folder.c_str(), 1);
  setenv(kStoryVariable, std::to_string(files.story).c_str(), 1);
  setenv(kLaunchVariable, std::to_string(files.launch).c_str(), 1);
  setenv(kCommandVariable, own_path().c_str(), 1);
  std::vector<std::string> words = {"gdb", "-q", "-ex", kImport};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  execv(command.gdb.c_str(), pointers_to(words).data());
  throw UserError(fmt::format("cannot start {}: {}", command.gdb, strerror(errno)));
}

void start_debugged(const std::vector<std::string>& words) {
  int fd = words.empty() ? -1 : atoi(words[0].c_str());
  std::string text = read_all(fd);
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    parts.emplace_back(text.c_str() + begin);
    begin += parts.back().size() + 1;
  }
  size_t count = parts.size() > 3 ? strtoul(parts[2].c_str(), nullptr, 10) : 0;
  if (count == 0 || parts.size() < 3 + count) {
    throw UserError(
        fmt::format("{} is for gdb alone; type: heddle replay --gdb FILE", kStartDebugged));
  }
  auto first = parts.begin() + 3;
  std::vector<std::string> arguments(first, first + static_cast<ptrdiff_t>(count));
  std::vector<std::string> environment(first + static_cast<ptrdiff_t>(count), parts.end());
  close(fd);
  if (const char* story = getenv(kStoryVariable)) close(atoi(story));
  pool::fix_addresses();
  int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  close(null);
  if (chdir(parts[1].c_str()) == 0) {
    execve(parts[0].c_str(), pointers_to(arguments).data(), pointers_to(environment).data());
  }
  throw UserError(fmt::format("cannot start {}: {}", parts[0], strerror(errno)));
}

}  // namespace heddle::session
