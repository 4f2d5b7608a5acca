// heddle guide: whether the warnings of other tools come true.
#include <fmt/format.h>

#include "base/error.h"
#include "base/exit_code.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/guidance.h"
#include "session/guidance.h"
#include "session/interrupt.h"
#include "session/output.h"
#include "warnings/read.h"

namespace heddle::cli {

namespace {

// Of each order of places, if no budget is given.
constexpr uint64_t kExecutions = 1000;
constexpr double kSeconds = 10;

void refuse_strategy(const Arguments& arguments) {
  for (const options::GivenOption& given : arguments.options) {
    std::string name = given.record->name;
    if (name == "strategy" || name == "reduce" || name == "order") {
      throw UserError(
          fmt::format("heddle guide searches by --strategy guide alone: leave out --{}", name));
    }
  }
}

// Of a report without one whole warning nothing was looked at: that is no good news.
void refuse_broken(const warnings::Reading& reading, const std::string& name) {
  if (!reading.warnings.empty()) return;
  for (const std::string& unread : reading.unread) {
    if (unread.find("breaks off") == unread.npos) continue;
    throw UserError(
        fmt::format("{}: {}, and there is no whole one; let {} write it again, to its end", name,
                    unread, reading.format));
  }
}

}  // namespace

int guide(const Words& words) {
  Arguments arguments = parse(options::kGuide, true, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kGuide));
    return 0;
  }
  refuse_strategy(arguments);
  session::Options options;
  arguments.apply(&options);
  if (options.from.empty()) {
    throw UserError(
        "heddle guide needs a report of another tool; type e.g. heddle guide --from "
        "tsan.txt ./program, or name the places: heddle run --through");
  }
  options.strategy = "guide";
  if (!options.executions && !options.seconds) {
    options.executions = kExecutions;
    options.seconds = kSeconds;
  }
  warnings::Reading reading = warnings::read_report(options.from);
  refuse_broken(reading, options.from);
  options.through = {"-"};  // of each warning its own
  session::Subject subject = subject_to_search("guide", arguments, &options);
  session::check_output("sarif", options.sarif);

  session::Interrupt interrupt;
  report::Guidance all = session::guide(subject, options, reading);
  if (!options.quiet) {
    session::print_report(options, report::guidance_text(all, session::report_view(options).color));
  }
  session::write_json(options, [&] { return report::guidance_json(all); });
  if (!options.sarif.empty()) {
    session::write_output("sarif", options.sarif, warnings::sarif(all.judged, all.unread));
  }
  return report::guidance_exit_code(all);
}

}  // namespace heddle::cli
