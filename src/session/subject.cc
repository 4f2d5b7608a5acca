#include "session/subject.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/hash.h"
#include "explore/strategies.h"
#include "session/interrupt.h"

namespace heddle::session {

Subject subject_of(const Program& program, const std::string& directory) {
  Subject subject;
  subject.command = program.command;
  subject.path = program.path;
  subject.directory = directory.empty() ? std::filesystem::current_path().string() : directory;
  subject.launch.path = program.path;
  subject.launch.command = program.command;
  subject.launch.preload = program.preload;
  subject.launch.directory = directory;
  return subject;
}

pool::Settings settings_of(const Options& options) {
  pool::Settings settings;
  settings.workers = options.jobs;
  settings.isolation = isolation_of(options);
  settings.accesses = options.accesses;
  settings.races = options.races;
  settings.spurious = options.spurious ? 1 : 0;
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
  if (subject.check.value_or(1) > 1) name += fmt::format("-check{}", *subject.check);
  return name;
}

}  // namespace

std::string schedule_path(const Subject& subject, const Options& options, size_t number) {
  return fmt::format("{}/{}-{}.heddle", options.out, file_name(subject), number);
}

std::string saved_search_path(const Subject& subject, const Options& options) {
  return fmt::format("{}/{}.search", options.out, file_name(subject));
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
