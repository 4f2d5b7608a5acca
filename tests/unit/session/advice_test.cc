#include "session/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A thousand executions a second.
report::Summary incomplete() {
  report::Summary summary;
  summary.program = {"./queue_test"};
  summary.verdict = report::Verdict::incomplete;
  summary.strategy = "auto";
  summary.executions = 10'000;
  summary.seconds = 10;
  summary.threads = 3;
  summary.max_steps = 40;
  summary.stopped_by = "--seconds 1";
  return summary;
}

report::Stage stage(uint32_t preemptions, double left) {
  report::Stage stage{"at most 2 preemptions", "pb", preemptions, "none", 1000, false, 1};
  stage.remaining = {left, left / 2, left * 2};
  return stage;
}

TEST(Advice, NoneForASearchThatHasEnded) {
  report::Summary summary = incomplete();
  summary.complete = true;
  summary.verdict = report::Verdict::passed;
  EXPECT_THAT(advice_on(summary, {}, {4, true, true, {"a.cc:1"}}), IsEmpty());
}

TEST(Advice, AStageThatEndsSoonIsNamedWithItsTime) {
  report::Summary summary = incomplete();
  summary.stages = {stage(2, 60'000)};
  EXPECT_THAT(advice_on(summary, {}, {}),
              ElementsAre("all schedules with at most 2 preemptions would take some 60 seconds "
                          "more: --preemptions 2"));
}

TEST(Advice, ATestThatIsTooLargeIsToBecomeSmaller) {
  report::Summary summary = incomplete();
  summary.remaining = {100, report::Range{1e12, 1e11, 1e13}};
  Options options;
  options.preemptions_given = true;
  EXPECT_THAT(advice_on(summary, options, {}),
              ElementsAre("the rest would take more than a year: make the test smaller (3 threads, "
                          "up to 40 steps: each less divides the number of schedules), or "
                          "--preemptions 2"));
}

TEST(Advice, SpinsAndSeveralTestsComeFirst) {
  std::vector<std::string> advice = advice_on(incomplete(), {}, {4, true, true, {"spin.cc:7"}});
  ASSERT_THAT(advice, SizeIs(3));
  EXPECT_THAT(advice[0], HasSubstr("heddle gtest "));
  EXPECT_THAT(advice[1], HasSubstr("a thread spins at spin.cc:7"));
}

TEST(Advice, OneTestIsChosenAlready) {
  report::Summary summary = incomplete();
  summary.program.push_back("--gtest_filter=A.B");
  EXPECT_THAT(advice_on(summary, {}, {1, false, true, {}}), IsEmpty());
}

TEST(Advice, GoingOnAndMoreProcesses) {
  Options options;
  options.seconds = 1;
  EXPECT_THAT(
      advice_on(incomplete(), options, {2, true, false, {}}),
      ElementsAre("--jobs 2 runs as many executions at a time; what is found is the same",
                  "to go on where it stopped, give it --resume, and a larger budget if you like"));
  options.jobs = 2;
  EXPECT_THAT(advice_on(incomplete(), options, {2, true, false, {}}), SizeIs(1));
}

TEST(Advice, AFilterForSeveralTestsChoosesNone) {
  report::Summary summary = incomplete();
  summary.program.push_back("--gtest_filter=A.*");
  EXPECT_THAT(advice_on(summary, {}, {1, false, true, {}}),
              ElementsAre(HasSubstr("type: heddle gtest ./queue_test '--gtest_filter=A.*'")));
}

TEST(Advice, ThePlaceWhereMostSchedulesDifferIsNamed) {
  report::Summary summary = incomplete();
  summary.remaining = {100, report::Range{1e12, 1e11, 1e13}};
  Situation situation;
  situation.switches = Switches{"queue.h:41", 60, 100};
  EXPECT_THAT(advice_on(summary, {}, situation),
              ElementsAre(HasSubstr("divides the number of schedules), first of all at queue.h:41, "
                                    "where 60 of 100 switches of threads are possible")));
}

// Nobody waits for a search of a moment, and its rate says nothing.
TEST(Advice, NoneOnTimeAfterAMoment) {
  report::Summary summary = incomplete();
  summary.seconds = 0.1;
  EXPECT_THAT(advice_on(summary, {}, {2, true, false, {}}), IsEmpty());
  summary.interrupted = true;
  EXPECT_THAT(advice_on(summary, {}, {2, true, false, {}}), SizeIs(1));
}

TEST(Advice, ASystematicSearchCouldBeASampler) {
  report::Summary summary = incomplete();
  summary.strategy = "dfs";
  EXPECT_THAT(advice_on(summary, {}, {}), ElementsAre(HasSubstr("--strategy pos")));
}

}  // namespace
}  // namespace heddle::session
