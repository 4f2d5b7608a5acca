#include "session/subject.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <set>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/hash.h"
#include "explore/strategies.h"
#include "session/interrupt.h"

namespace heddle::session {

bool needs_trust(const Subject& subject) {
  if (!subject.launch.preload.empty()) return true;
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path here = fs::current_path(error);
  if (error) return true;  // it was removed
  fs::path program = fs::weakly_canonical(subject.path, error);
  if (error) return true;
  fs::path from_here = program.lexically_relative(fs::weakly_canonical(here, error));
  return from_here.empty() || *from_here.begin() == "..";
}

Subject subject_of(const Program& program, const std::string& directory) {
  Subject subject;
  subject.command = program.command;
  subject.path = program.path;
  std::error_code error;
  std::string here = std::filesystem::current_path(error).string();
  if (error && directory.empty()) {
    throw UserError(fmt::format(
        "the current directory cannot be found ({}): was it removed? Type: cd", error.message()));
  }
  subject.directory = directory.empty() ? here : directory;
  subject.launch.path = program.path;
  subject.launch.command = program.command;
  subject.launch.preload = program.preload;
  subject.launch.directory = directory;
  subject.launch.in_child = Interrupt::restore_in_child;
  return subject;
}

pool::Settings settings_of(const Options& options) {
  pool::Settings settings;
  settings.workers = options.jobs;
  settings.isolation = isolation_of(options);
  settings.accesses = options.accesses;
  settings.races = options.races;
  settings.spurious = options.spurious ? 1 : 0;
  settings.last_retries = options.last_retries ? 1 : 0;
  settings.leaks = options.leaks ? 1 : 0;
  settings.labels = options.labels ? 1 : 0;
  settings.racing = options.racing;
  settings.script_places = options.script_places;
  // What runs schedules by chance does not ask what depends on what.
  settings.learns_places = explore::find_strategy(options.strategy).needs_budget ? 0 : 1;
  settings.focus = options.focus;
  settings.route = options.route;
  settings.show_output = options.show_output ? 1 : 0;
  settings.max_steps = options.max_steps;
  settings.fair = options.fair;
  settings.good_samaritan = options.good_samaritan;
  settings.livelock_after = options.livelock_after;
  settings.yield_after = options.yield_after;
  settings.spin_rounds = options.spin_rounds;
  settings.memory_bytes = uint64_t{options.heap} << 20;
  settings.hang_after = options.hang_after;
  settings.interrupt = Interrupt::flag();
  return settings;
}

namespace {

// Of a test, as a part of the name of a file. Names that look the same then are told apart.
std::string test_part(const std::string& test) {
  constexpr size_t kLongest = 100;
  std::string part;
  for (char c : test) {
    bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '.' || c == '_';
    part += fits ? c : '_';
  }
  if (part == test && part.size() <= kLongest) return part;
  return fmt::format("{}_{:08x}", part.substr(0, kLongest),
                     static_cast<uint32_t>(hash_text(test.c_str())));
}

std::string file_name(const Subject& subject) {
  std::string name = std::filesystem::path(subject.path).filename().string();
  if (!subject.test.empty()) name += "-" + test_part(subject.test);
  // File systems permit 255 bytes, and there is more to come.
  constexpr size_t kLongest = 180;
  if (name.size() > kLongest) {
    name = fmt::format("{}-{:016x}", name.substr(0, kLongest), hash_text(name.c_str()));
  }
  if (subject.check.value_or(1) > 1) name += fmt::format("-check{}", *subject.check);
  return name;
}

// A name in the kernel that one process has at a time, and that goes with it: nothing is left on
// the disk. False: another has it.
bool claim(const std::string& what) {
  static std::set<std::string> claimed;
  if (claimed.contains(what)) return true;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return true;
  fd = out_of_the_way(fd);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string name = fmt::format("heddle-{}-{:016x}", getuid(), hash_text(what.c_str()));
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 && errno == EADDRINUSE) {
    close(fd);
    return false;
  }
  claimed.insert(what);
  return true;
}

}  // namespace

std::string own_stem(const std::string& stem) {
  std::error_code ignored;
  // Of a relative path of which nothing exists yet, weakly_canonical() makes no absolute one.
  std::filesystem::path absolute = std::filesystem::absolute(stem, ignored);
  std::string whole = std::filesystem::weakly_canonical(absolute, ignored).string();
  return claim(whole) ? stem : fmt::format("{}-{}", stem, getpid());
}

namespace {

// Parts of one search may be run in one directory.
std::string shard_part(const Options& options) {
  if (!options.shard.is_on()) return "";
  return fmt::format(".{}of{}", options.shard.index, options.shard.count);
}

}  // namespace

std::string part_path(const Subject& subject, const Options& options) {
  return fmt::format("{}/{}{}{}", options.out, file_name(subject), shard_part(options),
                     kPartSuffix);
}

std::string schedule_path(const Subject& subject, const Options& options, size_t number) {
  std::string stem =
      own_stem(fmt::format("{}/{}{}", options.out, file_name(subject), shard_part(options)));
  return fmt::format("{}-{}.heddle", stem, number);
}

std::string saved_search_path(const Subject& subject, const Options& options) {
  return fmt::format("{}/{}{}{}", options.out, file_name(subject), shard_part(options),
                     kSearchSuffix);
}

void describe_subject(const Subject& subject, const Options& options, trace::ScheduleFile* file) {
  file->program = subject.path;
  file->directory = subject.directory;
  file->build_id = build_id_of(subject.path);
  file->arguments.assign(subject.command.begin() + 1, subject.command.end());
  file->options = execution_options(options);
  file->options.emplace_back(kNameOption, subject.command[0]);
  file->check = subject.check;
}

std::string recorded_name(const trace::ScheduleFile& file, const std::string& otherwise) {
  for (const auto& [name, value] : file.options) {
    if (name == kNameOption) return value;
  }
  return otherwise;
}

}  // namespace heddle::session
