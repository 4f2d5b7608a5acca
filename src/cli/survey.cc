#include "cli/survey.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/arguments.h"
#include "session/interrupt.h"
#include "session/output.h"

namespace heddle::cli {

int run_survey(const SurveyVerb& verb, const Words& words) {
  Arguments arguments = parse(verb.verb, true, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(verb.verb));
    return 0;
  }
  session::Options options;
  options.keep_going = true;
  options.races = wire::Races::explore;
  options.usual_executions = verb.executions;
  options.labels = true;
  arguments.apply(&options);
  session::Subject subject = subject_to_search(verb.name, arguments, &options);

  session::Interrupt interrupt;
  report::YieldReport report = session::survey(subject, options, verb.sight);
  const report::Summary& summary = report.summary;
  bool gave_up = summary.unrepeatable.has_value() || !summary.unsupported.empty();
  if (!options.quiet) {
    report::View view = session::report_view(options);
    session::print_report(options, gave_up ? report::text(summary, view) : verb.text(report));
  } else if (!summary.unsupported.empty()) {
    throw UserError(report::unsupported_line(summary));
  }
  session::write_json(options, [&] { return verb.json(report); });
  return verb.exit_code(report);
}

}  // namespace heddle::cli
