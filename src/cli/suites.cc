// heddle gtest, heddle catch2, heddle doctest: each test of a program, as a search of its own.
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/verbs.h"
#include "report/tests.h"
#include "session/ci_output.h"
#include "session/interrupt.h"
#include "session/output.h"
#include "session/suite.h"

namespace heddle::cli {

namespace {

int run_suite(unsigned verb, const session::Framework& framework, const Words& words) {
  Arguments arguments = parse(verb, true, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(verb));
    return 0;
  }
  session::Options options;
  arguments.apply(&options);
  session::Program program =
      session::find_program(arguments.rest, options.uninstrumented, framework.verb());
  if (program.preload.empty()) options.uninstrumented = false;
  session::check_json_file(options);
  session::check_ci_files(options);

  session::Interrupt interrupt;
  report::View view = session::report_view(options);
  auto tell = [&](const report::Test& test) {
    report::TestVerdict verdict = report::verdict_of(test);
    bool is_news = verdict == report::TestVerdict::failed || verdict == report::TestVerdict::error;
    if (options.quiet || !is_news) return;
    session::print_report(
        options, fmt::format("{}\n\n{}\n", test.full_name(), report::text(test.summary, view)));
  };
  report::Tests tests = session::run_tests(program, options, framework, tell);
  if (!options.quiet) session::print_report(options, report::tests_text(tests, view.color));
  session::write_json(options, [&] { return report::tests_json(tests); });
  session::write_ci_files(options, tests);
  session::write_annotations(options, tests);
  return report::exit_code(tests);
}

}  // namespace

int gtest(const Words& words) {
  return run_suite(options::kGtest, session::gtest_framework(), words);
}

int catch2(const Words& words) {
  return run_suite(options::kCatch2, session::catch2_framework(), words);
}

int doctest(const Words& words) {
  return run_suite(options::kDoctest, session::doctest_framework(), words);
}

}  // namespace heddle::cli
