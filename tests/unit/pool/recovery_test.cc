// Workers that die, hang and spoil their memory: every job has its outcome, and nothing stays
// behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/error.h"
#include "base/random.h"
#include "explore/search_fixture.h"
#include "sample_count.h"

namespace heddle::testing {
namespace {

using explore::SearchEnd;

// A counter, or an array of them, that all processes of a test see.
struct SharedCounter {
  SharedCounter()
      : value(static_cast<std::atomic<int>*>(
            mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedCounter() { munmap(value, 4096); }
  std::atomic<int>* value;
};

bool no_children() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

SearchSetup keep_going(uint32_t workers) {
  SearchSetup setup;
  setup.limits.keep_going = true;
  setup.settings.workers = workers;
  return setup;
}

TEST(Recovery, AKilledWorkerLosesNothing) {
  for (uint32_t workers : {1u, 3u}) {
    // Some orders are killed, each at its first attempt: more often would be a crash.
    SharedCounter attempts;
    FakeProgram program{.steps = {4, 4}, .end = [&](const std::vector<int>& order, wire::Region*) {
                          int number = 0;
                          for (int thread : order) number = number * 2 + thread;
                          if (number % 7 == 0 && attempts.value[number]++ == 0) raise(SIGKILL);
                          return FakeEnd{};
                        }};
    Searched result = search(program, keep_going(workers));
    int killed = 0;
    for (int i = 0; i < 256; ++i) killed += attempts.value[i] > 1 ? 1 : 0;
    EXPECT_EQ(killed, 5);  // numbers of eight bits, four of them set, that seven divides
    EXPECT_EQ(result.counts.executions, 70u);
    EXPECT_EQ(result.counts.failing, 0u);
    EXPECT_EQ(result.distinct, 70u);
  }
  EXPECT_TRUE(no_children());
}

TEST(Recovery, AScheduleThatIsKilledEachTimeIsACrash) {
  FakeProgram program{.steps = {3, 3}, .end = [](const std::vector<int>& order, wire::Region*) {
                        if (order == std::vector<int>{0, 1, 0, 1, 0, 1}) raise(SIGKILL);
                        return FakeEnd{};
                      }};
  for (uint32_t workers : {1u, 2u}) {
    Searched result = search(program, keep_going(workers));
    EXPECT_EQ(result.counts.executions, 20u);
    ASSERT_EQ(result.failures.size(), 1u);
    EXPECT_EQ(result.failures[0].kind, wire::Failure::crash);
    EXPECT_EQ(result.failures[0].message,
              "killed by signal 9 (SIGKILL) in 3 attempts; out of memory?");
    // Options of the fake: the running thread, then the others. At each step but the last, which
    // has one option, the other goes.
    EXPECT_EQ(result.failures[0].schedule.size(), 4u);
  }
}

TEST(Recovery, DeathByAnotherSignalOrStatusIsToldAtOnce) {
  SharedCounter runs;
  FakeProgram program{.steps = {1}, .end = [&](const std::vector<int>&, wire::Region*) -> FakeEnd {
                        ++*runs.value;
                        signal(SIGSEGV, SIG_DFL);
                        raise(SIGSEGV);
                        _exit(1);
                      }};
  Searched result = search(program);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].message, "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(*runs.value, 1);

  program.end = [](const std::vector<int>&, wire::Region*) -> FakeEnd { _exit(3); };
  result = search(program);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].kind, wire::Failure::exit);
  EXPECT_EQ(result.failures[0].message,
            "the process ended with status 3 in the middle of the test");
}

TEST(Recovery, AKilledNurseryIsReplaced) {
  SharedCounter runs;
  FakeProgram program{.steps = {4, 4}, .end = [&](const std::vector<int>&, wire::Region*) {
                        if (++*runs.value % 30 == 0) kill(0, SIGKILL);  // the whole group
                        return FakeEnd{};
                      }};
  Searched result = search(program, keep_going(2));
  EXPECT_EQ(result.counts.executions, 70u);
  EXPECT_EQ(result.counts.failing, 0u);
  EXPECT_TRUE(no_children());
}

TEST(Recovery, AHangIsReportedByTheWorker) {
  FakeProgram program{.steps = {2, 2}, .end = [](const std::vector<int>& order, wire::Region*) {
                        while (order[1] != order[0]) pause();
                        return FakeEnd{};
                      }};
  SearchSetup setup;
  setup.settings.hang_after = 0.3;
  Searched result = search(program, setup);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].kind, wire::Failure::hang);
  EXPECT_EQ(result.failures[0].key, 77u);
}

TEST(Recovery, AHangWithoutAnswerIsReportedByTheEngine) {
  FakeProgram program{.steps = {2, 2},
                      .end =
                          [](const std::vector<int>& order, wire::Region*) {
                            while (order[1] != order[0]) pause();
                            return FakeEnd{};
                          },
                      .answer_hang = false};
  SearchSetup setup;
  setup.settings.hang_after = 0.3;
  Searched result = search(program, setup);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].kind, wire::Failure::hang);
  EXPECT_EQ(result.failures[0].schedule.size(), 1u);
  EXPECT_TRUE(no_children());
}

TEST(Recovery, ADeadWorkerOfAStoppedNurseryIsNoticed) {
  SharedCounter runs;
  FakeProgram program{.steps = {2, 2}, .end = [&](const std::vector<int>&, wire::Region*) {
                        if (++*runs.value == 3) {
                          kill(getppid(), SIGSTOP);
                          raise(SIGKILL);
                        }
                        return FakeEnd{};
                      }};
  SearchSetup setup = keep_going(1);
  setup.settings.hang_after = 0.2;
  setup.settings.hang_answer = 0.1;
  Searched result = search(program, setup);
  EXPECT_EQ(result.counts.executions, 6u);
  EXPECT_TRUE(no_children());
}

TEST(Recovery, ASpoiltRegionIsBlamedOnTheRightSchedule) {
  FakeProgram program{
      .steps = {3, 3}, .end = [](const std::vector<int>& order, wire::Region* region) {
        if (order == std::vector<int>{0, 1, 1, 0, 0, 1}) {
          memset(static_cast<void*>(&region->jobs), 0xa5, sizeof region->jobs);
          memset(static_cast<void*>(&region->results), 0xa5, sizeof region->results);
          for (;;) pause();
        }
        return FakeEnd{};
      }};
  for (uint32_t workers : {1u, 2u}) {
    Searched result = search(program, keep_going(workers));
    EXPECT_EQ(result.counts.executions, 20u);
    EXPECT_EQ(result.counts.failing, 1u);
    ASSERT_EQ(result.failures.size(), 1u);
    EXPECT_EQ(result.failures[0].kind, wire::Failure::crash);
    EXPECT_EQ(result.distinct, 20u);
  }
}

TEST(Recovery, GarbageAnywhereInTheRegionNeverHurtsTheEngine) {
  // Every execution overwrites 64 bytes somewhere in the region's control part. What the search
  // then finds is open; that it ends, is not.
  const auto seeds = static_cast<uint64_t>(sample_count(6, 25));
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SharedCounter runs;
    FakeProgram program{.steps = {2, 2}, .end = [&](const std::vector<int>&, wire::Region* region) {
                          int run = ++*runs.value;
                          if (run % 3 != 0) return FakeEnd{};
                          Random random(seed * 1000 + uint64_t(run));
                          uint64_t place = random.below(sizeof(wire::Region) + 4096) & ~uint64_t{7};
                          uint64_t* words =
                              reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(region) + place);
                          for (int i = 0; i < 8; ++i) words[i] = random.next();
                          return FakeEnd{};
                        }};
    SearchSetup setup = keep_going(2);
    setup.limits.executions = 6;
    setup.limits.seconds = 5;
    setup.settings.hang_after = 0.2;
    setup.settings.hang_answer = 0.1;
    try {
      search(program, setup);
    } catch (const UserError&) {
    }
  }
  EXPECT_TRUE(no_children());
}

TEST(Recovery, AnErrorOfTheRuntimeIsOurs) {
  FakeProgram program{.steps = {1},
                      .end = [](const std::vector<int>&, wire::Region* region) -> FakeEnd {
                        strcpy(region->refusal, "slot != nullptr (slots.cc:7)\n");
                        _exit(4);
                      }};
  try {
    search(program);
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_STREQ(error.what(), "slot != nullptr (slots.cc:7)");
  }
  EXPECT_TRUE(no_children());
}

TEST(Recovery, ARefusalCarriesItsMessage) {
  FakeProgram program{.steps = {1}, .start = [](wire::Region* region) {
                        strcpy(region->refusal, "it has 2 threads already");
                        region->state.store(uint32_t(wire::NurseryState::refused));
                        _exit(1);
                      }};
  try {
    search(program);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "the test process: it has 2 threads already");
  }
}

TEST(Recovery, DeathBeforeReadinessIsARefusal) {
  FakeProgram program{.steps = {1}, .start = [](wire::Region*) { _exit(127); }};
  try {
    search(program);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "the test process: ended with status 127 before heddle could control it");
  }
}

TEST(Recovery, AStartThatTakesTooLongIsARefusal) {
  FakeProgram program{.steps = {1}, .start = [](wire::Region*) { pause(); }};
  SearchSetup setup;
  setup.settings.startup_limit = 0.2;
  EXPECT_THROW(search(program, setup), UserError);
  EXPECT_TRUE(no_children());
}

TEST(Recovery, WorkersThatDieIdleEndTheSearch) {
  FakeProgram program{.steps = {1}, .worker_start = [] { _exit(9); }};
  try {
    search(program);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "a worker process ended with status 9, 5 times in a row, before it ran anything");
  }
}

TEST(Recovery, AJobWhoseStepsAreLostMakesTheSearchIncomplete) {
  FakeProgram program{.steps = {2, 2},
                      .end = [](const std::vector<int>&, wire::Region* region) -> FakeEnd {
                        region->current_job.store(12345);
                        raise(SIGKILL);
                        return {};
                      }};
  Searched result = search(program, keep_going(1));
  EXPECT_EQ(result.counts.executions, 1u);
  EXPECT_EQ(result.counts.lost, 1u);
  EXPECT_EQ(result.end, SearchEnd::budget);
}

}  // namespace
}  // namespace heddle::testing
