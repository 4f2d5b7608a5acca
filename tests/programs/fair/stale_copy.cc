// Figure 8 of the paper: in the uncommon case the promise waits for a copy of the variable, which
// will never change.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: FAILED  livelock at .*stale_copy.cc:19
// OUT: The cycle: 1 step
// JSON: j["failures"][0]["kind"] == "livelock" and j["failures"][0]["location"].endswith("stale_copy.cc:19")
// RUN: %heddle replay heddle-out/*.heddle
// EXIT: 1
#include <atomic>
#include <chrono>
#include <thread>
std::atomic<int> x, ready;
void wait_for_the_promise() {
  int copy = x.load();
  if (ready.load() == 0) return;  // the common case
  while (copy != 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}
int main() {
  std::thread waiter(wait_for_the_promise);
  x.store(1);
  ready.store(1);
  waiter.join();
}
