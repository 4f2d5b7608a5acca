// A script that makes transfers for ever. Where everybody gets a turn and the script's own
// variables come back it is a livelock; where it counts, or keeps somebody out, it is cut.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: env HEDDLE_OPTIONS='--max-steps 2000 --executions 1' %t turns
// EXIT: 1
// OUT: FAILED  livelock at endless.cc:\d+
// OUT: T1 +reads flag: 0
// RUN: env HEDDLE_OPTIONS='--max-steps 2000 --executions 1' %t other
// EXIT: 1
// OUT: FAILED  livelock at endless.cc:\d+
// RUN: env HEDDLE_OPTIONS='--max-steps 2000 --executions 1' %t counts
// EXIT: 0
// OUT: did not end within 2000 steps and were cut
// RUN: env HEDDLE_OPTIONS='--max-steps 2000 --executions 1' %t keeps_out
// EXIT: 0
// OUT: did not end within 2000 steps and were cut
#include <heddle/scenario.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

using namespace heddle::script;

std::atomic<int> flag{0};
volatile int rounds;

int main(int, char** argv) {
  std::string way = argv[1];
  heddle::Report report = heddle::scenario([&](heddle::Script& s) {
    auto wait = [] {
      while (flag == 0) std::this_thread::yield();
    };
    auto a = s.thread("A", wait);
    auto b = s.thread("B", wait);
    auto setter = s.thread("Setter", [] { flag = 1; });
    if (way != "keeps_out") s.without(a, b, [&] { s.transfer(any).until(end); });
    flag = 0;
    while (way == "turns" && !s.all_ended()) {
      s.transfer(a).until(next);
      s.transfer(b).until(next);
    }
    Thread last;
    while (way == "other" && !s.all_ended()) last = s.transfer(any).except(last).until(next);
    while (way == "counts" && !s.all_ended()) {
      s.transfer(a).until(next);
      s.transfer(b).until(next);
      rounds = rounds + 1;
    }
    while (way == "keeps_out" && !s.ended(a)) s.transfer(a, b).until(next);
    s.transfer(setter).until(end);
  });
  std::printf("%s", report.text().c_str());
  return report.exit_code();
}
