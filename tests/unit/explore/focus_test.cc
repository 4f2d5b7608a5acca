#include "explore/priority/focus.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::explore {
namespace {

wire::Step step(uint32_t thread, wire::Op op, uint16_t flags = 0) {
  wire::Step step{};
  step.thread = thread;
  step.op = op;
  step.flags = flags;
  return step;
}

constexpr uint16_t kIn = wire::kInFocus;
constexpr auto kLoad = wire::Op::atomic_load;

// main, two threads and one that never came to anything.
struct Fixture {
  std::vector<wire::Step> steps = {
      step(0, wire::Op::begin),  // 0
      step(0, kLoad),            // 1
      step(1, wire::Op::begin),  // 2
      step(1, kLoad, kIn),       // 3
      step(1, kLoad),            // 4
      step(2, wire::Op::begin),  // 5
      step(2, kLoad, kIn),       // 6
      step(2, wire::Op::end),    // 7
      step(1, wire::Op::end),    // 8
  };
  std::vector<wire::Step> pending = {step(0, wire::Op::join, kIn), step(3, wire::Op::begin)};
  trace::Execution execution;
  InFocus method{wire::kInFocus};

  Fixture() {
    execution.result.step_count = static_cast<uint32_t>(steps.size());
    execution.steps = steps;
    execution.pending = pending;
    method.look_at(execution);
  }

  int32_t of(uint32_t at, uint32_t thread) { return method.of({at, 1, thread, 0, 0, true}); }
};

TEST(InFocus, CountsWhatBothThreadsDoNext) {
  Fixture f;
  EXPECT_EQ(f.of(3, 2), 0);  // 1 stands before its step in focus; 2, yet to begin, before its own
  EXPECT_EQ(f.of(3, 3), 1);  // of 3 nothing is known
  EXPECT_EQ(f.of(4, 2), 1);  // 1 is past it
  EXPECT_EQ(f.of(7, 1), 2);  // 2 is past it, and so is 1
  EXPECT_EQ(f.of(7, 0), 1);  // main waits, pending, in focus
  EXPECT_EQ(f.of(2, 1), 0);  // main was about to wait
  EXPECT_EQ(f.of(0, 1), 1);  // before the first step nobody runs
}

TEST(InFocus, UnknownThreadsAreNotInFocus) {
  Fixture f;
  EXPECT_EQ(f.of(3, wire::kNoThread), 1);
  EXPECT_EQ(f.of(4, wire::kNoThread), 2);
}

TEST(InFocus, ForgetsTheExecutionBefore) {
  Fixture f;
  std::vector<wire::Step> steps = {step(0, wire::Op::begin), step(0, kLoad)};
  trace::Execution other;
  other.result.step_count = 2;
  other.steps = steps;
  f.method.look_at(other);
  EXPECT_EQ(f.of(1, 2), 2);
}

TEST(InFocus, VariablesHaveTheirOwnFlag) {
  Fixture f;
  InFocus var(wire::kVarInFocus);
  var.look_at(f.execution);
  EXPECT_EQ(var.of({3, 1, 2, 0, 0, true}), 2);
}

}  // namespace
}  // namespace heddle::explore
