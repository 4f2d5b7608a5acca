// Whole runs over fake programs: from options to summary, schedule file and replay.
#include "session/run_search.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "pool/fake_program.h"
#include "session/interrupt.h"
#include "session/replay.h"

namespace heddle::session {
namespace {

namespace fs = std::filesystem;
using testing::FakeEnd;
using testing::FakeProgram;

class RunSearchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-run-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    options_.out = std::string(name) + "/out";
    options_.quiet = true;
    options_.max_steps = 10'000;
    parse_option_text(&options_, "--strategy dfs");
  }
  void TearDown() override { fs::remove_all(fs::path(options_.out).parent_path()); }

  static Subject subject_of(const FakeProgram& program) {
    Subject subject;
    subject.command = {"./fake"};
    subject.path = "/bin/sh";  // something with a build id
    subject.directory = "/";
    subject.launch = testing::launch_of(program);
    return subject;
  }

  Options options_;
  Interrupt interrupt_;
};

FakeEnd fail_on_alternation(const std::vector<int>& order, wire::Region*) {
  if (order != std::vector<int>{0, 1, 0, 1, 0, 1}) return {};
  return {wire::Ending::failed, wire::Failure::assertion, 42};
}

TEST_F(RunSearchTest, ACompleteSearchPasses) {
  FakeProgram program{.steps = {3, 3}};
  report::Summary summary = run_search(subject_of(program), options_);
  EXPECT_EQ(summary.verdict, report::Verdict::passed);
  EXPECT_TRUE(summary.complete);
  EXPECT_EQ(summary.executions, 20u);
  EXPECT_EQ(summary.steps, 120u);
  EXPECT_EQ(summary.distinct, 20u);
  EXPECT_EQ(summary.threads, 2u);
  EXPECT_EQ(summary.strategy, "dfs");
  EXPECT_EQ(report::exit_code(summary), 0);
  EXPECT_FALSE(fs::exists(options_.out));
}

TEST_F(RunSearchTest, ABudgetMakesItIncomplete) {
  FakeProgram program{.steps = {3, 3}};
  options_.executions = 7;
  report::Summary summary = run_search(subject_of(program), options_);
  EXPECT_EQ(summary.verdict, report::Verdict::incomplete);
  EXPECT_EQ(summary.executions, 7u);
  EXPECT_EQ(summary.stopped_by, "--executions 7");
  options_.executions = std::nullopt;
  options_.strategy = "random";
  summary = run_search(subject_of(program), options_);
  EXPECT_EQ(summary.executions, 10'000u);
  EXPECT_EQ(summary.verdict, report::Verdict::incomplete);
}

TEST_F(RunSearchTest, CutExecutionsMakeItIncomplete) {
  FakeProgram program{.steps = {3, 3}};
  options_.max_steps = 4;
  report::Summary summary = run_search(subject_of(program), options_);
  EXPECT_EQ(summary.verdict, report::Verdict::incomplete);
  EXPECT_FALSE(summary.complete);
  EXPECT_EQ(summary.notes.size(), 1u);
}

TEST_F(RunSearchTest, AFailureIsSavedAndReplayed) {
  FakeProgram program{.steps = {3, 3}, .end = fail_on_alternation};
  Subject subject = subject_of(program);
  report::Summary summary = run_search(subject, options_);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(report::exit_code(summary), 1);
  EXPECT_FALSE(summary.complete);
  const trace::Finding& finding = summary.findings[0];
  EXPECT_EQ(finding.kind, wire::Failure::assertion);
  EXPECT_EQ(finding.execution, summary.executions);
  EXPECT_EQ(finding.steps, 6u);
  EXPECT_EQ(finding.decisions.size(), 4u);
  EXPECT_EQ(finding.schedule_file, options_.out + "/sh-1.heddle");

  trace::ScheduleFile file = trace::read_schedule_file(finding.schedule_file);
  EXPECT_EQ(recorded_name(file, ""), "./fake");
  Options replaying = replay_options(file, "file");
  EXPECT_EQ(replaying.max_steps, 10'000u);
  replaying.times = 20;
  Replayed replayed = replay(subject, replaying, file, "file");
  EXPECT_TRUE(replayed.reproduced);
  EXPECT_FALSE(replayed.changed);
  EXPECT_EQ(replayed.summary.executions, 20u);
  EXPECT_EQ(report::exit_code(replayed.summary), 1);
}

TEST_F(RunSearchTest, AReplayThatLeadsElsewhereSaysSo) {
  FakeProgram program{.steps = {3, 3}, .end = fail_on_alternation};
  Subject subject = subject_of(program);
  report::Summary summary = run_search(subject, options_);
  ASSERT_EQ(summary.findings.size(), 1u);
  trace::ScheduleFile file = trace::read_schedule_file(summary.findings[0].schedule_file);

  FakeProgram fixed{.steps = {3, 3}};
  Options replaying = replay_options(file, "file");
  Replayed replayed = replay(subject_of(fixed), replaying, file, "file");
  EXPECT_FALSE(replayed.reproduced);
  EXPECT_EQ(report::exit_code(replayed.summary), 0);  // the same steps, and no failure

  FakeProgram shorter{.steps = {1, 3}};
  replayed = replay(subject_of(shorter), replaying, file, "file");
  EXPECT_EQ(report::exit_code(replayed.summary), 3);

  file.build_id = "00";
  replayed = replay(subject_of(shorter), replaying, file, "file");
  EXPECT_TRUE(replayed.changed);
  EXPECT_EQ(report::exit_code(replayed.summary), 0);
  EXPECT_EQ(replayed.summary.notes.size(), 2u);
}

TEST_F(RunSearchTest, KeepGoingSavesEachFailure) {
  FakeProgram program{
      .steps = {2, 2}, .end = [](const std::vector<int>& order, wire::Region*) {
        return FakeEnd{wire::Ending::failed, wire::Failure::assertion, uint64_t(order[0]) + 1};
      }};
  options_.keep_going = true;
  report::Summary summary = run_search(subject_of(program), options_);
  EXPECT_EQ(summary.executions, 6u);
  EXPECT_EQ(summary.failing_executions, 6u);
  EXPECT_EQ(summary.findings.size(), 2u);
  EXPECT_TRUE(summary.complete);
  EXPECT_TRUE(fs::exists(options_.out + "/sh-1.heddle"));
  EXPECT_TRUE(fs::exists(options_.out + "/sh-2.heddle"));
}

TEST_F(RunSearchTest, AKilledExecutionIsAFindingToo) {
  FakeProgram program{.steps = {2, 2}, .end = [](const std::vector<int>& order, wire::Region*) {
                        if (order[0] == 1) raise(SIGKILL);
                        return FakeEnd{};
                      }};
  report::Summary summary = run_search(subject_of(program), options_);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].message,
            "killed by signal 9 (SIGKILL) in 3 attempts; out of memory?");
  EXPECT_EQ(summary.findings[0].decisions.size(), 1u);
}

TEST_F(RunSearchTest, AFailureThatDoesNotComeAgainIsNotRepeatable) {
  auto* runs = static_cast<std::atomic<int>*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  FakeProgram program{.steps = {2, 2}, .end = [runs](const std::vector<int>&, wire::Region*) {
                        if (++*runs != 3) return FakeEnd{};
                        return FakeEnd{wire::Ending::failed, wire::Failure::assertion, 42};
                      }};
  report::Summary summary = run_search(subject_of(program), options_);
  EXPECT_TRUE(summary.unrepeatable.has_value());
  EXPECT_EQ(report::exit_code(summary), 3);
  EXPECT_EQ(summary.notes.size(), 1u);
  munmap(runs, 4096);
}

TEST_F(RunSearchTest, ADivergenceIsExplained) {
  FakeProgram program{.steps = {3, 3}, .unrepeatable_from = 9};
  report::Summary summary = run_search(subject_of(program), options_);
  ASSERT_TRUE(summary.unrepeatable.has_value());
  EXPECT_EQ(summary.unrepeatable->execution, 10u);
  EXPECT_EQ(report::exit_code(summary), 3);
}

// 14!/(10!·4!) = 1001 schedules, each of which fails in its own way.
TEST_F(RunSearchTest, ManyFailuresTakeNothingFromTheOtherNotes) {
  FakeProgram program{.steps = {10, 4}, .end = [](const std::vector<int>& order, wire::Region*) {
                        uint64_t key = 1;
                        for (int thread : order) key = key * 2 + uint64_t(thread);
                        return FakeEnd{wire::Ending::failed, wire::Failure::assertion, key};
                      }};
  options_.keep_going = true;
  options_.uninstrumented = true;  // which is noted
  report::Summary summary = run_search(subject_of(program), options_);
  EXPECT_EQ(summary.failing_executions, 1001u);
  EXPECT_EQ(summary.findings.size(), 1000u);
  ASSERT_EQ(summary.notes.size(), 2u);
  EXPECT_TRUE(summary.notes[0].starts_with("the program is not instrumented"));
  EXPECT_EQ(summary.notes[1], "more than 1000 different failures: the others are not reported");
}

TEST_F(RunSearchTest, ADirectoryThatCannotBeWrittenIsANote) {
  FakeProgram program{.steps = {3, 3}, .end = fail_on_alternation};
  options_.out = "/proc/nowhere";
  report::Summary summary = run_search(subject_of(program), options_);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].schedule_file, "");
  EXPECT_EQ(summary.notes.size(), 1u);
  options_.out = "/tmp/heddle-run-none/out";  // for TearDown
}

TEST_F(RunSearchTest, AnInterruptEndsItInGoodOrder) {
  FakeProgram program{.steps = {2, 2},
                      .end = [](const std::vector<int>&, wire::Region*) -> FakeEnd {
                        kill(getppid(), SIGCONT);
                        for (;;) pause();
                      }};
  raise(SIGINT);
  report::Summary summary = run_search(subject_of(program), options_);
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(report::exit_code(summary), 130);
}

}  // namespace
}  // namespace heddle::session
