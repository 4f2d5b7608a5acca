#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/findings.h"
#include "report/style.h"
#include "report/summary.h"
#include "trace/built_program.h"

namespace heddle::report {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using wire::Op;

TEST(TextReport, Deadlock) {
  EXPECT_EQ(text(summary_of({deadlock()})),
            R"(FAILED  deadlock at philosophers.cc:17
  3 threads wait for each other, and none can go on

  main  waits for T1 to end                       philosophers.cc:24
  T1    waits to lock mutex forks[1], held by T2  philosophers.cc:17
  T2    waits to lock mutex forks[0], held by T1  philosophers.cc:17

All 7 steps:
  step  main              T1                   T2                   where
     0  thread begins                                               philosophers.cc:20
     1  create thread T1                                            philosophers.cc:21
     2  create thread T2                                            philosophers.cc:22
    --  main waits for T1 to end
     3                    thread begins                             philosophers.cc:15
     4                    lock mutex forks[0]                       philosophers.cc:16
    --  T2 preempts T1, before: lock mutex forks[1]
     5                                         thread begins        philosophers.cc:15
     6                                         lock mutex forks[1]  philosophers.cc:16
    --  no thread can go on

Found in execution 3: 7 steps, 1 preemption. To see it again:
  heddle replay heddle-out/philosophers-1.heddle

failed: 1 failure in 17 executions; 3 threads, at most 40 steps, 0.02 s, dfs
)");
}

TEST(TextReport, LivelockShowsItsCycle) {
  EXPECT_EQ(text(summary_of({livelock()})),
            R"(FAILED  livelock at philosophers.cc:11
  the threads run on and on, and none comes to its end

  T1    tries to lock mutex fork2, held by T2  philosophers.cc:11
  T2    tries to lock mutex fork1, held by T1  philosophers.cc:21
  main  waits for T1 to end                    philosophers.cc:30

The cycle: 6 steps, repeated 3,333 times since step 11:
  step  T1                                   T2                                   where
 20003  lock mutex fork1                                                          philosophers.cc:10
 20004                                       lock mutex fork2                     philosophers.cc:20
 20005  try to lock mutex fork2, held by T2                                       philosophers.cc:11
 20006                                       try to lock mutex fork1, held by T1  philosophers.cc:21
 20007  unlock mutex fork1                                                        philosophers.cc:12
 20008                                       unlock mutex fork2                   philosophers.cc:22

Found in execution 5: 20,011 steps, 2 preemptions. To see it again:
  heddle replay heddle-out/philosophers-1.heddle

failed: 1 failure in 17 executions; 3 threads, at most 40 steps, 0.02 s, dfs
)");
}

TEST(TextReport, ALongCycleIsShownInPart) {
  trace::Finding finding = livelock();
  trace::Cycle& cycle = *finding.cycle;
  while (cycle.steps.size() < 1000) cycle.steps.push_back(cycle.steps[cycle.steps.size() - 6]);
  cycle.length = 1234;
  std::string report = text(summary_of({finding}));
  EXPECT_THAT(report, HasSubstr("The cycle: 1,234 steps, repeated 3,333 times since step 11; 40 "
                                "of them:\n"));
}

TEST(TextReport, ALivelockWithoutCycleShowsItsLastSteps) {
  trace::Finding finding = livelock();
  finding.cycle.reset();
  EXPECT_THAT(text(summary_of({finding})), HasSubstr("The last 6 of 20,011 steps:\n"));
}

// User frames in full, the system's as far as the user called them; control characters do no harm.
TEST(TextReport, CrashWithStackAndOutput) {
  EXPECT_EQ(text(summary_of({crash()})),
            R"(FAILED  crash in T1.1 at philosophers.cc:41
  SIGSEGV at address 0x0

    in std::copy()
    in Queue::push()   philosophers.cc:41
    in std::invoke()
    in main::{lambda}  philosophers.cc:60

The program wrote:
  | one
  | two\x1b[31m

Found in execution 1,234,567: 2 steps, 0 preemptions. To see it again:
  heddle replay 'it'\''s here/x-1.heddle'

failed: 1 failure in 17 executions; 3 threads, at most 40 steps, 0.02 s, dfs
)");
}

TEST(TextReport, ShowsTheSourceLineWhereItIsKnown) {
  trace::Finding finding = crash();
  finding.stack[2].source = "x = y;";
  EXPECT_THAT(text(summary_of({finding})),
              HasSubstr("in Queue::push()   philosophers.cc:41  x = y;\n"));
  finding.stack[2].source = std::string(61, 'x');
  EXPECT_THAT(text(summary_of({finding})), HasSubstr(" " + std::string(57, 'x') + "...\n"));
  finding.stack[2].source = "";
  EXPECT_THAT(text(summary_of({finding})), HasSubstr("in Queue::push()   philosophers.cc:41\n"));
}

TEST(TextReport, StackOfTheSystemAlone) {
  trace::Finding finding = crash();
  finding.stack = {library("raise()"), library("abort()")};
  EXPECT_THAT(text(summary_of({finding})),
              HasSubstr("    in raise()  std_mutex.h:100\n    in abort()  std_mutex.h:100\n"));
}

TEST(TextReport, OfAReplay) {
  Summary summary = summary_of({deadlock()});
  summary.strategy.clear();
  EXPECT_THAT(text(summary), HasSubstr("\n7 steps, 1 preemption. To see it again:\n"));
  EXPECT_THAT(
      text(summary),
      EndsWith("\nfailed: the schedule leads to a failure; 3 threads, at most 40 steps, 0.02 s\n"));
}

// Where a thread begins in the library is no news; a wait on a condition ends in a lock, but is a
// wait on the condition.
TEST(TextReport, WaitsOnConditions) {
  trace::Finding finding = deadlock();
  std::vector<trace::DetailedStep> steps = {
      step_at(0, "1", Op::cond_wait, "changed", 5), step_at(1, "2", Op::begin, "T2", 0),
      step_at(2, "2", Op::cond_signal, "changed", 7), step_at(3, "1", Op::cond_relock, "m", 5)};
  steps[1].stack = {library("execute_native_thread_routine()")};
  steps[3].preemption = true;
  finding.timeline = trace::Timeline(steps);
  finding.steps = 4;
  std::string report = text(summary_of({finding}));
  EXPECT_THAT(report, HasSubstr("    --  T1 waits on condition changed, not signalled\n"));
  EXPECT_THAT(report, HasSubstr("  thread begins\n"));
  EXPECT_THAT(report, HasSubstr("    --  T1 preempts T2, before: lock mutex forks[0]\n"));
}

TEST(TextReport, ValuesAndReasonsOfSwitches) {
  trace::Finding finding = crash();
  finding.thread = "2";
  finding.steps = 30;
  auto value = [](trace::DetailedStep step, uint64_t before, uint64_t after) {
    step.size = 4;
    step.before = before;
    step.after = after;
    return step;
  };
  std::vector<trace::DetailedStep> steps = {
      value(step_at(25, "1", Op::atomic_load, "counter", 5), 1, 1),
      step_at(26, "1", Op::end, "", 6),
      value(step_at(27, "2", Op::atomic_rmw, "counter", 7), 1, 2),
      value(step_at(28, "1.1", Op::atomic_cas, "counter", 8), 2, 2),
      step_at(29, "2", Op::yield, "", 9),
  };
  steps[2].choice = 2;
  finding.timeline = trace::Timeline(steps);
  std::string report = text(summary_of({finding}));
  EXPECT_THAT(report, HasSubstr("The last 5 of 30 steps:\n"));
  EXPECT_THAT(report, HasSubstr("atomic load counter: 1  "));
  EXPECT_THAT(report, HasSubstr("    --  T1 has ended; T2 is chosen\n"));
  EXPECT_THAT(report, HasSubstr("atomic update counter: 1 -> 2  "));
  EXPECT_THAT(report, HasSubstr("    --  T2 yields\n"));
  EXPECT_THAT(report, HasSubstr("compare-exchange counter: 2, unchanged"));
  EXPECT_THAT(report, HasSubstr("    --  T2 fails: crash\n"));
  // Columns in the order of the paths: T1, T1.1, T2.
  EXPECT_LT(report.find("T1.1  "), report.find("T2  "));
}

TEST(TextReport, SwitchesOfTheFairScheduler) {
  trace::Finding finding = crash();
  std::vector<trace::DetailedStep> steps = {
      step_at(10, "1", Op::trylock, "fork", 5),  step_at(11, "2", Op::atomic_load, "flag", 6),
      step_at(12, "1", Op::atomic_load, "x", 7), step_at(13, "2", Op::atomic_load, "flag", 6),
      step_at(14, "1", Op::atomic_load, "x", 7), step_at(15, "2", Op::unlock, "other", 6),
      step_at(16, "1", Op::lock, "other", 7),
  };
  steps[0].yields = steps[1].yields = true;
  finding.timeline = trace::Timeline(steps);
  std::string report = text(summary_of({finding}));
  EXPECT_THAT(report, HasSubstr("    --  T1 gives way\n    11"));
  EXPECT_THAT(report, HasSubstr("    --  T2 gives way\n    12"));
  EXPECT_THAT(report, HasSubstr("    --  T1 is held back\n    13"));
  EXPECT_THAT(report, HasSubstr("    --  T1 waits to lock mutex other\n    15"));
}

TEST(TextReport, ManyThreadsAreTaggedLines) {
  trace::Finding finding = deadlock();
  std::vector<trace::DetailedStep> steps = finding.timeline.last(7);
  for (uint32_t i = 0; i < 5; ++i) {
    steps.push_back(step_at(7 + i, std::to_string(10 + i), Op::lock, "m", 30));
  }
  finding.timeline = trace::Timeline(steps);
  std::string report = text(summary_of({finding}));
  EXPECT_THAT(report, HasSubstr("     6  T2    lock mutex forks[1]  philosophers.cc:16\n"));
  EXPECT_THAT(report, HasSubstr("    11  T14   lock mutex m         philosophers.cc:30\n"));
}

TEST(TextReport, OnlyTheLastTwentyLinesOfTheOutput) {
  trace::Finding finding = deadlock();
  for (int i = 0; i < 100; ++i) finding.output += "line " + std::to_string(i) + "\n";
  EXPECT_THAT(text(summary_of({finding})), HasSubstr("  | ... 80 lines before\n  | line 80\n"));
}

TEST(TextReport, ManyFailuresAreToldInShort) {
  Summary summary = summary_of({crash(), deadlock(), crash(), deadlock(), crash()});
  summary.complete = true;
  std::string report = text(summary);
  EXPECT_THAT(report, StartsWith("FAILED (1 of 5)  crash"));
  EXPECT_THAT(report, HasSubstr("FAILED (3 of 5)"));
  EXPECT_THAT(report, Not(HasSubstr("FAILED (4 of 5)")));
  EXPECT_THAT(report, HasSubstr("And in short:\n  deadlock at philosophers.cc:17: 3 threads wait"));
  EXPECT_THAT(report, HasSubstr("failed: 5 different failures in all schedules with at most 2 "
                                "preemptions at atomics and synchronisation: 17 executions; "));
}

TEST(TextReport, PassedSaysWhatItRestsOn) {
  Summary summary = summary_of({});
  summary.verdict = Verdict::passed;
  summary.complete = true;
  summary.executions = 1234;
  EXPECT_EQ(text(summary),
            "passed: all schedules with at most 2 preemptions at atomics and synchronisation: "
            "1,234 executions; 3 threads, at most 40 steps, 0.02 s\n");
  summary.preemptions.reset();
  summary.accesses = "all";
  summary.executions = 1;
  EXPECT_THAT(text(summary), StartsWith("passed: all schedules with any number of preemptions at "
                                        "memory accesses and synchronisation: 1 execution; "));
  summary.pruned = 7;
  summary.executions = 9;
  EXPECT_EQ(
      text(summary),
      "passed: all schedules with any number of preemptions at memory accesses and "
      "synchronisation: 9 executions, 7 of them discarded by assume; 3 threads, at most 40 steps, "
      "0.02 s\n");
  summary.reduce = "dpor";
  summary.redundant = 3;
  EXPECT_THAT(text(summary),
              HasSubstr(" and synchronisation, one of each class of equivalent ones: 9 executions, "
                        "3 of them redundant, 4 of them discarded by assume; "));
  summary.states = 1177;
  EXPECT_THAT(text(summary),
              HasSubstr("4 of them discarded by assume, 1,177 distinct states; 3 threads"));
}

Stage stage_of(std::optional<uint32_t> preemptions, uint64_t executions, bool complete) {
  return {"stage", "", preemptions, preemptions ? "none" : "dpor", executions, complete, 0};
}

TEST(TextReport, StagesSayWhatIsComplete) {
  Summary summary = summary_of({});
  summary.strategy = "auto";
  summary.preemptions.reset();
  summary.stopped_by = "--executions 800";
  auto incomplete = [&](std::vector<Stage> stages) {
    summary.stages = std::move(stages);
    summary.executions = 0;
    for (const Stage& stage : summary.stages) summary.executions += stage.executions;
    summary.reduce = summary.stages.back().reduce;
    return text(summary);
  };
  EXPECT_THAT(
      incomplete({stage_of(0, 800, false)}),
      HasSubstr(": no failure in what was seen: 800 without preemptions so far; 3 threads"));
  EXPECT_THAT(incomplete({stage_of(0, 800, true)}),
              HasSubstr(": no failure in what was seen: all 800 without preemptions; 3 threads"));
  EXPECT_THAT(incomplete({stage_of(0, 2, true), stage_of(1, 10, true), stage_of(2, 788, false)}),
              HasSubstr("all 12 with at most 1 preemption, then 788 with 2 preemptions so far; "));
  std::vector<Stage> all = {stage_of(0, 2, true), stage_of(1, 10, true), stage_of(2, 60, true),
                            stage_of({}, 728, false)};
  EXPECT_THAT(incomplete(all),
              HasSubstr("all 72 with at most 2 preemptions, then 728 of classes of "
                        "equivalent ones so far; "));
  EXPECT_EQ(completed_preemptions(summary), 2u);
  summary.verdict = Verdict::passed;
  summary.complete = true;
  EXPECT_THAT(
      incomplete(all),
      StartsWith("passed: all schedules with any number of preemptions at atomics and "
                 "synchronisation: 800 executions (72 with at most 2 preemptions, then 728, "
                 "one of each class of equivalent ones), 0 of them redundant; "));
  all.pop_back();
  EXPECT_THAT(incomplete(all), StartsWith("passed: all schedules with any number of preemptions at "
                                          "atomics and synchronisation: 72 executions; "));
}

TEST(TextReport, IncompleteSaysWhy) {
  Summary summary = summary_of({});
  summary.stopped_by = "--executions 17";
  summary.strategy = "random";
  summary.notes = {"a note"};
  EXPECT_EQ(text(summary),
            "note: a note\n"
            "incomplete: budget exhausted (--executions 17) after 17 executions: no failure in "
            "what was seen; "
            "3 threads, at most 40 steps, 0.02 s, random with seed 1\n");
  summary.interrupted = true;
  EXPECT_THAT(text(summary), HasSubstr("incomplete: interrupted after 17 executions"));
  summary.verdict = Verdict::passed;
  EXPECT_THAT(text(summary), Not(HasSubstr("passed")));
}

TEST(TextReport, IncompleteSaysWhatRemains) {
  Summary summary = summary_of({});
  summary.strategy = "auto";
  summary.preemptions.reset();
  summary.remaining = {12, Range{4567, 1251, 98'100}};
  EXPECT_THAT(text(summary), HasSubstr("; about 4,600 (1,200 to 99,000) schedules remain; 3 th"));
  summary.remaining->range = Range{7.6, 7, 25.2};
  EXPECT_THAT(text(summary), HasSubstr("; about 8 (7 to 26) schedules remain; 3 th"));
  summary.remaining->range = Range{3e19, 1e18, 2e20};
  EXPECT_THAT(text(summary), HasSubstr("; about 3e+19 (1e+18 to 2e+20) schedules remain; 3 th"));
  summary.remaining->range.reset();
  EXPECT_THAT(text(summary), HasSubstr("; at least 12 schedules remain; 3 th"));
  summary.stages = {stage_of(0, 2, true), stage_of(1, 15, false)};
  summary.stages.back().remaining = Range{10, 9, 20};
  EXPECT_THAT(text(summary), HasSubstr("; about 10 (9 to 20) schedules with at most 1 preemption "
                                       "remain, and more beyond; 3 th"));
  summary.stages = {stage_of({}, 17, false)};
  EXPECT_THAT(text(summary), HasSubstr("; at least 12 schedules remain; 3 th"));
  summary.remaining = {0, Range{0, 0, 0}};
  EXPECT_THAT(text(summary), Not(HasSubstr("remain")));
}

TEST(TextReport, AFailureThatCannotBeShownIsOneNevertheless) {
  Summary summary = summary_of({});
  summary.failing_executions = 2;
  EXPECT_THAT(text(summary),
              StartsWith("failed: 2 of 17 executions failed, but the failure did not recur"));
  EXPECT_EQ(exit_code(summary), 1);
  summary.unrepeatable = Unrepeatable{};
  EXPECT_EQ(verdict_of(summary), Verdict::incomplete);
  EXPECT_EQ(exit_code(summary), 3);
}

TEST(TextReport, UnrepeatableNamesTheStepAndCauses) {
  Summary summary = summary_of({});
  summary.unrepeatable =
      Unrepeatable{17, 12, true, "T1: atomic load, queue.h:41", "T1: lock mutex, queue.h:50"};
  std::string report = text(summary);
  EXPECT_THAT(report,
              StartsWith("NOT REPEATABLE  the same schedule diverged at step 12 of execution 17\n"
                         "  expected  T1: atomic load, queue.h:41\n"
                         "  found     T1: lock mutex, queue.h:50\n"));
  EXPECT_THAT(report, HasSubstr("--isolation fork"));
  EXPECT_THAT(report, EndsWith("not repeatable: gave up after 17 executions, 0.02 s\n"));
}

TEST(TextReport, UnsupportedNamesWhat) {
  Summary summary = summary_of({});
  summary.unsupported = "pthread_cancel is not controlled";
  EXPECT_THAT(text(summary), StartsWith("UNSUPPORTED  pthread_cancel is not controlled\n"));
}

TEST(TextReport, UnsupportedSaysWhatToDoInstead) {
  Summary summary = summary_of({});
  summary.unsupported = "fork, at server.cc:12";
  summary.hint = "do something else";
  EXPECT_THAT(text(summary),
              StartsWith("UNSUPPORTED  fork, at server.cc:12\n  do something else\n\n"));
}

TEST(TextReport, SuppressedFailuresAreCounted) {
  Summary summary = summary_of({});
  summary.suppressed = {{wire::Failure::data_race, "cache.cc:12", "known.txt:3", 1},
                        {wire::Failure::data_race, "cache.cc:12", "known.txt:3", 2},
                        {wire::Failure::deadlock, "cache.cc:40", "known.txt:4", 3}};
  std::string report = text(summary);
  EXPECT_THAT(report, HasSubstr("suppressed: data-race at cache.cc:12, by known.txt:3 (2)\n"
                                "suppressed: deadlock at cache.cc:40, by known.txt:4\n"));
  EXPECT_THAT(report, HasSubstr("; 3 failures suppressed; "));
}

TEST(TextReport, ColoursOnlyOnRequest) {
  Summary summary = summary_of({deadlock()});
  EXPECT_THAT(text(summary), Not(HasSubstr("\033")));
  View view;
  view.color = true;
  EXPECT_THAT(text(summary, view), HasSubstr("\033[31;1mFAILED\033[0m"));
}

TEST(Style, NumbersAndWords) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(0, "step"), "0 steps");
  EXPECT_EQ(duration(0.004), "4 ms");
  EXPECT_EQ(duration(185.2), "3 min 5 s");
  EXPECT_EQ(duration(7300), "2 h 1 min");
  EXPECT_EQ(shell_word("heddle-out/a-1.heddle"), "heddle-out/a-1.heddle");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
}

}  // namespace
}  // namespace heddle::report
