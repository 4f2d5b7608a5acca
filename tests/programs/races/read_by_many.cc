// Seven threads read a variable atomically, again and again, and main writes it plainly in the end:
// a race with those that it has not joined before, whichever these are.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy random --executions 20 --json %t.json %t 7
// JSON: j["failures"] == []
// RUN: %heddle run --strategy random --executions 200 --keep-going --json %t.json %t 6
// EXIT: 1
// JSON: j["verdict"] == "failed" and {f["kind"] for f in j["failures"]} == {"data-race"}
// RUN: %heddle run --strategy random --executions 200 --keep-going --json %t.json %t 0
// EXIT: 1
// JSON: j["verdict"] == "failed" and {f["kind"] for f in j["failures"]} == {"data-race"}
#include <atomic>
#include <cstdlib>
#include <thread>

int main(int, char** arguments) {
  constexpr int kThreads = 7;
  int joined = std::atoi(arguments[1]);
  int value = 0;
  std::atomic<int> done = 0;
  std::thread threads[kThreads];
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int i = 0; i < 3; ++i) {
        __atomic_load_n(&value, __ATOMIC_RELAXED);
        done.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  for (int i = 0; i < joined; ++i) threads[i].join();
  value = 1;
  for (int i = joined; i < kThreads; ++i) threads[i].join();
}
