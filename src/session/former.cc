#include "session/former.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "session/interrupt.h"
#include "session/replay.h"
#include "trace/schedule_file.h"

namespace heddle::session {

namespace {

namespace fs = std::filesystem;

struct Named {
  std::string path;
  bool itself;  // it was given, not found in a directory
};

std::vector<Named> schedules_in(const std::string& given) {
  std::error_code error;
  if (!fs::exists(given, error)) {
    throw UserError(fmt::format(
        "--first {}: there is no such directory or file; give one with schedules that heddle run "
        "has written",
        given));
  }
  if (!fs::is_directory(given, error)) return {{given, true}};
  std::set<std::string> paths;  // in an order that is the same everywhere
  fs::directory_iterator all(given, error);
  if (error) {
    throw UserError(fmt::format("--first {}: cannot be read: {}", given, error.message()));
  }
  for (const fs::directory_entry& entry : all) {
    if (entry.path().extension() == ".heddle") paths.insert(entry.path().string());
  }
  std::vector<Named> named;
  for (const std::string& path : paths) named.push_back({path, false});
  return named;
}

std::string base_name(const std::string& path) { return fs::path(path).filename().string(); }

// Whether it was made for this test.
bool is_of(const Subject& subject, const trace::ScheduleFile& file) {
  std::vector<std::string> arguments(subject.command.begin() + 1, subject.command.end());
  return base_name(file.program) == base_name(subject.path) &&
         file.check.has_value() == subject.check.has_value() &&
         file.check.value_or(1) == subject.check.value_or(1) && file.arguments == arguments;
}

Options options_for(const trace::ScheduleFile& file, const std::string& path,
                    const Options& given) {
  Options options = replay_options(file, path);
  options.hang_after = given.hang_after;
  options.show_output = given.show_output;
  return options;
}

class FormerRuns {
 public:
  FormerRuns(const Subject& subject, const Options& options, report::Summary* summary)
      : subject_(subject),
        options_(options),
        summary_(*summary),
        former_(summary->former.emplace(report::Summary::Former{})) {}

  void run() {
    for (const std::string& given : options_.first) {
      for (const Named& named : schedules_in(given)) {
        if (*Interrupt::flag() != 0) return;
        look_at(named);
      }
    }
    name_all(former_.unfit, "does not fit the program any more", "do not fit the program any more");
    name_all(former_.others, "is of another program or test, and was not run",
             "are of other programs or tests, and were not run");
  }

 private:
  void look_at(const Named& named) {
    trace::ScheduleFile file = trace::read_schedule_file(named.path);
    if (!named.itself && !is_of(subject_, file)) {
      former_.others.push_back(named.path);
      return;
    }
    Replayed replayed = replay(subject_, options_for(file, named.path, options_), file, named.path);
    const report::Summary& one = replayed.summary;
    if (one.executions == 0) return;  // interrupted
    count(one);
    if (!one.findings.empty()) {
      ++former_.failed;
      tell(one.findings.front());
    } else if (replayed.fits && one.unsupported.empty()) {
      ++former_.passed;
    } else {
      former_.unfit.push_back(named.path);
    }
  }

  void count(const report::Summary& one) {
    summary_.steps += one.steps;
    summary_.threads = std::max(summary_.threads, one.threads);
    summary_.max_steps = std::max(summary_.max_steps, one.max_steps);
    summary_.failing_executions += one.failing_executions;
    summary_.seconds += one.seconds;
  }

  void tell(const trace::Finding& found) {
    auto is_same = [&](const trace::Finding& other) { return other.key == found.key; };
    if (std::ranges::any_of(summary_.findings, is_same)) return;
    summary_.findings.push_back(found);
    summary_.findings.back().execution = former_.executions();
    summary_.findings.back().stage = "a former failure";
  }

  void name_all(const std::vector<std::string>& paths, const char* one, const char* several) {
    if (paths.empty()) return;
    summary_.notes.push_back(
        fmt::format("{} {}", fmt::join(paths, ", "), paths.size() == 1 ? one : several));
  }

  const Subject& subject_;
  const Options& options_;
  report::Summary& summary_;
  report::Summary::Former& former_;
};

}  // namespace

void run_former(const Subject& subject, const Options& options, report::Summary* summary) {
  FormerRuns(subject, options, summary).run();
}

}  // namespace heddle::session
