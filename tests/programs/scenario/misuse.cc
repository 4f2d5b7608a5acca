// What is wrong with a script is told with its line.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t ended
// EXIT: 1
// OUT: FAILED  misuse in main at misuse.cc:72
// OUT: main transfers to A, which has ended
// RUN: %t nobody
// EXIT: 1
// OUT: FAILED  misuse in main at misuse.cc:73
// OUT: transfers to nobody: no thread is left that could go
// RUN: %t label
// EXIT: 1
// OUT: FAILED  unmet in main at misuse.cc:79
// OUT: A has ended without coming to "tow"; labels that were reached so far: "one", "two"
// RUN: %t waits
// EXIT: 1
// OUT: FAILED  misuse in main at misuse.cc:83
// OUT: waits in the script itself \(lock mutex\), and nobody goes while it does
// RUN: %t left
// EXIT: 1
// OUT: FAILED  misuse in main at misuse.cc:85
// OUT: makes its last transfer here, and A has not ended then
// RUN: %t scope
// EXIT: 1
// OUT: FAILED  misuse in main at misuse.cc:89
// OUT: main transfers to a thread that is not in the scope of with\(\) here
// RUN: %t next
// EXIT: 1
// OUT: FAILED  misuse in main at misuse.cc:92
// OUT: asks for the next thread, and the code under test has created no other so far
// RUN: %t spin
// EXIT: 1
// OUT: FAILED  unmet in main at misuse.cc:98
// OUT: B does not come to its point: it spins
// RUN: %t line
// EXIT: 2
// OUT: misuse.cc:\d+: until\(at\("misuse.cc:1"\)\): there is no code on that line; the next that has some: at\("misuse.cc:\d+"\)
// RUN: %t place
// EXIT: 2
// OUT: a place is a file and a line, e.g. at\("queue.h:41"\)
// RUN: %t function
// EXIT: 2
// OUT: misuse.cc:\d+: the script waits for the function 'nothing::of::that::name', and the program has none
// RUN: %t crash
// EXIT: 1
// OUT: FAILED  crash in T1
// OUT: The script transferred to
// OUT: misuse.cc:110  A \(T1\)  until yield point one
// RUN: %t throws
// EXIT: 1
// OUT: FAILED  exception in main
// OUT: no way
#include <heddle/scenario.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>

using namespace heddle::script;

int* volatile null;

void script(heddle::Script& s, const std::string& what) {
  std::mutex mutex;
  std::atomic<int> flag{0};
  if (what == "ended" || what == "nobody") {
    auto a = s.thread("A", [] {});
    s.transfer(a).until(end);
    if (what == "ended") s.transfer(a).until(end);
    if (what == "nobody") s.transfer(any).until(end);
  } else if (what == "label") {
    auto a = s.thread("A", [] {
      HEDDLE_YIELD("one");
      HEDDLE_YIELD("two");
    });
    s.transfer(a).until("tow");
  } else if (what == "waits") {
    auto a = s.thread("A", [&] { std::lock_guard lock(mutex); });
    s.transfer(a).until(unlocks(mutex));
    mutex.lock();
  } else if (what == "left") {
    s.transfer(s.thread("A", [&] { ++flag; })).until(next);
  } else if (what == "scope") {
    auto a = s.thread("A", [] {});
    auto b = s.thread("B", [] {});
    s.with(a, [&] { s.transfer(b).until(end); });
  } else if (what == "next") {
    s.transfer(s.thread("A", [] {})).until(end);
    s.next_thread();
  } else if (what == "spin") {
    s.thread("A", [&] { flag = 1; });
    auto b = s.thread("B", [&] {
      while (flag == 0) std::this_thread::yield();
    });
    s.transfer(b).until(end);
  } else if (what == "line") {
    s.transfer(s.thread("A", [] {})).until(at("misuse.cc:1"));
  } else if (what == "place") {
    s.transfer(s.thread("A", [] {})).until(at("misuse.cc"));
  } else if (what == "function") {
    s.transfer(s.thread("A", [] {})).until(enters("nothing::of::that::name"));
  } else if (what == "crash") {
    auto a = s.thread("A", [&] {
      HEDDLE_YIELD("one");
      *null = 1;
    });
    s.transfer(a).until("one");
    s.transfer(a).until(end);
  } else if (what == "throws") {
    throw std::runtime_error("no way");
  }
}

int main(int, char** argv) {
  std::string what = argv[1];
  heddle::Report report = heddle::scenario([=](heddle::Script& s) { script(s, what); });
  std::printf("%s", report.text().c_str());
  return report.exit_code();
}
