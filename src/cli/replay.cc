// heddle replay: the same failure, every time.
#include "session/replay.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "session/check_replay.h"
#include "session/interrupt.h"
#include "session/output.h"

namespace heddle::cli {

namespace {

session::Subject subject_for(const trace::ScheduleFile& file, const session::Options& options,
                             const std::string& schedule) {
  std::string path = options.program.empty() ? file.program : options.program;
  if (options.program.empty() && !std::filesystem::exists(path)) {
    throw UserError(
        fmt::format("{} is gone; if it is elsewhere now, type: heddle replay --program PATH {}",
                    path, schedule));
  }
  std::vector<std::string> command = {path};
  command.insert(command.end(), file.arguments.begin(), file.arguments.end());
  session::Program program = session::find_program(command, options.uninstrumented);
  std::string directory = file.directory;
  if (!std::filesystem::is_directory(directory)) {
    throw UserError(fmt::format("the directory {} in which the program ran is gone", directory));
  }
  session::Subject subject = session::subject_of(program, directory);
  subject.launch.command[0] = session::recorded_name(file, path);
  return subject;
}

}  // namespace

int replay(const Words& words) {
  Arguments arguments = parse(options::kReplay, false, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kReplay));
    return 0;
  }
  const std::string& path = only_schedule(arguments, "replay");
  session::Options typed;
  arguments.apply(&typed);  // a mistake of the command line comes before one of the file
  trace::ScheduleFile file = trace::read_schedule_file(path);
  session::Options options = session::replay_options(file, path);
  arguments.apply(&options);
  session::Subject subject = subject_for(file, options, path);
  session::check_json_file(options);
  if (file.check.has_value()) return session::replay_check(subject, options, path);

  session::Interrupt interrupt;
  session::Replayed replayed = session::replay(subject, options, file, path);
  if (!options.quiet) {
    session::print_report(options, session::replay_text(replayed, options));
  } else if (!replayed.summary.unsupported.empty()) {
    throw UserError(report::unsupported_line(replayed.summary));
  }
  session::write_json(options, [&] { return report::json(replayed.summary); });
  return report::exit_code(replayed.summary);
}

}  // namespace heddle::cli
