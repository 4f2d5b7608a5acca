#include "trace/trace_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"

namespace heddle::trace {
namespace {

namespace fs = std::filesystem;

Place place(const std::string& function, int line) {
  return {function, "/home/user/queue.h", line, "queue_test", 0x1234, false, true, "head = n;"};
}

DetailedStep step(uint32_t number) {
  DetailedStep step;
  step.step = number;
  step.thread = "2.1";
  step.op = wire::Op::atomic_cas;
  step.outcome = 1;
  step.choice = 2;
  step.options = 3;
  step.preemption = true;
  step.object = "head";
  step.size = 8;
  step.before = 7;
  step.after_name = "&nodes[2]";
  step.in_vain = true;
  step.holder = "1";
  step.stack = {place("push", 41), place("main", 7)};
  return step;
}

// Something in every field that can hold several.
TraceFile example() {
  TraceFile file;
  Finding& finding = file.finding;
  finding.kind = wire::Failure::livelock;
  finding.message = "they \"go on\" for ever\n";
  finding.thread = "2";
  finding.stack = {place("pop", 12)};
  finding.object = "head";
  finding.witnesses = {{wire::Role::allocated, "1", 24, {place("make", 3)}}};
  finding.key = 99;
  finding.execution = 17;
  finding.stage = "at most 1 preemption";
  finding.steps = 2;
  finding.sequence = ~uint64_t{0};
  finding.decisions = {{3, 1, "2", "T2 preempts T1"}, {9, 2, "?", ""}};
  finding.timeline = Timeline(std::vector{step(0), step(1)});
  finding.timeline.enabled = {0, 0};
  finding.timeline.steps[0].enabled_end = 1;
  finding.timeline.steps[1].enabled_end = 2;
  finding.cycle = Cycle{1, 1, 5, {step(1)}};
  finding.waits = {{"1", "reads flag: 0", {place("spin", 5)}}};
  finding.threads = {{"0", wire::ThreadState::waiting, wire::Op::join, "T1", "1", {}}};
  finding.turns = {Turn{"2.1", 3, 9, Turn::Stop::blocked, step(9), 1, 2, 3, 4}};
  finding.output = std::string("zero \0 in it", 12);
  finding.schedule_file = "heddle-out/queue-1.heddle";
  file.steps.resize(2);
  file.steps[1].object = 5;
  file.modules.resize(1);
  file.modules[0].base = 0x400000;
  return file;
}

class TraceFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-trace-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    path_ = folder_ / "out" / "queue-1.trace";
    schedule_ = folder_ / "out" / "queue-1.heddle";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  std::string problem() const {
    try {
      read_trace_file(path_, schedule_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
  fs::path path_;
  std::string schedule_;
};

TEST_F(TraceFileTest, WhatIsReadIsWhatWasWritten) {
  TraceFile written = example();
  write_trace_file(path_, written);
  TraceFile read = read_trace_file(path_, schedule_);
  const Finding& finding = read.finding;
  EXPECT_EQ(finding.kind, wire::Failure::livelock);
  EXPECT_EQ(finding.message, written.finding.message);
  EXPECT_EQ(finding.output, written.finding.output);
  EXPECT_EQ(finding.sequence, ~uint64_t{0});
  EXPECT_EQ(finding.location(), written.finding.location());
  ASSERT_EQ(finding.witnesses.size(), 1u);
  EXPECT_EQ(finding.witnesses[0].stack[0].function, "make");
  EXPECT_EQ(finding.witnesses[0].stack[0].source, "head = n;");
  ASSERT_EQ(finding.decisions.size(), 2u);
  EXPECT_EQ(finding.decisions[0].note, "T2 preempts T1");
  ASSERT_EQ(finding.timeline.size(), 2u);
  DetailedStep last = finding.timeline.step(1);
  EXPECT_EQ(last.after_name, "&nodes[2]");
  EXPECT_EQ(last.thread, "2.1");
  EXPECT_EQ(last.before, 7u);
  EXPECT_TRUE(last.stack[0].foreign);
  EXPECT_EQ(last.stack[1].function, "main");
  EXPECT_EQ(finding.timeline.enabled_at(1).size(), 1u);
  ASSERT_TRUE(finding.cycle.has_value());
  EXPECT_EQ(finding.cycle->repeats, 5u);
  EXPECT_EQ(finding.cycle->steps[0].holder, "1");
  EXPECT_EQ(finding.waits[0].words, "reads flag: 0");
  EXPECT_EQ(finding.threads[0].holder, "1");
  ASSERT_EQ(finding.turns.size(), 1u);
  EXPECT_EQ(finding.turns[0].stop, Turn::Stop::blocked);
  EXPECT_EQ(finding.turns[0].next.stack[1].function, "main");
  EXPECT_EQ(finding.turns[0].in_line, 4u);
  EXPECT_EQ(finding.schedule_file, "heddle-out/queue-1.heddle");
  ASSERT_EQ(read.steps.size(), 2u);
  EXPECT_EQ(read.steps[1].object, 5u);
  ASSERT_EQ(read.modules.size(), 1u);
  EXPECT_EQ(read.modules[0].base, 0x400000u);
  // Written again, it is the same to the byte.
  std::string first = bytes();
  write_trace_file(path_, read);
  EXPECT_EQ(bytes(), first);
}

TEST_F(TraceFileTest, ADamagedFileIsRefused) {
  EXPECT_NE(problem().find("there is no trace"), std::string::npos);
  EXPECT_NE(problem().find("heddle replay " + schedule_), std::string::npos);
  write_trace_file(path_, example());
  std::string whole = bytes();
  size_t begin = whole.find('\n') + 1;
  for (size_t at = begin; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] ^= 0x01;
    write(damaged);
    // A few bits of a frame's head make no difference to what is in it.
    std::string what = problem();
    if (what.empty()) {
      write_trace_file(path_, read_trace_file(path_, schedule_));
      EXPECT_EQ(bytes(), whole) << at;
    } else {
      EXPECT_NE(what.find("is damaged"), std::string::npos) << at;
    }
  }
  for (size_t size = begin; size < whole.size(); ++size) {
    write(whole.substr(0, size));
    EXPECT_NE(problem().find("is damaged"), std::string::npos) << size;
  }
  write(whole + "x");
  EXPECT_NE(problem().find("is damaged"), std::string::npos);
}

TEST_F(TraceFileTest, SomethingElseIsRefused) {
  write_trace_file(path_, example());
  std::string whole = bytes();
  write("#!/bin/sh\n");
  EXPECT_NE(problem().find("is no trace"), std::string::npos);
  std::string older = whole;
  older[std::string("heddle trace ").size()] = '0';
  write(older);
  EXPECT_NE(problem().find("another version of heddle (heddle trace 0"), std::string::npos);
  write(whole);
  EXPECT_EQ(problem(), "");
}

TEST(TracePath, IsBesideTheSchedule) {
  EXPECT_EQ(trace_beside("heddle-out/philosophers-1.heddle"), "heddle-out/philosophers-1.trace");
  EXPECT_EQ(trace_beside("somewhere"), "somewhere.trace");
  EXPECT_EQ(schedule_beside("heddle-out/philosophers-1.trace"), "heddle-out/philosophers-1.heddle");
  EXPECT_TRUE(is_trace_path("x-1.trace"));
  EXPECT_FALSE(is_trace_path("x.trace-1.heddle"));
}

}  // namespace
}  // namespace heddle::trace
