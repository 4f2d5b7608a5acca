#include "report/script_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/findings.h"

namespace heddle::report {
namespace {

using testing::HasSubstr;
using trace::Naming;
using trace::Turn;
using wire::Op;

Turn turn(const std::string& thread, uint32_t begin, uint32_t end, Turn::Stop stop, Op op,
          const std::string& object, Naming naming) {
  Turn turn;
  turn.thread = thread;
  turn.begin = begin;
  turn.end = end;
  turn.stop = stop;
  turn.next = step_at(end, thread, op, object, 17);
  turn.next.naming = naming;
  return turn;
}

// main creates two threads, the second of which never runs.
trace::TraceFile found(Turn of_thread) {
  trace::TraceFile file;
  file.finding = deadlock();
  file.finding.threads[1].entry = "app::eat(int)";
  file.steps.resize(7);
  file.steps[1].op = file.steps[2].op = Op::create;
  file.finding.turns = {turn("0", 0, 3, Turn::Stop::blocked, Op::join, "T1", Naming::none),
                        std::move(of_thread)};
  return file;
}

std::string line(Op op, const std::string& object, Naming naming, uint32_t same = 1) {
  Turn of_thread = turn("1", 3, 5, Turn::Stop::preempted, op, object, naming);
  of_thread.same = same;
  of_thread.in_line = same;
  std::string text = script_text(found(of_thread), {});
  size_t begin = text.find("s.transfer(eat_1).until(");
  if (begin == std::string::npos) return text;
  return text.substr(begin + 18, text.find(';', begin) - begin - 18);
}

TEST(ScriptText, NamesWhatTheThreadIsAboutToDo) {
  EXPECT_EQ(line(Op::lock, "forks[1]", Naming::variable), "until(locks(forks[1]))");
  EXPECT_EQ(line(Op::lock, "forks[1]", Naming::variable, 3), "until(locks(forks[1])).count(3)");
  EXPECT_EQ(line(Op::unlock, "app::m", Naming::variable), "until(unlocks(app::m))");
  EXPECT_EQ(line(Op::cond_wait, "queue.empty", Naming::variable), "until(waits(queue.empty))");
  EXPECT_EQ(line(Op::read, "x", Naming::variable), "until(reads(x))");
  EXPECT_EQ(line(Op::atomic_store, "(anonymous namespace)::x", Naming::variable),
            "until(writes(x))");
  EXPECT_EQ(line(Op::atomic_load, "head", Naming::given), "until(reads(\"head\"))");
}

TEST(ScriptText, WhatHasNoNameIsALine) {
  EXPECT_EQ(line(Op::lock, "heap 0x1000", Naming::none), "until(at(\"philosophers.cc:17\"))");
  EXPECT_EQ(line(Op::lock, "m", Naming::local, 2), "until(at(\"philosophers.cc:17\")).count(2)");
  EXPECT_EQ(line(Op::lock, "ring+8", Naming::variable), "until(at(\"philosophers.cc:17\"))");
  EXPECT_EQ(line(Op::cond_signal, "cv", Naming::variable), "until(at(\"philosophers.cc:17\"))");
}

TEST(ScriptText, AnUpdateIsAnAccess) {
  Turn of_thread = turn("1", 3, 5, Turn::Stop::preempted, Op::atomic_load, "x", Naming::variable);
  of_thread.accesses = 4;
  EXPECT_THAT(script_text(found(of_thread), {}), HasSubstr("until(reads(x));"));
  of_thread.updates = 1;
  EXPECT_THAT(script_text(found(of_thread), {}), HasSubstr("until(accesses(x)).count(4);"));
}

TEST(ScriptText, AThreadThatHasOnlyToEndEndsAtOnce) {
  trace::TraceFile file = found(turn("1", 3, 5, Turn::Stop::preempted, Op::end, "", Naming::none));
  file.finding.turns.push_back(
      turn("0", 5, 6, Turn::Stop::preempted, Op::atomic_load, "x", Naming::variable));
  file.finding.turns.push_back(turn("1", 6, 7, Turn::Stop::ended, Op::fence, "", Naming::none));
  std::string text = script_text(file, {});
  EXPECT_THAT(text, HasSubstr("s.transfer(eat_1).until(end);\n"
                              "    s.transfer(t0).until(reads(x));"));
  EXPECT_EQ(text.find("eat_1", text.find("reads(x)")), std::string::npos);
}

TEST(ScriptText, IsAProgram) {
  Turn of_thread = turn("1", 3, 7, Turn::Stop::blocked, Op::lock, "forks[1]", Naming::variable);
  trace::TraceFile file = found(of_thread);
  file.steps[4].op = Op::choose;
  file.steps[4].outcome = 2;
  file.finding.turns[1].next.stack[1].source = "take(  \\";
  EXPECT_EQ(script_text(file, {{"leaks", "true"}}),
            R"(// The interleaving of a failure: deadlock at philosophers.cc:17.
// heddle show --script heddle-out/philosophers-1.heddle
// Put the body of the test, which was main's or that of heddle::check, into the thread.
#include <heddle/scenario.h>

using namespace heddle::script;

int main() {
  heddle::Report report = heddle::scenario([](heddle::Script& s) {
    auto t0 = s.thread("main", [&] { /* the body of the test */ });
    s.transfer(t0).until(blocked);  // waits for T1 to end, philosophers.cc:17
    auto eat_1 = s.next_thread();  // T1
    s.next_thread();  // T2, which has no turn
    // heddle::choose gives 2 in this turn
    s.transfer(eat_1).until(blocked);  // waits to lock mutex forks[1], philosophers.cc:17: take(
    while (!s.all_ended()) s.transfer(any).until(end);  // nobody can go on
  }, heddle::Options{}.set("leaks", "true"));
  return report.exit_code();
}
)");
}

}  // namespace
}  // namespace heddle::report
