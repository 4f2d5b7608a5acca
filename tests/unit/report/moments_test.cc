// What matters of a long execution is shown, and the rest folded.
#include "report/moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/findings.h"

namespace heddle::report {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using trace::DetailedStep;
using wire::Op;

std::string lines_between(const std::string& text, size_t width) {
  std::string wide;
  for (const std::string& line : split_lines(text)) {
    if (columns(line) > width) wide += line + "\n";
  }
  return wide;
}

DetailedStep access(uint32_t number, const std::string& thread, Op op, const std::string& object,
                    int line) {
  DetailedStep step = step_at(number, thread, op, object, line);
  step.naming = trace::Naming::variable;
  step.stack = {user("test()", line)};
  return step;
}

// 40 steps of set-up, two threads whose updates are lost, and 60 steps behind them.
trace::Finding lost_update() {
  trace::Finding finding;
  finding.kind = wire::Failure::assertion;
  finding.message = "assertion `c == 2' failed";
  finding.thread = "0";
  std::vector<DetailedStep> steps;
  auto add = [&](const std::string& thread, Op op, const std::string& object, int line) {
    auto number = static_cast<uint32_t>(steps.size());
    steps.push_back(access(number, thread, op, object, line));
    if (op == Op::create) steps.back().naming = trace::Naming::none;
  };
  for (int i = 0; i < 20; ++i) {
    add("0", Op::lock, "m", 9);
    add("0", Op::unlock, "m", 12);
  }
  add("0", Op::create, "T1", 20);
  add("0", Op::create, "T2", 21);
  add("1", Op::begin, "", 5);
  add("1", Op::atomic_load, "c", 5);
  add("2", Op::begin, "", 5);
  steps.back().preemption = true;
  steps.back().choice = 1;
  add("2", Op::atomic_load, "c", 5);
  add("2", Op::atomic_store, "c", 6);
  add("2", Op::end, "", 7);
  add("1", Op::atomic_store, "c", 6);
  add("1", Op::end, "", 7);
  for (int i = 0; i < 30; ++i) {
    add("0", Op::lock, "m", 30);
    add("0", Op::unlock, "m", 30);
  }
  add("0", Op::atomic_load, "c", 31);
  finding.steps = static_cast<uint32_t>(steps.size());
  finding.preemptions = 1;
  finding.timeline = trace::Timeline(steps);
  return finding;
}

TEST(Moments, ThePreemptionAndWhatItSeparatesAreShownHoweverFarBack) {
  std::string text = moments_text(lost_update(), {});
  EXPECT_THAT(
      text,
      HasSubstr("    43                    atomic load c                   philosophers.cc:5\n"
                "    --  T2 preempts T1, before: atomic store c\n"
                "    44                                    thread begins   philosophers.cc:5\n"));
  EXPECT_THAT(text, HasSubstr("    48                    atomic store c"));
  EXPECT_THAT(text, HasSubstr("   110  atomic load c"));
}

TEST(Moments, TheRestIsFolded) {
  std::string text = moments_text(lost_update(), {});
  EXPECT_THAT(text, ContainsRegex("^1[0-9] of 111 steps \\(--steps all shows the rest\\):\n"));
  EXPECT_THAT(text, HasSubstr("\n   ...  41 steps of main: set-up, philosophers.cc:9 to 20\n"));
  EXPECT_THAT(text, HasSubstr("steps of main on m, philosophers.cc:30\n"));
}

TEST(Moments, OfVeryManyPreemptionsTheLastAreShownAndTheOthersCounted) {
  trace::Finding finding = lost_update();
  std::vector<DetailedStep> steps;
  for (uint32_t i = 0; i < 1000; ++i) {
    steps.push_back(access(i, i % 2 == 0 ? "1" : "2", Op::atomic_rmw, "c", 5));
    steps.back().preemption = i > 0;
  }
  finding.steps = 1000;
  finding.preemptions = 999;
  finding.timeline = trace::Timeline(steps);
  std::string text = moments_text(finding, {});
  EXPECT_THAT(text, HasSubstr("of T1 and T2, 980 of them preemptions on c, philosophers.cc:5\n"));
  EXPECT_LT(split_lines(text).size(), 50);
}

TEST(Moments, AllStepsOrAtLeastSoManyOnRequest) {
  View view;
  view.steps = View::kAllSteps;
  std::string text = moments_text(lost_update(), view);
  EXPECT_THAT(text, StartsWith("All 111 steps:\n"));
  EXPECT_THAT(text, Not(HasSubstr("...  ")));
  view.steps = 50;
  EXPECT_THAT(moments_text(lost_update(), view), StartsWith("50 of 111 steps"));
}

TEST(Moments, WhatIsAskedForIsNeverLessThanThePreemptions) {
  View view;
  view.steps = 1;
  EXPECT_THAT(moments_text(lost_update(), view), HasSubstr("T2 preempts T1"));
}

TEST(Moments, FitsTheWidth) {
  trace::Finding finding = lost_update();
  for (trace::Place& place : finding.timeline.places) {
    place.source = "for (int i = 0; i < 10; ++i) { std::lock_guard guard(m); ++sum; check(sum); }";
    place.column = 32;
  }
  for (size_t width : {60, 80, 100, 200}) {
    View view;
    view.width = width;
    EXPECT_EQ(lines_between(moments_text(finding, view), width), "");
  }
}

TEST(Moments, ALongLineIsCutAroundTheOperation) {
  trace::Finding finding = lost_update();
  for (trace::Place& place : finding.timeline.places) {
    place.source = std::string(100, 'x') + " guard(m); " + std::string(100, 'y');
    place.column = 102;
  }
  EXPECT_THAT(moments_text(finding, {}), HasSubstr("xx guard(m); yy"));
}

// What the library does for one line of the user's is one row.
TEST(Moments, StepsInsideOfALibraryAreOneRow) {
  trace::Finding finding = lost_update();
  std::vector<DetailedStep> steps = finding.timeline.last(finding.timeline.size());
  for (size_t i = 0; i < 40; ++i) {
    trace::Place inner = library("std::future<int>::get()");
    steps[i].stack = {library("std::__atomic_base<unsigned>::load()"), inner, user("test()", 9)};
  }
  finding.timeline = trace::Timeline(steps);
  View view;
  view.steps = 100;
  std::string text = moments_text(finding, view);
  EXPECT_THAT(text, HasSubstr("     0  40 steps in std::future::get"));
}

// … but not where the user calls it for that alone.
TEST(Moments, PrimitivesOfTheLibraryAreTheUsersOwn) {
  trace::Finding finding = lost_update();
  std::vector<DetailedStep> steps = finding.timeline.last(finding.timeline.size());
  for (size_t i = 0; i < 40; ++i) {
    steps[i].stack = {library("std::atomic<int>::load(std::memory_order) const"), user("f()", 9)};
  }
  finding.timeline = trace::Timeline(steps);
  View view;
  view.steps = 111;
  EXPECT_THAT(moments_text(finding, view), HasSubstr("    39  unlock mutex m"));
}

// A framework behind the test has no lines: the last that are shown are the user's.
TEST(Moments, TheLastStepsAreThoseWithLines) {
  trace::Finding finding = lost_update();
  std::vector<DetailedStep> steps = finding.timeline.last(finding.timeline.size());
  for (uint32_t i = 0; i < 100; ++i) {
    DetailedStep step = access(111 + i, "0", Op::destroy, "", 0);
    step.stack = {{"testing::UnitTest::Run()", "", 0, "gtest", 0x99, false}};
    steps.push_back(step);
  }
  finding.steps = 211;
  finding.timeline = trace::Timeline(steps);
  std::string text = moments_text(finding, {});
  EXPECT_THAT(text, HasSubstr("   110  atomic load c"));
  EXPECT_THAT(text, HasSubstr("   111  100 steps in testing::UnitTest::Run\n"));
}

TEST(Moments, TheWayToACycleIsShownWithItsPreemptions) {
  trace::Finding finding = lost_update();
  finding.kind = wire::Failure::livelock;
  finding.cycle = trace::Cycle{100, 2, 5, finding.timeline.last(2)};
  std::string text = moments_text(finding, {});
  EXPECT_THAT(text, StartsWith("Before the cycle, "));
  EXPECT_THAT(text, HasSubstr("T2 preempts T1"));
  EXPECT_THAT(text, HasSubstr("\n\nThe cycle: 2 steps"));
}

}  // namespace
}  // namespace heddle::report
