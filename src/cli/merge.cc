// heddle merge: one report of all parts of a search.
#include "session/merge.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/style.h"
#include "session/ci_output.h"
#include "session/output.h"

namespace heddle::cli {

int merge(const Words& words) {
  Arguments arguments = parse(options::kMerge, false, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kMerge));
    return 0;
  }
  session::Options options;
  arguments.apply(&options);
  if (arguments.rest.empty()) {
    throw UserError(
        "no parts given; type e.g. heddle merge heddle-out/*.part, when heddle run --shard has "
        "made "
        "them");
  }
  check_output(options);
  session::check_ci_files(options);
  std::string began = session::timestamp();
  report::Summary summary = session::merge(arguments.rest, options);
  if (!options.quiet) {
    session::print_report(options, report::text(summary, session::report_view(options)));
  }
  session::write_json(options, [&] { return report::json(summary, options.trace); });
  std::string command;
  for (const std::string& word : summary.program) {
    command += (command.empty() ? "" : " ") + report::shell_word(word);
  }
  report::Tests tests = report::tests_of(summary, command);
  tests.timestamp = std::move(began);
  session::write_ci_files(options, tests);
  session::write_annotations(options, tests);
  return report::exit_code(summary);
}

}  // namespace heddle::cli
