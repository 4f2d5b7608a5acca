// heddle::check from an ordinary program: the caller stays intact, gets a report, and may call
// again.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// OUT: ^all good
// RUN: %heddle replay heddle-out/*-1.heddle
// EXIT: 1
// OUT: assertion
// RUN: HEDDLE_OPTIONS="--preemptions 0" %t bounded
// OUT: ^bounded passed 0
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::vector<std::string> log;  // grows in the tests, and must not here

void lost_update() {
  std::atomic<int> counter{0};
  log.push_back("a line long enough to be allocated somewhere on the heap");
  std::thread other([&] { counter = counter + 1; });
  counter = counter + 1;
  other.join();
  HEDDLE_ASSERT(counter == 2);
}

void locked_update() {
  static int runs;
  HEDDLE_ASSERT(runs++ == 0 && log.size() == 1);
  log.push_back(log[0] + log[0]);
  std::mutex mutex;
  int counter = 0;
  auto increase = [&] {
    std::lock_guard lock(mutex);
    ++counter;
  };
  std::thread other(increase);
  increase();
  other.join();
  HEDDLE_ASSERT(counter == 2);
}

int main(int argc, char** arguments) {
  log.push_back("the caller's");
  heddle::Options options = heddle::Options{}.preemptions(1).seconds(60).quiet();
  heddle::Report lost = heddle::check(lost_update, options);
  if (argc > 1 && std::strcmp(arguments[1], "bounded") == 0) {
    std::printf("bounded %s %d\n", lost.verdict() == heddle::Verdict::passed ? "passed" : "?",
                lost.exit_code());
    return 0;
  }
  assert(!lost.ok() && lost.verdict() == heddle::Verdict::failed && lost.exit_code() == 1);
  assert(lost.failures().size() == 1 && lost.failures()[0].kind == "assertion");
  assert(lost.failures()[0].location == "in_process.cc:31" &&
         lost.executions() == lost.failures()[0].execution);
  assert(lost.text().find("counter == 2") != std::string::npos);
  assert(lost.json().find("\"verdict\": \"failed\"") != std::string::npos);
  heddle::Report locked =
      heddle::check(locked_update, heddle::Options{}.no_preemption_bound().quiet());
  if (!locked.ok()) std::puts(locked.text().c_str());
  assert(locked.ok() && locked.verdict() == heddle::Verdict::passed && locked.exit_code() == 0);
  assert(locked.executions() > 5 && log.size() == 1);
  assert(!heddle::controlled() && heddle::choose(5) == 0);
  std::puts("all good");
}
