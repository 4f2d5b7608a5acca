#include "cli/checkup.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "session/program.h"
#include "session/system_limits.h"

namespace heddle::cli {

namespace {

using Grade = Finding::Grade;
namespace fs = std::filesystem;

constexpr unsigned long kFsGsBase = 2;  // bit 1 of AT_HWCAP2
// close_range, which workers use, is the youngest call that they need.
constexpr int kOldestMajor = 5, kOldestMinor = 9;
// For each of 64 workers a region and what it writes, and some more.
constexpr rlim_t kManyFiles = 256, kFewFiles = 32;

std::string first_word_of(const char* path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

Finding check_kernel() {
  utsname name{};
  uname(&name);
  Finding finding{"kernel", Grade::ok,
                  fmt::format("{} {} on {}", name.sysname, name.release, name.machine), ""};
  int major = 0, minor = 0;
  bool known = sscanf(name.release, "%d.%d", &major, &minor) == 2;
  if (strcmp(name.machine, "x86_64") != 0) {
    finding.grade = Grade::problem;
    finding.advice = "Heddle needs Linux on x86-64";
  } else if (known && (major < kOldestMajor || (major == kOldestMajor && minor < kOldestMinor))) {
    finding.grade = Grade::problem;
    finding.advice = fmt::format("Heddle needs Linux {}.{} or later", kOldestMajor, kOldestMinor);
  }
  return finding;
}

Finding check_processor() {
  if ((getauxval(AT_HWCAP2) & kFsGsBase) != 0) {
    return {"processor", Grade::ok, "threads are switched by wrfsbase (fsgsbase)", ""};
  }
  return {
      "processor", Grade::warning, "no fsgsbase: each switch of threads is a system call",
      "everything works, at a fraction of the speed; use Linux 5.9 or later without nofsgsbase, "
      "on a processor of 2012 or later"};
}

// Whether a child may switch randomisation off, as those that run the program do.
Finding check_addresses() {
  pid_t child = fork();
  if (child == 0) {
    int persona = personality(0xffffffff);
    bool done =
        persona >= 0 && personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) >= 0;
    _exit(done ? 0 : 1);
  }
  int status = 0;
  bool fixed = child > 0 && waitpid(child, &status, 0) == child && status == 0;
  if (fixed) return {"addresses", Grade::ok, "randomisation can be switched off", ""};
  return {"addresses", Grade::warning, "randomisation (ASLR) cannot be switched off here",
          "tests that use addresses as values may be called not repeatable; in a container, allow "
          "personality, e.g. docker run --security-opt seccomp=unconfined"};
}

Finding check_shared_memory() {
  int fd = memfd_create("heddle-doctor", MFD_CLOEXEC);
  int error = fd < 0 ? errno : 0;
  if (fd >= 0) {
    if (ftruncate(fd, 1 << 20) != 0) error = errno;
    void* map =
        error == 0 ? mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (error == 0 && map == MAP_FAILED) error = errno;
    if (map != MAP_FAILED) munmap(map, 1 << 20);
    close(fd);
  }
  if (error == 0) return {"shared memory", Grade::ok, "memfd_create works", ""};
  return {"shared memory", Grade::problem, fmt::format("memfd_create: {}", strerror(error)),
          "allow memfd_create in the container's seccomp profile, and give it more memory"};
}

std::string size_text(rlim_t bytes) {
  if (bytes == RLIM_INFINITY) return "no limit";
  if (bytes >= rlim_t{1} << 30) return fmt::format("{} GB", bytes >> 30);
  return fmt::format("{} KB", bytes >> 10);
}

// A program under control reserves address space for its heap, the race detector and the snapshot.
Finding check_address_space() {
  rlim_t limit = session::limit_of(RLIMIT_AS);
  if (limit != RLIM_INFINITY) {
    return {"address space", Grade::problem, fmt::format("limited to {}", size_text(limit)),
            "type: ulimit -v unlimited"};
  }
  if (first_word_of("/proc/sys/vm/overcommit_memory") == "2") {
    return {"address space", Grade::problem, "vm.overcommit_memory is 2",
            "address space is reserved, not used; as root, type: sysctl vm.overcommit_memory=0"};
  }
  return {"address space", Grade::ok, "no limit", ""};
}

Finding check_stack() {
  rlim_t limit = session::limit_of(RLIMIT_STACK);
  Finding finding{"stack", Grade::ok, size_text(limit), ""};
  if (limit < session::kSmallStack) {
    finding.grade = Grade::problem;
    finding.advice = "type: ulimit -s 8192";
  }
  return finding;
}

Finding check_files() {
  rlim_t limit = session::limit_of(RLIMIT_NOFILE);
  Finding finding{"open files", Grade::ok,
                  limit == RLIM_INFINITY ? "no limit" : fmt::format("at most {}", limit), ""};
  if (limit < kManyFiles) {
    finding.grade = limit < kFewFiles ? Grade::problem : Grade::warning;
    finding.advice = fmt::format("too few for many --jobs; type: ulimit -n {}", kManyFiles);
  }
  return finding;
}

Finding check_temporary_files() {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (error) folder = "/tmp";
  if (access(folder.c_str(), W_OK | X_OK) == 0)
    return {"temporary files", Grade::ok, folder.string(), ""};
  return {"temporary files", Grade::warning, fmt::format("{} cannot be written", folder.string()),
          "large searches keep what waits on disk; set TMPDIR to a folder that can be written"};
}

Finding check_debugger() {
  std::string gdb = session::find_on_path("gdb");
  if (gdb.empty()) {
    return {"debugger", Grade::warning, "gdb is not on the PATH",
            "needed for heddle replay --gdb alone; on Debian, type: apt-get install gdb"};
  }
  CommandResult answer =
      run_command({gdb, "-nx", "-batch", "-ex", "python print(gdb.VERSION)"}, "/");
  std::string version = answer.output.substr(0, answer.output.find('\n'));
  if (answer.exit != 0 || version.empty() || version[0] < '0' || version[0] > '9') {
    return {"debugger", Grade::warning, fmt::format("{} has no Python", gdb),
            "heddle replay --gdb needs it; on Debian, install gdb, not gdb-minimal"};
  }
  std::string scope = first_word_of("/proc/sys/kernel/yama/ptrace_scope");
  if (scope == "3" || (scope == "2" && geteuid() != 0)) {
    return {"debugger", Grade::warning,
            fmt::format("gdb {}, but kernel.yama.ptrace_scope is {}", version, scope),
            "heddle replay --gdb cannot start programs; as root, type: sysctl "
            "kernel.yama.ptrace_scope=1 (3 needs a restart)"};
  }
  return {"debugger", Grade::ok, fmt::format("gdb {}, with Python", version), ""};
}

// What is installed beside this command.
Finding check_own_files() {
  std::error_code error;
  fs::path prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  std::string missing;
  for (const char* file :
       {"bin/heddle-cc", "bin/heddle-c++", "lib/libheddle.so", "lib/libheddle-engine.so",
        "lib/heddle/gcc.specs", "lib/heddle/heddle-as", "include/heddle/heddle.h",
        "share/heddle/heddle_gdb.py"}) {
    if (!fs::exists(prefix / file, error))
      missing += (missing.empty() ? "" : ", ") + std::string(file);
  }
  std::string found = fmt::format("heddle {} in {}", HEDDLE_VERSION, prefix.string());
  if (missing.empty()) return {"installation", Grade::ok, found, ""};
  return {"installation", Grade::problem, fmt::format("{}, without {}", found, missing),
          "install Heddle again, all of it: ./dev install DIR, or its package"};
}

}  // namespace

std::vector<Finding> check_machine() {
  std::vector<Finding> findings = {
      check_kernel(),        check_processor(), check_addresses(), check_shared_memory(),
      check_address_space(), check_stack(),     check_files(),     check_temporary_files(),
      check_debugger(),      check_own_files()};
  try_compilers(&findings);
  return findings;
}

}  // namespace heddle::cli
