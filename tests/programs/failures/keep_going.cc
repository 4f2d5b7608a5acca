// Each different failure once, though each occurs in many executions.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --keep-going --preemptions none --json %t.json --out %t.out %t
// EXIT: 1
// JSON: sorted(f["kind"] for f in j["failures"]) == ["assertion", "assertion", "deadlock", "exit"]
// JSON: j["coverage"]["complete"] and j["failing_executions"] > len(j["failures"])
// RUN: ls %t.out/*.heddle | wc -l
// OUT: ^4$
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
std::atomic<int> a, b;
int main() {
  std::mutex mutex;
  std::condition_variable never;
  std::thread first([] { a = 1; }), second([] { b = 1; });
  switch (heddle::choose(3)) {
    case 0:
      HEDDLE_ASSERT(a + b != 1);
      break;
    case 1:
      HEDDLE_ASSERT(a + b != 2);
      break;
    default:
      if (a == 1) std::exit(4);
      if (b == 1) {
        std::unique_lock lock(mutex);
        never.wait(lock);
      }
  }
  first.join();
  second.join();
}
