#include "session/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>

#include "base/error.h"
#include "session/ci_output.h"
#include "session/examiner.h"
#include "session/interrupt.h"
#include "session/run_search.h"
#include "session/subject.h"

namespace heddle::session {

namespace {

// What an execution of the test that follows the default schedule has written; it is not shown.
std::string default_output(const Subject& subject, Options options) {
  options.show_output = false;
  options.jobs = 1;
  Examiner examiner(subject.launch, settings_of(options));
  std::optional<Examined> examined = examiner.run(Rerun(), true);
  return examined ? examined->output : "";
}

class Suite {
 public:
  Suite(const Program& program, const Options& options, const Framework& framework)
      : program_(program),
        options_(options),
        framework_(framework),
        kept_(framework.arguments_of_one(arguments_of(program))),
        listed_(framework.list(program)) {
    if (listed_.empty()) {
      throw UserError(fmt::format(
          "{} has no test of {} that is to be run{}", program.command[0], framework.title(),
          program.command.size() > 1
              ? " with these arguments"
              : "; to search its main function, type: heddle run " + program.command[0]));
    }
    for (const std::string& name : framework.variables()) unsetenv(name.c_str());
  }

  report::Tests run(const TellTest& tell) {
    report::Tests tests;
    tests.framework = framework_.verb();
    tests.program = program_.command;
    tests.timestamp = timestamp();
    auto begin = std::chrono::steady_clock::now();
    for (const ListedTest& listed : listed_) {
      tests.all.push_back(run_one(listed, tests.all.size() + 1));
      tell(tests.all.back());
      if (*Interrupt::flag() != 0) {
        tests.interrupted = true;
        break;
      }
    }
    tests.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return tests;
  }

 private:
  Subject subject_for(const ListedTest& listed, const std::string& name, size_t number) const {
    Program alone = program_;
    alone.command.resize(1);
    alone.command.insert(alone.command.end(), kept_.begin(), kept_.end());
    alone.command.insert(alone.command.end(), listed.selection.begin(), listed.selection.end());
    Subject subject = subject_of(alone, "");
    subject.test = name;
    subject.label = fmt::format("test {} of {}: {}", number, listed_.size(), name);
    return subject;
  }

  report::Test run_one(const ListedTest& listed, size_t number) const {
    report::Test test;
    test.group = listed.group;
    test.name = listed.name;
    if (listed.disabled || listed.skipped) {
      test.state = listed.disabled ? report::Test::State::disabled : report::Test::State::skipped;
      return test;
    }
    Subject subject = subject_for(listed, test.full_name(), number);
    if (!listed.unsuited.empty()) {
      test.summary.program = subject.command;
      test.summary.unsupported =
          fmt::format("{} cannot run this test alone: {}", framework_.title(), listed.unsuited);
      return test;
    }
    test.summary = run_search(subject, options_);
    if (test.summary.unsupported.starts_with("fork,")) run_without_search(subject, &test);
    bool went_well = report::verdict_of(test.summary) != report::Verdict::failed &&
                     !test.summary.unrepeatable && test.summary.unsupported.empty() &&
                     !test.summary.interrupted;
    if (went_well && test.state == report::Test::State::searched) look_closer(subject, &test);
    return test;
  }

  // A death test forks, which no search can follow: it is run once, as it is.
  void run_without_search(const Subject& subject, report::Test* test) const {
    std::optional<Words> further = framework_.arguments_to_fork();
    if (!further) return;
    Words words(subject.command.begin() + 1, subject.command.end());
    words.insert(words.end(), further->begin(), further->end());
    std::string how;
    try {
      Listing ran = list_with(program_, words);
      if (ran.status != 0) how = fmt::format("ended with status {}", ran.status);
    } catch (const UserError& error) {
      how = error.what();
    }
    if (how.empty()) {
      test->state = report::Test::State::skipped;
      test->reason = "it forks, so it was run once, without a search, and passed";
      test->summary = {};
    } else {
      test->summary.unsupported += fmt::format("; run once, without a search, it {}; see {} {}",
                                               how, program_.command[0], fmt::join(words, " "));
    }
  }

  // A program that ends with 0 since it has run nothing has not passed.
  void look_closer(const Subject& subject, report::Test* test) const {
    RanTests ran = framework_.look_at(default_output(subject, options_));
    if (ran.skipped && test->summary.executions == 1) {
      test->state = report::Test::State::skipped;
      test->reason = ran.reason;
    } else if (ran.count && *ran.count != 1) {
      test->summary.complete = false;
      test->summary.unsupported =
          fmt::format("{} tests were run where {} alone was asked for: {}", *ran.count,
                      test->full_name(), fmt::join(subject.command, " "));
    }
  }

  const Program& program_;
  const Options& options_;
  const Framework& framework_;
  Words kept_;
  std::vector<ListedTest> listed_;
};

}  // namespace

report::Tests run_tests(const Program& program, const Options& options, const Framework& framework,
                        const TellTest& tell) {
  return Suite(program, options, framework).run(tell);
}

}  // namespace heddle::session
