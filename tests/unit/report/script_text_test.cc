#include "report/script_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/findings.h"

namespace heddle::report {
namespace {

using testing::HasSubstr;
using testing::Not;
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
  EXPECT_EQ(line(Op::sem_wait, "room", Naming::variable), "until(waits(room))");
}

TEST(ScriptText, WhatTheScriptHidesIsNamedInFull) {
  EXPECT_EQ(line(Op::read, "end", Naming::variable), "until(reads(::end))");
  EXPECT_EQ(line(Op::read, "s.size", Naming::variable), "until(reads(::s.size))");
  EXPECT_EQ(line(Op::lock, "t0", Naming::variable), "until(locks(::t0))");
}

TEST(ScriptText, WhatTheScriptCannotNameIsSoManyOperationsFurtherOn) {
  EXPECT_EQ(line(Op::lock, "heap 0x1000", Naming::none), "until(next).count(2)");
  EXPECT_EQ(line(Op::lock, "m", Naming::local), "until(next).count(2)");
  EXPECT_EQ(line(Op::lock, "m", Naming::given), "until(next).count(2)");
  EXPECT_EQ(line(Op::lock, "ring+8", Naming::variable), "until(next).count(2)");
  EXPECT_EQ(line(Op::lock, "m", Naming::inner), "until(next).count(2)");
  EXPECT_EQ(line(Op::cond_signal, "cv", Naming::variable), "until(next).count(2)");
}

// Before it is known that the access races, it is none of the operations that are counted.
TEST(ScriptText, AfterAPlainAccessOfWhatHasNoNameTheThreadMayBeFurther) {
  auto text = [](const ScriptTest& test) {
    trace::TraceFile file =
        found(turn("1", 3, 5, Turn::Stop::preempted, Op::read, "heap", Naming::none));
    file.finding.turns.push_back(turn("1", 6, 7, Turn::Stop::ended, Op::fence, "", Naming::none));
    return script_text(file, test);
  };
  EXPECT_THAT(text({}), HasSubstr("    s.transfer(eat_1).until(next || end || blocked).count(2);"));
  EXPECT_THAT(text({}), HasSubstr("    if (!s.ended(eat_1) && !s.blocked(eat_1)) "
                                  "s.transfer(eat_1).until(end);\n"));
  ScriptTest test;
  test.options = {{"accesses", "all"}};
  EXPECT_THAT(text(test), HasSubstr("    s.transfer(eat_1).until(end);\n"));
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
  ScriptTest test{
      .options = {{"leaks", "true"}}, .name = "./philosophers", .arguments = {"a \"b\""}};
  EXPECT_EQ(script_text(file, test),
            R"(// The interleaving of a failure: deadlock at philosophers.cc:17.
// heddle show --script heddle-out/philosophers-1.heddle
// Build it as the program is built, with this file in the place of main's:
//   heddle-c++ -g THIS_FILE.cc -Wl,--wrap=main
#include <heddle/scenario.h>
#include <stdlib.h>
#include <unistd.h>

#include <iostream>

#include "/home/ada/philosophers.cc"

extern "C" int __real_main(int, char**, char**);  // the program's

__attribute__((no_sanitize_thread)) void program_under_test() {
  static char word_0[] = "./philosophers";
  static char word_1[] = "a \"b\"";
  static char* arguments[] = {word_0, word_1, nullptr};
  int status = __real_main(2, arguments, environ);
  if (status != 0) exit(status);
}

extern "C" int __wrap_main() {
  using heddle::script::any, heddle::script::blocked, heddle::script::end;
  heddle::Report report = heddle::scenario([](heddle::Script& s) {
    auto t0 = s.thread("main", program_under_test);
    s.transfer(t0).until(blocked);  // waits for T1 to end, philosophers.cc:17
    auto eat_1 = s.next_thread();  // T1
    s.next_thread();  // T2, which has no turn
    // heddle::choose gives 2 in this turn
    s.transfer(eat_1).until(blocked);  // waits to lock mutex forks[1], philosophers.cc:17: take(
    while (!s.all_ended()) s.transfer(any).until(end);  // nobody can go on
  }, heddle::Options{}.set("leaks", "true"));
  std::cout << report.text();
  return report.exit_code();
}
)");
}

TEST(ScriptText, OfACheckTheBodyIsTheUsers) {
  ScriptTest test;
  test.is_check = true;
  std::string text = script_text(
      found(turn("1", 3, 7, Turn::Stop::blocked, Op::lock, "queue.mutex", Naming::variable)), test);
  EXPECT_THAT(text, HasSubstr("s.thread(\"main\", [] { /* the body of the test */ });"));
  EXPECT_THAT(text, HasSubstr("#include \"/home/ada/philosophers.cc\""));
  EXPECT_EQ(text.find("__real_main"), std::string::npos);
}

TEST(ScriptText, MembersMayBePrivate) {
  auto of = [](const std::string& object) {
    return script_text(
        found(turn("1", 3, 5, Turn::Stop::preempted, Op::lock, object, Naming::variable)), {});
  };
  EXPECT_THAT(of("queue.mutex_"), HasSubstr("THIS_FILE.cc -fno-access-control -Wl"));
  EXPECT_THAT(of("mutex"), Not(HasSubstr("-fno-access-control")));
}

TEST(ScriptText, WhatIsInCIsBuiltForItself) {
  trace::TraceFile file =
      found(turn("1", 3, 5, Turn::Stop::preempted, Op::lock, "mutex", Naming::variable));
  file.finding.threads[0].stack[0].file = "/home/ada/philosophers.c";
  std::string text = script_text(file, {});
  EXPECT_THAT(text, HasSubstr("//   heddle-cc -g -c /home/ada/philosophers.c -o program.o\n"));
  EXPECT_THAT(text, HasSubstr("THIS_FILE.cc -Wl,--wrap=main program.o\n"));
  EXPECT_THAT(text, HasSubstr("s.transfer(eat_1).until(next).count(2);"));
  EXPECT_EQ(text.find("#include \"/home"), std::string::npos);
}

}  // namespace
}  // namespace heddle::report
