// heddle replay: the same failure, every time.
#include "session/replay.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "pool/launch.h"
#include "report/style.h"
#include "session/check_replay.h"
#include "session/debugger.h"
#include "session/interrupt.h"
#include "session/output.h"
#include "trace/quoted.h"

namespace heddle::cli {

namespace {

// A schedule may come from anybody, and names a program with its arguments. One that was built to
// be tested, and is in the current directory or below, is run; any other only if the user has been
// told.
void want_trust(const session::Subject& subject, const trace::ScheduleFile& file,
                const session::Options& options, const std::string& schedule) {
  if (options.trust || !options.program.empty() || !session::needs_trust(subject)) return;
  std::string command = trace::quote_if_needed(subject.path);
  for (const std::string& argument : file.arguments) command += " " + trace::quote(argument);
  throw UserError(fmt::format(
      "{} would run {} in {}, which {}; if you trust it, type: heddle replay --trust {}", schedule,
      command, trace::quote_if_needed(file.directory),
      subject.launch.preload.empty() ? "is outside of the current directory"
                                     : "was not built with heddle-c++",
      report::shell_word(schedule)));
}

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
  want_trust(subject, file, options, schedule);
  return subject;
}

int tell(const session::Replayed& replayed, const session::Options& options) {
  if (!options.quiet) {
    session::print_report(options, session::replay_text(replayed, options));
  } else if (!replayed.summary.unsupported.empty()) {
    throw UserError(report::unsupported_line(replayed.summary));
  }
  session::write_json(options, [&] { return report::json(replayed.summary, options.trace); });
  return report::exit_code(replayed.summary);
}

// What stands behind --, which is gdb's.
Words take_behind(Arguments* arguments) {
  auto behind = arguments->rest.begin() + static_cast<ptrdiff_t>(arguments->named);
  Words words(behind, arguments->rest.end());
  arguments->rest.erase(behind, arguments->rest.end());
  return words;
}

// Returns if there is nothing to debug.
int debug(const session::DebuggerCommand& command, const session::Subject& subject,
          const session::Options& options, const trace::ScheduleFile& file,
          const std::string& path) {
  session::DebuggerFiles files;
  if (file.check.has_value()) return session::debug_check(command, subject, options, path, files);
  {
    session::Interrupt interrupt;
    session::Replayed replayed = session::replay(subject, options, file, path);
    if (!session::can_be_debugged(replayed)) return tell(replayed, options);
    session::write_debugged(replayed, subject, path, files);
  }
  session::start_gdb(command, subject, pool::environment_of(files.region, subject.launch.preload),
                     files);
}

}  // namespace

int replay(const Words& words) {
  Arguments arguments = parse(options::kReplay, false, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kReplay));
    return 0;
  }
  session::Options typed;
  arguments.apply(&typed);  // a mistake of the command line comes before one of the file
  Words for_gdb = typed.gdb ? take_behind(&arguments) : Words();
  const std::string& path = only_schedule(arguments, "replay");
  std::optional<session::DebuggerCommand> debugger;
  if (typed.gdb) debugger.emplace(typed, std::move(for_gdb));
  trace::ScheduleFile file = trace::read_schedule_file(path);
  session::Options options = session::replay_options(file, path);
  arguments.apply(&options);
  session::Subject subject = subject_for(file, options, path);
  check_output(options);
  if (debugger.has_value()) return debug(*debugger, subject, options, file, path);
  if (file.check.has_value()) return session::replay_check(subject, options, path);

  session::Interrupt interrupt;
  return tell(session::replay(subject, options, file, path), options);
}

}  // namespace heddle::cli
