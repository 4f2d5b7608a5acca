// heddle compare: which strategy suits a program.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/comparison.h"
#include "session/comparison.h"
#include "session/interrupt.h"
#include "session/output.h"

namespace heddle::cli {

namespace {

// Of each run, if no budget is given.
constexpr uint64_t kExecutions = 10'000;
constexpr double kSeconds = 10;

constexpr auto kBudgets = std::to_array<std::string_view>({"executions", "seconds"});
// Not for the run that is to be typed: it has its own.
constexpr auto kOwn = std::to_array<std::string_view>({"seed", "json", "quiet"});

// What was typed, for a `heddle run`.
void tell_options(const Arguments& arguments, report::Comparison* comparison) {
  for (const options::GivenOption& given : arguments.options) {
    std::string_view name = given.record->name;
    if ((given.record->verbs & options::kRun) == 0) continue;
    if (std::ranges::find(kOwn, name) != kOwn.end()) continue;
    bool is_budget = std::ranges::find(kBudgets, name) != kBudgets.end();
    std::vector<std::string>& words = is_budget ? comparison->budget : comparison->options;
    if (given.record->metavar != nullptr) {
      words.push_back(fmt::format("--{}", name));
      words.push_back(given.value);
    } else {
      words.push_back(fmt::format("--{}{}", name, given.value == "true" ? "" : "=" + given.value));
    }
  }
}

}  // namespace

int compare(const Words& words) {
  Arguments arguments = parse(options::kCompare, true, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kCompare));
    return 0;
  }
  session::Options options;
  arguments.apply(&options);
  if (!options.executions && !options.seconds) {
    options.executions = kExecutions;
    options.seconds = kSeconds;
  }
  session::Subject subject = subject_to_search("compare", arguments, &options);
  if (!options.plot.empty()) session::check_file("plot", options.plot);

  session::Interrupt interrupt;
  report::Comparison comparison = session::compare(subject, options);
  tell_options(arguments, &comparison);
  if (!options.quiet) {
    bool color = session::report_view(options).color;
    session::print_report(options, report::comparison_text(comparison, color));
  } else if (comparison.gave_up && !comparison.gave_up->unsupported.empty()) {
    throw UserError(report::unsupported_line(*comparison.gave_up));
  }
  session::write_json(options, [&] { return report::comparison_json(comparison); });
  if (!options.plot.empty()) {
    bool is_page = options.plot.ends_with(".html");
    session::write_file(
        "plot", options.plot,
        is_page ? report::comparison_html(comparison) : report::comparison_svg(comparison));
  }
  return report::comparison_exit_code(comparison);
}

}  // namespace heddle::cli
