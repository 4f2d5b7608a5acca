// Threads that step back for each other, and can do so for ever: each livelock is proved by a state
// that comes back, shown with its cycle and replayed, however the program was compiled.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O0 -g %s -o ./program0
// RUN: %cxx -std=c++20 -O1 -g %s -o ./program1
// RUN: %cxx -std=c++20 -O2 -g %s -o ./program2
// RUN: for level in 0 1 2; do for kind in yield retry sleep memory; do for search in auto dfs; do rm -rf heddle-out; %heddle run --quiet --strategy $search --executions 1000 --json %t.json ./program$level $kind && exit 1; python3 -c 'import json, sys; j = json.load(open(sys.argv[1])); f = j["failures"]; assert [x["kind"] for x in f] == ["livelock"] and 1 <= f[0]["cycle"]["length"] <= (20 if sys.argv[3] != "memory" else 200), (sys.argv, j)' %t.json $level $kind $search; %heddle replay --quiet --times 3 heddle-out/*.heddle && exit 1; done; done; done; true
// This one takes more schedules.
// RUN: %heddle run --samplers none --executions 5000 --json %t.json ./program1 wanted
// EXIT: 1
// JSON: [f["kind"] for f in j["failures"]] == ["livelock"] and j["failures"][0]["cycle"]["length"] == 8
// Nobody yields here: turns must be short for a short cycle.
// RUN: %heddle run --executions 5000 --yield-after 5 --json %t.json ./program1 spinlock
// EXIT: 1
// JSON: [f["kind"] for f in j["failures"]] == ["livelock"] and j["failures"][0]["cycle"]["length"] <= 100
// RUN: %heddle run ./program1 yield
// EXIT: 1
// OUT: FAILED  livelock at .*retries.cc
// OUT: 2 threads loop forever, and none makes progress
// OUT: The cycle: 8 steps from step \d+ on, which lead back to the same state
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

std::string kind;
std::mutex left, right;
std::atomic<bool> wants[2];
std::atomic<int> spinlocks[2];

void with_locks(std::mutex& first, std::mutex& second) {
  while (true) {
    first.lock();
    int* note = kind == "memory" ? new int(1) : nullptr;
    bool got = second.try_lock();
    delete note;
    if (got) break;
    first.unlock();
    if (kind == "yield") std::this_thread::yield();
    if (kind == "sleep") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  second.unlock();
  first.unlock();
}

void with_wishes(int me) {
  while (true) {
    wants[me].store(true);
    if (!wants[1 - me].load()) break;
    wants[me].store(false);
    std::this_thread::yield();
  }
  wants[me].store(false);
}

bool take(std::atomic<int>& lock) {
  int expected = 0;
  return lock.compare_exchange_strong(expected, 1);
}

void with_spinlocks(int me) {
  while (true) {
    while (!take(spinlocks[me])) std::this_thread::yield();
    if (take(spinlocks[1 - me])) break;
    spinlocks[me].store(0);
  }
  spinlocks[0].store(0);
  spinlocks[1].store(0);
}

void go(int me) {
  if (kind == "wanted") {
    with_wishes(me);
  } else if (kind == "spinlock") {
    with_spinlocks(me);
  } else {
    with_locks(me == 0 ? left : right, me == 0 ? right : left);
  }
}

int main(int, char** argv) {
  kind = argv[1];
  std::thread one([] { go(0); }), two([] { go(1); });
  one.join();
  two.join();
}
