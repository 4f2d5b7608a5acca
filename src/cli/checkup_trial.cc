// The part of heddle doctor that tries Heddle: each compiler builds a small test with a bug, and
// heddle run must find it.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "base/scratch_folder.h"
#include "cli/checkup.h"
#include "session/program.h"

namespace heddle::cli {

namespace {

using Grade = Finding::Grade;
namespace fs = std::filesystem;

constexpr const char* kTest =
    "#include <assert.h>\n"
    "#include <pthread.h>\n"
    "#include <stdatomic.h>\n"
    "static atomic_int counter;\n"
    "static void* increase(void* unused) { atomic_store(&counter, atomic_load(&counter) + 1); "
    "return unused; }\n"
    "int main() {\n"
    "  pthread_t other;\n"
    "  pthread_create(&other, 0, increase, 0);\n"
    "  increase(0);\n"
    "  pthread_join(other, 0);\n"
    "  assert(counter == 2);\n"
    "}\n";

struct CompilerKind {
  const char* words;  // "GCC"
  const char* c;      // what is tried: the test is C, so that it is built fast
  const char* cxx;    // what most people need
  int oldest;         // that Heddle is tested with
  const char* package;
};
constexpr CompilerKind kCompilers[] = {{"GCC", "gcc", "g++", 12, "g++"},
                                       {"Clang", "clang", "clang++", 14, "clang"}};

std::string last_line(const std::string& output) {
  size_t end = output.find_last_not_of('\n');
  if (end == output.npos) return "no output";
  size_t begin = output.rfind('\n', end);
  return output.substr(begin == output.npos ? 0 : begin + 1,
                       end - (begin == output.npos ? 0 : begin + 1) + 1);
}

// Empty if heddle-cc, with this compiler, and heddle run do as they should.
std::string trial(const std::string& compiler, const ScratchFolder& folder) {
  std::error_code error;
  fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::ofstream(folder.path() + "/test.c") << kTest;
  CommandResult built =
      run_command({(bin / "heddle-cc").string(), "-g", "-O1", "test.c", "-o", "test"},
                  folder.path(), {"HEDDLE_CC=" + compiler});
  if (built.exit != 0) return fmt::format("heddle-cc failed: {}", last_line(built.output));
  CommandResult found =
      run_command({(bin / "heddle").string(), "run", "--explain", "off", "./test"}, folder.path());
  if (found.exit != 1) return fmt::format("heddle run failed: {}", last_line(found.output));
  return "";
}

Finding check_compiler(const CompilerKind& kind, const ScratchFolder& folder) {
  std::string path = session::find_on_path(kind.c);
  if (path.empty()) {
    return {kind.words, Grade::warning, fmt::format("{} is not on the PATH", kind.c),
            fmt::format("on Debian, type: apt-get install {}", kind.package)};
  }
  std::string version = run_command({path, "-dumpversion"}, "/").output;
  version = version.substr(0, version.find('\n'));
  Finding finding{kind.words, Grade::ok, fmt::format("{} {}", kind.c, version), ""};
  if (std::string wrong = trial(path, folder); !wrong.empty()) {
    finding.grade = Grade::problem;
    finding.found += "; " + wrong;
    finding.advice = "look at what stands above; else report it, with the output of heddle doctor";
    return finding;
  }
  finding.found += "; found the bug of a small test";
  if (session::find_on_path(kind.cxx).empty()) {
    finding.grade = Grade::warning;
    finding.found += fmt::format(", but there is no {}", kind.cxx);
    finding.advice =
        fmt::format("needed for C++; on Debian, type: apt-get install {}", kind.package);
  } else if (atoi(version.c_str()) < kind.oldest) {
    finding.grade = Grade::warning;
    finding.advice = fmt::format("Heddle is tested with {} {} and later", kind.words, kind.oldest);
  }
  return finding;
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& command, const std::string& directory,
                          const std::vector<std::string>& variables) {
  CommandResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  std::vector<char*> words, environment;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (const std::string& entry : variables)
    environment.push_back(const_cast<char*>(entry.c_str()));
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  int failed = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char buffer[4096];
  for (ssize_t n; failed == 0 && (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    result.output.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  if (failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
    result.exit = WEXITSTATUS(status);
  return result;
}

void try_compilers(std::vector<Finding>* findings) {
  std::optional<ScratchFolder> folder;
  try {
    folder.emplace("heddle-doctor");
  } catch (const std::system_error& error) {
    findings->push_back({"compilers", Grade::problem,
                         fmt::format("no temporary folder can be made: {}", error.what()),
                         "set TMPDIR to a folder that can be written"});
    return;
  }
  bool any = false;
  size_t first = findings->size();
  for (const CompilerKind& kind : kCompilers) {
    findings->push_back(check_compiler(kind, *folder));
    any |= !session::find_on_path(kind.c).empty();
  }
  if (!any) (*findings)[first].grade = Grade::problem;
}

}  // namespace heddle::cli
