#include "trace/make_finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "sample_count.h"
#include "trace/region_builder.h"
#include "trace/thread_paths.h"
#include "trace/words.h"

namespace heddle::trace {
namespace {

using wire::Op;

constexpr uint64_t kJob = 7;
constexpr uint64_t kHeap = 0x100000000040;

wire::Step step_of(uint32_t thread, Op op, uint16_t choice = 0, uint16_t options = 1,
                   uint16_t free_options = 1) {
  wire::Step step{};
  step.thread = thread;
  step.op = op;
  step.choice = choice;
  step.options = options;
  step.free_options = free_options;
  return step;
}

// main creates two threads, the first of which creates another; the second takes a lock that the
// first wants.
class MakeFinding : public testing::Test {
 protected:
  MakeFinding() {
    builder_.add_thread(wire::kNoThread, 0)->pending = Op::join;
    builder_.add_thread(0, 1, wire::ThreadState::waiting);
    builder_.add_thread(0, 2);
    builder_.add_thread(1, 1, wire::ThreadState::ended);
    wire::Detail* detail = builder_.detail();
    detail->job = kJob;
    detail->threads[1].pending = Op::lock;
    detail->threads[1].holder = 2;
    detail->threads[1].address = kHeap;
    steps_ = {step_of(0, Op::create), step_of(0, Op::create), step_of(1, Op::create, 1, 3, 1),
              step_of(2, Op::lock, 2, 4, 4), step_of(2, Op::atomic_rmw)};
    detail->step_count = static_cast<uint32_t>(steps_.size());
    for (uint32_t i = 0; i < steps_.size(); ++i) {
      detail->steps[i].step = i;
      detail->steps[i].thread = steps_[i].thread;
    }
    detail->steps[3].address = kHeap;
    detail->steps[4].address = kHeap + 64;
    detail->steps[4].size = 4;
    detail->steps[4].before = 1;
    detail->steps[4].after = 2;
    execution_.id = kJob;
    execution_.result.job = kJob;
    execution_.result.ending = wire::Ending::failed;
    execution_.result.failure = wire::Failure::assertion;
    execution_.result.step_count = detail->step_count;
    execution_.result.preemptions = 1;
    execution_.result.sequence = 99;
    execution_.result.failure_key = 5;
    std::strcpy(detail->failure.message, "x == 1");
    detail->failure.thread = 3;
  }

  Finding make() {
    execution_.steps = steps_;
    return make_finding(builder_.evidence(execution_));
  }

  RegionBuilder builder_;
  Execution execution_;
  std::vector<wire::Step> steps_;
};

TEST_F(MakeFinding, TellsAllThatTheDetailHolds) {
  Finding finding = make();
  EXPECT_EQ(finding.kind, wire::Failure::assertion);
  EXPECT_EQ(finding.message, "x == 1");
  EXPECT_EQ(finding.thread, "1.1");
  EXPECT_EQ(finding.steps, 5u);
  EXPECT_EQ(finding.preemptions, 1u);
  EXPECT_EQ(finding.sequence, 99u);
  EXPECT_EQ(finding.key, 5u);
  std::vector<DetailedStep> steps = finding.timeline.last(10);
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[0].thread, "0");
  EXPECT_FALSE(steps[0].preemption);
  EXPECT_TRUE(steps[2].preemption);   // choice 1, of which only option 0 is free
  EXPECT_FALSE(steps[3].preemption);  // choice 2 of 4 free ones
  EXPECT_EQ(steps[3].object, "heap 0x100000000040");
  EXPECT_EQ(step_words(steps[4]), "atomic update heap 0x100000000080: 1 -> 2");
  ASSERT_EQ(finding.threads.size(), 4u);
  EXPECT_EQ(finding.threads[1].thread, "1");
  EXPECT_EQ(finding.threads[1].holder, "2");
  EXPECT_EQ(finding.threads[1].object, "heap 0x100000000040");
  EXPECT_EQ(finding.threads[3].thread, "1.1");
  EXPECT_EQ(finding.threads[3].state, wire::ThreadState::ended);
}

TEST_F(MakeFinding, DecisionsAreThoseThatDifferFromTheDefault) {
  Finding finding = make();
  ASSERT_EQ(finding.decisions.size(), 2u);
  EXPECT_EQ(finding.decisions[0].step, 2u);
  EXPECT_EQ(finding.decisions[0].choice, 1u);
  EXPECT_EQ(finding.decisions[0].thread, "1");
  EXPECT_EQ(finding.decisions[0].note, "T1 preempts main, before: join thread");
  EXPECT_EQ(finding.decisions[1].note, "T2 goes next: lock mutex heap 0x100000000040");
}

// T1 and T2 take a mutex each, try the other's, and give up.
TEST_F(MakeFinding, CycleOfALivelock) {
  constexpr uint64_t kMutexes[] = {0x11, 0x22};
  size_t begin = steps_.size();
  for (int round = 0; round < 2000; ++round) {
    for (Op op : {Op::lock, Op::trylock, Op::unlock}) {
      for (uint32_t thread : {1, 2}) {
        wire::Step step = step_of(thread, op);
        step.object = kMutexes[op == Op::trylock ? 2 - thread : thread - 1];
        if (op == Op::lock) step.flags = wire::kTakes;
        steps_.push_back(step);
      }
    }
  }
  wire::Detail* detail = builder_.detail();
  execution_.result.step_count = detail->step_count = static_cast<uint32_t>(steps_.size());
  EXPECT_FALSE(make().cycle);
  execution_.result.failure = wire::Failure::livelock;
  Finding finding = make();
  ASSERT_TRUE(finding.cycle);
  EXPECT_EQ(finding.cycle->begin, begin);
  EXPECT_EQ(finding.cycle->length, 6u);
  EXPECT_EQ(finding.cycle->repeats, 2000u);
  ASSERT_EQ(finding.cycle->steps.size(), 6u);
  EXPECT_EQ(finding.cycle->steps[0].step, begin + 1999 * 6);
  EXPECT_FALSE(finding.cycle->steps[1].in_vain);
  EXPECT_EQ(step_words(finding.cycle->steps[2]), "try to lock mutex, held by T2");
  ASSERT_EQ(finding.waits.size(), 2u);
  EXPECT_EQ(finding.waits[0].words, "tries to lock mutex, held by T2");
  EXPECT_EQ(finding.waits[1].words, "tries to lock mutex, held by T1");
}

TEST_F(MakeFinding, NotesOfADeadlockSayWhatThePreemptedThreadNeverCameTo) {
  builder_.detail()->threads[0].address = kHeap;
  EXPECT_EQ(make().decisions[0].note, "T1 preempts main, before: join thread heap 0x100000000040");
}

TEST_F(MakeFinding, NotesSayWhatThePreemptedThreadWasAboutToDo) {
  steps_.push_back(step_of(0, Op::join));
  execution_.result.step_count = builder_.detail()->step_count = 6;
  EXPECT_EQ(make().decisions[0].note, "T1 preempts main, before: join thread");
}

TEST_F(MakeFinding, ThreadsAsObjectsHaveNames) {
  builder_.detail()->steps[4].size = 0;
  builder_.detail()->threads[1].id = 0x8000000000000123;
  builder_.detail()->steps[4].address = 0x8000000000000123;
  EXPECT_EQ(make().timeline.step(4).object, "T1");
}

TEST_F(MakeFinding, WithoutDetailThePathsComeFromTheSteps) {
  builder_.detail()->job = kJob + 1;
  Finding finding = make();
  EXPECT_EQ(finding.kind, wire::Failure::assertion);
  EXPECT_EQ(finding.message, "");
  EXPECT_TRUE(finding.threads.empty());
  EXPECT_EQ(finding.timeline.step(2).thread, "1");
  EXPECT_EQ(finding.decisions.size(), 2u);
  EXPECT_EQ(finding.decisions[1].thread, "2");
}

TEST_F(MakeFinding, ThreadsOfAnEarlierExecutionAreNotShown) {
  builder_.detail()->step_count = 77;  // written by detail_end of another run
  EXPECT_TRUE(make().threads.empty());
}

// Those in the ring are of another execution, but for one; some of those before were kept.
TEST_F(MakeFinding, DetailsOfTheLastStepsAndOfEarlyOnes) {
  steps_.assign(10000, step_of(0, Op::yield));
  execution_.result.step_count = 10000;
  wire::Detail* detail = builder_.detail();
  for (uint32_t i = 0; i < wire::kDetailedSteps; ++i) detail->steps[i].step = i;
  detail->steps[9999 % wire::kDetailedSteps].step = 9999;
  detail->steps[9999 % wire::kDetailedSteps].address = kHeap;
  detail->early_count = 3;
  detail->early[0] = {kHeap + 8, 0, 0, 0, 0, 1, 0, {}};
  detail->early[1] = {kHeap, 0, 0, wire::kNoStep, 0, 1, 0, {}};
  detail->early[2] = {kHeap + 16, 3, 4, 2, 0, 99, 4, {}};  // there is no such stack
  detail->early_stack_count = 1;
  Timeline timeline = make().timeline;
  ASSERT_EQ(timeline.size(), 10000u);
  EXPECT_EQ(timeline.step(0).object, "heap 0x100000000048");
  EXPECT_TRUE(timeline.steps[0].is(TimelineStep::kDetailed));
  EXPECT_EQ(timeline.step(1).object, "");
  EXPECT_EQ(timeline.step(2).object, "heap 0x100000000050");
  EXPECT_EQ(timeline.step(2).after, 4u);
  EXPECT_FALSE(timeline.steps[2].is(TimelineStep::kDetailed));
  EXPECT_EQ(timeline.step(5000).object, "");
  EXPECT_EQ(timeline.step(9999).object, "heap 0x100000000040");
  EXPECT_EQ(timeline.last(256).back().step, 9999u);
}

TEST_F(MakeFinding, UnterminatedMessage) {
  std::memset(builder_.detail()->failure.message, 'm', sizeof(wire::FailureDetail::message));
  EXPECT_EQ(make().message, std::string(sizeof(wire::FailureDetail::message), 'm'));
}

// The program under test has written over the region: any finding is right, a crash is not.
TEST_F(MakeFinding, SurvivesAnyBytes) {
  Random random(3);
  for (int round = 0; round < sample_count(40, 200); ++round) {
    builder_.detail()->job = kJob;
    auto scribble = [&](void* begin, size_t size, uint64_t times) {
      for (uint64_t i = 0; i < times; ++i) {
        uint64_t value = random.below(2) == 0 ? random.next() : ~uint64_t{0};
        size_t at = random.below(size - sizeof value);
        std::memcpy(static_cast<char*>(begin) + at, &value, sizeof value);
      }
    };
    wire::Detail* detail = builder_.detail();
    scribble(&detail->failure, sizeof detail->failure, 20);
    scribble(detail->steps, sizeof(wire::StepDetail) * 5, 50);
    scribble(detail->threads, sizeof(wire::ThreadDetail) * 4, 50);
    scribble(&detail->early_count, 2 * sizeof(uint64_t), 1);
    scribble(detail->early, sizeof(wire::EarlyStep) * 5, 20);
    scribble(detail->early_stacks, sizeof(wire::Stack) * 2, 20);
    scribble(steps_.data(), steps_.size() * sizeof(wire::Step), 10);
    detail->thread_count = random.below(2) == 0 ? 4 : static_cast<uint32_t>(random.next());
    detail->step_count = 5;
    execution_.result.failure = static_cast<wire::Failure>(random.below(256));
    execution_.result.pc = random.next();
    detail->witness_count = detail->name_count = static_cast<uint32_t>(random.next());
    Finding finding = make();
    EXPECT_EQ(finding.steps, 5u);
    EXPECT_TRUE(is_sound(finding.timeline));
    for (const DetailedStep& step : finding.timeline.last(5)) step_words(step);
    finding.location();
  }
}

TEST_F(MakeFinding, DescribesAStepWithoutDetail) {
  EXPECT_EQ(describe_step(builder_.modules(), steps_, 3), "T2: lock mutex");
  EXPECT_EQ(describe_step(builder_.modules(), steps_, 0), "main: create thread");
  EXPECT_EQ(describe_step(builder_.modules(), steps_, 5), "the end of the execution");
}

TEST(ThreadPaths, FromDetails) {
  std::vector<wire::ThreadDetail> threads(6);
  auto set = [&](size_t i, uint32_t parent, uint32_t ordinal) {
    threads[i].parent = parent;
    threads[i].ordinal = ordinal;
  };
  set(0, wire::kNoThread, 0);
  set(1, 0, 1);
  set(2, 1, 1);
  set(3, 0, 2);
  set(4, 1, 2);
  set(5, 5, 1);  // its own parent: garbage
  ThreadPaths paths{std::span<const wire::ThreadDetail>(threads)};
  EXPECT_EQ(paths.path(0), "0");
  EXPECT_EQ(paths.path(2), "1.1");
  EXPECT_EQ(paths.path(3), "2");
  EXPECT_EQ(paths.path(4), "1.2");
  EXPECT_EQ(paths.path(5), "?");
  EXPECT_EQ(paths.path(99), "?");
}

TEST(ThreadPaths, AChainOfThreadsStaysInBounds) {
  std::vector<wire::Step> steps;
  for (uint32_t i = 0; i < 20000; ++i) steps.push_back(step_of(i, Op::create));
  ThreadPaths paths{std::span<const wire::Step>(steps)};
  EXPECT_EQ(paths.size(), 20001u);
  EXPECT_EQ(paths.path(3), "1.1.1");
  EXPECT_EQ(paths.path(20000), "?");
}

TEST(Words, ThreadsAreOrderedByTheirPaths) {
  std::vector<std::string> paths = {"10", "2.1", "0", "2", "1.10", "1.9", "1"};
  std::sort(paths.begin(), paths.end(), path_before);
  EXPECT_THAT(paths, testing::ElementsAre("0", "1", "1.9", "1.10", "2", "2.1", "10"));
  EXPECT_EQ(thread_name("0"), "main");
  EXPECT_EQ(thread_name("2.1"), "T2.1");
}

TEST(Words, Values) {
  EXPECT_EQ(value_words(5, 4), "5");
  EXPECT_EQ(value_words(0xffffffff, 4), "-1");
  EXPECT_EQ(value_words(0xff, 1), "-1");
  EXPECT_EQ(value_words(0xffffffff, 8), "4294967295");
  EXPECT_EQ(value_words(0x100000000040, 8), "0x100000000040");
  EXPECT_EQ(value_words(0xffffffff00000005, 4), "5");  // only the low bytes count
}

}  // namespace
}  // namespace heddle::trace
