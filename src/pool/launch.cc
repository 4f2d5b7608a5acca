#include "pool/launch.h"

#include <alloca.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

namespace heddle::pool {

namespace {

constexpr size_t kPreloadLength = sizeof wire::kPreloadVariable - 1;
constexpr int kCannotExecute = 126;  // as shells say it

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void keep_open(int fd) { fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) & ~FD_CLOEXEC); }

void use_no_input() {
  int null = open("/dev/null", O_RDONLY);
  if (null > 0) {
    dup2(null, STDIN_FILENO);
    close(null);
  }
}

void enter_child(pid_t engine) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != engine) _exit(kCannotExecute);  // the engine died before the line above
  fix_addresses();
  use_no_input();
}

// What stays open in a fork that is not executed: in order, as it is not to allocate there.
std::vector<int> kept_descriptors(const Launch& launch, const SharedRegion& region) {
  std::vector<int> kept = launch.descriptors;
  kept.insert(kept.end(), {STDIN_FILENO, region.fd(), region.capture_fd()});
  std::sort(kept.begin(), kept.end());
  return kept;
}

void close_all_but(const std::vector<int>& kept) {
  unsigned next = 0;
  for (int fd : kept) {
    auto number = static_cast<unsigned>(fd);
    if (next < number) close_range(next, number - 1, 0);
    next = number + 1;
  }
  close_range(next, ~0u, 0);
}

[[noreturn]] __attribute__((noinline)) void serve(const Launch& launch, int region_fd) {
  char* here = static_cast<char*>(__builtin_frame_address(0));
  if (launch.stack != nullptr && launch.stack < here) {
    volatile char* padding = static_cast<char*>(alloca(static_cast<size_t>(here - launch.stack)));
    padding[0] = 0;
  }
  launch.serve(region_fd, launch.test, launch.argument);
  _exit(kCannotExecute);
}

[[noreturn]] void fail_in_child(const char* what, const char* name) {
  dprintf(STDERR_FILENO, "heddle: %s %s: %s\n", what, name, strerror(errno));
  _exit(kCannotExecute);
}

std::set<pid_t> g_nurseries;  // that live
std::set<pid_t> g_before;     // children that were here before the first: of who has executed us
bool g_adopts;

std::set<pid_t> children() {
  std::set<pid_t> found;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child; list >> child;) found.insert(child);
  }
  return found;
}

void adopt() {
  if (g_adopts || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return;
  g_adopts = true;
  g_before = children();
}

}  // namespace

void forget_nursery(pid_t nursery) {
  g_nurseries.erase(nursery);
  if (!g_adopts || !g_nurseries.empty()) return;
  // Whoever is left has children of its own, perhaps.
  for (int round = 0; round < 100; ++round) {
    bool found = false;
    for (pid_t child : children()) {
      if (g_before.contains(child)) continue;
      found = true;
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    if (!found) return;
  }
}

// All symbols are bound at once so that the first call of a function is no different from the later
// ones.
std::vector<std::string> environment_of(int region_fd, const std::string& preload) {
  const std::string variable = fmt::format("{}=", wire::kRegionVariable);
  std::vector<std::string> environment;
  std::string others;  // that the user wants loaded first
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (strncmp(*entry, variable.c_str(), variable.size()) == 0) continue;
    if (strncmp(*entry, "LD_BIND_NOW=", 12) == 0) continue;
    if (!preload.empty() && strncmp(*entry, wire::kPreloadVariable, kPreloadLength) == 0) {
      others = *entry + kPreloadLength;
      continue;
    }
    environment.emplace_back(*entry);
  }
  environment.push_back(variable + std::to_string(region_fd));
  environment.emplace_back("LD_BIND_NOW=1");
  if (!preload.empty()) {
    environment.push_back(wire::kPreloadVariable + preload + (others.empty() ? "" : ":" + others));
  }
  return environment;
}

void become_debugged(const Launch& launch, int region_fd) {
  use_no_input();
  serve(launch, region_fd);
}

pid_t start_nursery(const Launch& launch, const SharedRegion& region) {
  std::vector<std::string> environment = environment_of(region.fd(), launch.preload);
  std::vector<std::string> command = launch.command;
  std::vector<char*> environment_pointers = pointers_to(environment);
  std::vector<char*> command_pointers = pointers_to(command);
  std::vector<int> kept = kept_descriptors(launch, region);
  pid_t engine = getpid();
  pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid > 0) {
    setpgid(pid, pid);  // whoever comes first
    g_nurseries.insert(pid);
    if (launch.serve == nullptr) adopt();
    return pid;
  }
  enter_child(engine);
  if (launch.in_child != nullptr) launch.in_child();
  if (launch.serve != nullptr) {
    close_all_but(kept);
    serve(launch, region.fd());
  }
  if (!launch.directory.empty() && chdir(launch.directory.c_str()) != 0) {
    fail_in_child("cannot enter", launch.directory.c_str());
  }
  keep_open(region.fd());
  keep_open(region.capture_fd());
  execve(launch.path.c_str(), command_pointers.data(), environment_pointers.data());
  fail_in_child("cannot execute", launch.path.c_str());
}

void fix_addresses() {
  const char* randomise = getenv("HEDDLE_ASLR");
  if (randomise != nullptr && strcmp(randomise, "1") == 0) return;
  int persona = personality(0xffffffff);
  if (persona >= 0) personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE);
}

std::string describe_end(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    int signal = WTERMSIG(wait_status);
    const char* name = sigabbrev_np(signal);
    if (name == nullptr) return fmt::format("killed by signal {}", signal);
    return fmt::format("killed by signal {} (SIG{})", signal, name);
  }
  return fmt::format("ended with status {}", WEXITSTATUS(wait_status));
}

}  // namespace heddle::pool
