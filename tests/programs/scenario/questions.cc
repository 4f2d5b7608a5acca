// The two questions (concurrit, section 2.1), and what their reports and exit codes are.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: HEDDLE_OPTIONS="--json %t.json" %t exists
// OUT: ^passed: execution 2 goes as the script says: heddle replay heddle-out/.*-1.heddle
// JSON: j["verdict"] == "passed" and j["realised"] == 1 and j["infeasible"] == 0 and j["pruned"] == 1
// RUN: %heddle replay heddle-out/*-1.heddle
// RUN: HEDDLE_OPTIONS="--json %t.json" %t fails
// EXIT: 1
// OUT: FAILED  assertion in main at questions.cc:64
// OUT: The script transferred to
// OUT: questions.cc:63  A \(T1\)
// JSON: j["verdict"] == "failed" and j["realised"] == 0
// RUN: %heddle replay heddle-out/*-1.heddle
// EXIT: 1
// OUT: assertion
// RUN: HEDDLE_OPTIONS="--json %t.json" %t unmet
// EXIT: 1
// OUT: FAILED  unmet in main at questions.cc:74
// OUT: no execution goes as the script says; the best attempt:
// OUT: B does not come to its point: it is blocked
// OUT: T2  waits to lock mutex m, held by T1
// JSON: j["verdict"] == "failed" and j["failures"][0]["kind"] == "unmet" and j["realised"] == 0
// JSON: j["infeasible"] == 1 and j["executions"] == 1
// RUN: %heddle replay heddle-out/*-1.heddle
// EXIT: 1
// OUT: unmet
// RUN: %t empty
// OUT: ^passed: all executions of the script: 1 execution, 1 of them infeasible
// RUN: %t discarded
// EXIT: 1
// OUT: unmet
// OUT: no execution goes as the script says: all 6 were discarded
// RUN: %t deadlock
// EXIT: 1
// OUT: FAILED  deadlock
// RUN: HEDDLE_OPTIONS="--reduce dpor --retries last" %t exists
// EXIT: 2
// OUT: --retries last does not go with a script
// RUN: HEDDLE_OPTIONS="--executions 5" %t many
// OUT: ^incomplete: budget exhausted \(--executions 5\)
// RUN: HEDDLE_OPTIONS="--resume --json %t.json" %t many
// OUT: ^passed: all executions of the script: 20 executions
// JSON: j["realised"] == 20
#include <heddle/scenario.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>

using namespace heddle::script;
using heddle::Script;

int tell(const heddle::Report& report) {
  std::printf("%s", report.text().c_str());
  return report.exit_code();
}

void fails(Script& s) {
  std::atomic<int> x{0};
  auto a = s.thread("A", [&] { x = 1, x = 2; });
  s.transfer(a).until(any);
  HEDDLE_ASSERT(x == 1);
  s.transfer(a).until(end);
}

void stuck(Script& s) {
  std::mutex m;
  heddle::name(&m, "m");
  auto a = s.thread("A", [&] { std::lock_guard lock(m); });
  auto b = s.thread("B", [&] { std::lock_guard lock(m); });
  s.transfer(a).until(unlocks(m));
  s.transfer(b).until(end);
  s.transfer(a).until(end);
}

int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "exists") {
    return tell(heddle::scenario([](Script& s) {
                  std::atomic<int> x{0};
                  auto a = s.thread("A", [&] { x = 1, x = 2; });
                  s.transfer(a).until(any);
                  s.assume(x == 1);
                  s.transfer(a).until(end);
                }).exists());
  }
  if (what == "fails") return tell(heddle::scenario(fails).exists());
  if (what == "unmet") return tell(heddle::scenario(stuck).forall());
  if (what == "empty") return tell(heddle::scenario(stuck).may_be_empty());
  if (what == "discarded") {
    return tell(heddle::scenario([](Script& s) {
      for (int i = 0; i < 3; ++i) s.thread("T", [] {});
      while (!s.all_ended()) s.transfer(any).until(end);
      s.assume(false);
    }));
  }
  if (what == "deadlock") {
    return tell(heddle::scenario([](Script& s) {
      std::mutex m, n;
      auto a = s.thread("A", [&] {
        std::lock_guard l(m);
        std::lock_guard k(n);
      });
      auto b = s.thread("B", [&] {
        std::lock_guard l(n);
        std::lock_guard k(m);
      });
      s.transfer(a).until(locks(n));
      s.transfer(b).until(locks(m));
      s.transfer(any).until(end);
    }));
  }
  return tell(heddle::scenario([](Script& s) {
    std::atomic<int> x{0};
    s.thread("A", [&] { ++x; });
    s.thread("B", [&] { ++x; });
    while (!s.all_ended()) s.transfer(any).until(any);
  }));
}
