// heddle run: find a failing schedule, or cover them all.
#include <fmt/format.h>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "machines/coordinator.h"
#include "report/style.h"
#include "report/summary.h"
#include "session/ci_output.h"
#include "session/interrupt.h"
#include "session/output.h"
#include "session/run_search.h"

namespace heddle::cli {

namespace {

// As it was typed.
std::string command_text(const Words& command) {
  std::string text;
  for (const std::string& word : command) {
    text += (text.empty() ? "" : " ") + report::shell_word(word);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> given(const Arguments& arguments) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const options::GivenOption& one : arguments.options) {
    all.emplace_back(one.record->name, one.value);
  }
  return all;
}

}  // namespace

int run(const Words& words) {
  Arguments arguments = parse(options::kRun, true, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kRun));
    return 0;
  }
  session::Options options;
  arguments.apply(&options);
  session::Subject subject = subject_to_search("run", arguments, &options);
  session::check_ci_files(options);
  std::string began = session::timestamp();

  session::Interrupt interrupt;
  report::Summary summary = options.on.is_given()
                                ? machines::run_on_machines(subject, options, given(arguments))
                                : session::run_search(subject, options);
  if (!options.quiet) {
    session::print_report(options, report::text(summary, session::report_view(options)));
  }
  session::write_json(options, [&] { return report::json(summary, options.trace); });
  report::Tests tests = report::tests_of(summary, command_text(subject.command));
  tests.timestamp = std::move(began);
  session::write_ci_files(options, tests);
  session::write_annotations(options, tests);
  if (options.quiet && !summary.unsupported.empty()) {
    throw UserError(report::unsupported_line(summary));
  }
  return report::exit_code(summary);
}

}  // namespace heddle::cli
