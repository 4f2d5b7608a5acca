// heddle run: find a failing schedule, or cover them all.
#include <fmt/format.h>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/summary.h"
#include "session/interrupt.h"
#include "session/output.h"
#include "session/run_search.h"

namespace heddle::cli {

int run(const Words& words) {
  Arguments arguments = parse(options::kRun, true, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kRun));
    return 0;
  }
  session::Options options;
  arguments.apply(&options);
  session::Subject subject = subject_to_search("run", arguments, &options);

  session::Interrupt interrupt;
  report::Summary summary = session::run_search(subject, options);
  if (!options.quiet) {
    session::print_report(options, report::text(summary, session::report_view(options)));
  } else if (!summary.unsupported.empty()) {
    throw UserError(report::unsupported_line(summary));
  }
  session::write_json(options, [&] { return report::json(summary, options.trace); });
  return report::exit_code(summary);
}

}  // namespace heddle::cli
