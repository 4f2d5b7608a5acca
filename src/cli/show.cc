// heddle show: what a search has found, from the trace beside the schedule. Executes nothing, and
// needs neither the program nor its source.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/failure_text.h"
#include "report/html.h"
#include "report/script_text.h"
#include "report/style.h"
#include "session/output.h"
#include "trace/schedule_file.h"
#include "trace/trace_file.h"
#include "trace/turns.h"

namespace heddle::cli {

namespace {

// From the trace beside `path`, which is that of the schedule; or from the trace itself.
trace::TraceFile finding_of(const std::string& path) {
  bool is_trace = trace::is_trace_path(path);
  std::string schedule = is_trace ? trace::schedule_beside(path) : path;
  std::string trace = is_trace ? path : trace::trace_beside(path);
  std::optional<trace::ScheduleFile> file;
  if (!is_trace || std::filesystem::exists(schedule)) file = trace::read_schedule_file(schedule);
  trace::TraceFile found = trace::read_trace_file(trace, schedule);
  trace::Finding& finding = found.finding;
  if (file && (file->sequence != finding.sequence || file->steps != finding.steps)) {
    throw UserError(
        fmt::format("{} is not the trace of {}; to see the failure again, type: heddle replay {}",
                    trace, schedule, schedule));
  }
  finding.schedule_file = schedule;  // where it is now
  return found;
}

std::string text_of(const trace::Finding& finding, const report::View& view) {
  std::string text = report::failure_text(finding, "", false, view);
  if (std::filesystem::exists(finding.schedule_file)) return text;
  return text + fmt::format("note: {} is gone: the failure can be shown, not replayed\n",
                            finding.schedule_file);
}

// Without a trace: what stands in the schedule itself, which may be somebody else's.
std::string schedule_text(const trace::ScheduleFile& file, const std::string& path) {
  using report::printable;
  std::string text = fmt::format("schedule of {}{}{}\n", printable(file.failure),
                                 file.location.empty() ? "" : " at ", printable(file.location));
  std::string command = report::shell_word(file.program);
  for (const std::string& word : file.arguments) command += " " + report::shell_word(word);
  text += fmt::format("  program    {}\n  directory  {}\n", command,
                      report::shell_word(file.directory));
  if (file.check) text += fmt::format("  check      call {} of the process\n", *file.check);
  for (const auto& [name, value] : file.options) {
    text += fmt::format("  option     {} {}\n", printable(name), printable(value));
  }
  text += fmt::format("  steps      {}\n", report::grouped(file.steps));
  if (file.decisions.empty()) text += "  decisions  none: the default behaviour leads there\n";
  for (const trace::NamedDecision& decision : file.decisions) {
    text += fmt::format("  step {:<6} option {}, thread {}\n", decision.step, decision.choice,
                        printable(decision.thread));
  }
  return text + fmt::format(
                    "\nThere is no trace beside it: what each step does is seen when it is run.\n"
                    "  heddle replay {}\n",
                    report::shell_word(path));
}

// Its options are those that are not as they are by default. Places that race are found again.
report::ScriptTest test_of(const std::string& schedule) {
  report::ScriptTest test;
  if (!std::filesystem::exists(schedule)) return test;
  trace::ScheduleFile file = trace::read_schedule_file(schedule);
  auto usual = options::execution_options({});
  for (const auto& option : file.options) {
    bool is_usual = std::ranges::find(usual, option) != usual.end();
    bool can_be_set = options::is_recorded(option.first) && option.first != "racing";
    if (option.first == "name") test.name = option.second;
    if (!is_usual && can_be_set) test.options.push_back(option);
  }
  test.arguments = file.arguments;
  test.is_check = file.check.has_value();
  return test;
}

std::string script_of(const trace::TraceFile& found) {
  if (found.steps.empty()) {
    throw UserError("the steps of this failure are not known: there is no script of it");
  }
  if (found.finding.turns.empty()) {
    throw UserError(fmt::format(
        "the threads take more than {} turns until this failure: too many for a script; look for "
        "a shorter one, for example with heddle run --preemptions 2",
        trace::kMaxTurns));
  }
  return report::script_text(found, test_of(found.finding.schedule_file));
}

// The program and its arguments, if the schedule is still there.
std::vector<std::string> program_of(const std::string& schedule) {
  if (!std::filesystem::exists(schedule)) return {};
  trace::ScheduleFile file = trace::read_schedule_file(schedule);
  std::vector<std::string> program = {file.program};
  program.insert(program.end(), file.arguments.begin(), file.arguments.end());
  return program;
}

// With - to standard output; else says where it is.
void write_page(const session::Options& options, const trace::TraceFile& found) {
  std::string page = report::html_page(found, program_of(found.finding.schedule_file));
  if (options.html == "-") return session::print_report(options, page);
  session::write_file("html", options.html, page);
  session::print_report(options, fmt::format("wrote {}: open it in a browser\n", options.html));
}

}  // namespace

int show(const Words& words) {
  Arguments arguments = parse(options::kShow, false, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kShow));
    return 0;
  }
  const std::string& path = only_schedule(arguments, "show");
  session::Options options;
  arguments.apply(&options);
  bool wants_text = !options.script && options.html.empty();
  if (wants_text && !trace::is_trace_path(path) &&
      !std::filesystem::exists(trace::trace_beside(path))) {
    session::print_report(options, schedule_text(trace::read_schedule_file(path), path));
    return 0;
  }
  trace::TraceFile found = finding_of(path);
  if (options.script) {
    session::print_report(options, script_of(found));
    return 0;
  }
  if (!options.html.empty()) {
    write_page(options, found);
    return 0;
  }
  session::print_report(options, text_of(found.finding, session::report_view(options)));
  return 0;
}

}  // namespace heddle::cli
