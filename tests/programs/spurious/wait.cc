// With --spurious a wait may wake for no reason, once in a row; but nobody can rely on it, so a
// lost signal is a deadlock all the same. Main waits once (W) while T1 begins, signals and ends (b
// s e). Then main locks again and unlocks (R U), and joins when T1 has ended.
//
// Without: W before b, or between b and s; then s wakes it, and R U mix with e in 3 ways: 2 x 3.
// W before e or after it: the signal is lost, a deadlock: 2. Together 8.
// With: while main sleeps and T1 has r steps left, it may wake, and R U mix with those in
// (r+2)!/(r!2!) ways: 10 for b s e, 6 for s e, 3 for e. Where T1 has ended that is no option.
//   W before b: wakes 10; after b: wakes 6, is woken 3        19
//   W before s: wakes 6, is woken 3                            9
//   W before e: wakes 3, deadlock 1                            4
//   W after e:  deadlock 1                                     1
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --keep-going --json %t.json %t once
// EXIT: 1
// JSON: j["executions"] == 8 and j["failing_executions"] == 2
// RUN: %heddle run --strategy dfs --keep-going --spurious --json %t.json %t once
// EXIT: 1
// JSON: j["executions"] == 33 and j["failing_executions"] == 2
// JSON: all(f["kind"] == "deadlock" for f in j["failures"])
// An `if` in the place of a `while`: only spurious wake-ups show it.
// RUN: %heddle run --strategy dfs --json %t.json %t if
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --spurious --json %t.json --out %t.out %t if
// EXIT: 1
// OUT: wake on condition changed.* \(spuriously\)
// JSON: j["failures"][0]["kind"] == "assertion"
// RUN: %heddle replay --times 5 %t.out/*-1.heddle
// EXIT: 1
// OUT: reproduced 5 times, the same to the step
// RUN: %heddle run --strategy dfs --spurious --json %t.json %t while
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy random --executions 300 --spurious --json %t.json %t if
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "assertion"
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;

int main(int, char** arguments) {
  std::string mode = arguments[1];
  std::unique_lock lock(mutex);
  std::thread other([&] {
    if (mode != "once") {
      std::lock_guard guard(mutex);
      ready = true;
    }
    changed.notify_one();
  });
  if (mode == "once") changed.wait(lock);
  if (mode == "if" && !ready) changed.wait(lock);
  while (mode == "while" && !ready) changed.wait(lock);
  assert(mode == "once" || ready);
  lock.unlock();
  other.join();
}
