// What a thread can be let go to: each kind of point, and what it has done when it is there.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// OUT: ^all as expected
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %t
// OUT: ^all as expected
// RUN: %cxx -std=c++17 -O2 -g %s -o %t
// RUN: %t
// OUT: ^all as expected
#include <heddle/scenario.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>

using namespace heddle::script;

bool g_ok = true;

struct Work {
  std::atomic<int> done{0};
  std::atomic<int> other{0};
  int source = 0;
  int plain = 0;
  int target = 0;
  std::mutex mutex;
  std::shared_mutex shared;
  std::condition_variable ready;

  __attribute__((noinline)) void inner() { done += 10; }
  void inlined() { done += 100; }

  void run() {
    done = 1;
    HEDDLE_YIELD("first");
    done = 2;
    int value = source;
    done = 3;
    plain = value + 1;
    done = 4;
    {
      std::lock_guard lock(mutex);
      done = 5;
    }
    done = 6;
    inner();
    done = 20;
    inlined();
    done = 200;
    done = 201;  // at
    HEDDLE_YIELD("second");
    done = 202;
    HEDDLE_YIELD("second");
    done = 203;
    {
      std::shared_lock lock(shared);
      done = 204;
    }
    done = HEDDLE_YIELD_READ("read", other) + 300;
    HEDDLE_YIELD_WRITE("write", target) = done + 1;
    {
      std::unique_lock lock(mutex);
      ready.wait(lock);
    }
    done = 400;
  }
};

// Where the thread stands when it has come to `until` for the count-th time.
template <typename MakeUntil>
void expect(const char* what, int expected, MakeUntil make, unsigned count = 1) {
  heddle::Report report = heddle::scenario(
      [&](heddle::Script& s) {
        Work work;
        auto a = s.thread("A", [&] { work.run(); });
        s.transfer(a).until(make(work)).count(count);
        HEDDLE_ASSERT(work.done == expected);
        s.transfer(a).until(blocked);
        HEDDLE_ASSERT(work.done == 300 && work.target == 301);
        work.ready.notify_one();
        s.transfer(a).until(end);
        HEDDLE_ASSERT(work.done == 400);
      },
      heddle::Options{}.races("ignore").out("heddle-out"));
  if (report.ok() && report.verdict() == heddle::Verdict::passed) return;
  std::printf("%s:\n%s", what, report.text().c_str());
  g_ok = false;
}

int main() {
  expect("label", 1, [](Work&) { return Condition("first"); });
  expect(
      "label, twice", 202, [](Work&) { return Condition("second"); }, 2);
  expect("reads", 2, [](Work& w) { return reads(w.source); });
  expect("writes", 3, [](Work& w) { return writes(w.plain); });
  expect("accesses", 2, [](Work& w) { return accesses(w.source); });
  expect(
      "writes of an atomic, for the fifth time", 4, [](Work& w) { return writes(w.done); }, 5);
  expect("locks", 4, [](Work& w) { return locks(w.mutex); });
  expect("unlocks", 5, [](Work& w) { return unlocks(w.mutex); });
  expect("locks for reading", 203, [](Work& w) { return locks(w.shared); });
  expect("unlocks after reading", 204, [](Work& w) { return unlocks(w.shared); });
  expect("waits", 300, [](Work& w) { return waits(w.ready); });
  expect("enters", 6, [](Work&) { return enters("Work::inner"); });
  expect("returns", 16, [](Work&) { return returns_from("Work::inner"); });
  expect("enters what is inlined", 20, [](Work&) { return enters("Work::inlined"); });
  expect("at a line", 200, [](Work&) { return at("conditions.cc:55"); });
  expect("one of two", 2, [](Work& w) { return writes(w.target) || reads(w.source); });
  expect("both", 3, [](Work& w) { return accesses(w.plain) && writes(w.plain); });
  expect("next", 0, [](Work&) { return next; });
  expect(
      "next, third", 1, [](Work&) { return next; }, 3);
  expect("read with a yield before", 204, [](Work&) { return Condition("read"); });
  expect("write with a yield before", 300, [](Work&) { return Condition("write"); });
  if (g_ok) std::printf("all as expected\n");
}
