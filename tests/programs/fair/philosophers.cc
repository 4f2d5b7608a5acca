// Figure 1 of the paper: two philosophers who retry with try-locks. The livelock is the paper's
// cycle of six steps.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: FAILED  livelock at .*philosophers.cc
// OUT: The cycle: 6 steps
// JSON: j["failures"][0]["kind"] == "livelock"
// JSON: sorted((s["thread"], s["operation"], s["object"]) for s in j["failures"][0]["cycle"]["steps"]) == [("0", "lock mutex", "fork2"), ("0", "try to lock mutex", "fork1"), ("0", "unlock mutex", "fork2"), ("1", "lock mutex", "fork1"), ("1", "try to lock mutex", "fork2"), ("1", "unlock mutex", "fork1")]
// JSON: j["failures"][0]["cycle"]["length"] == 6
// JSON: [w["looks"] for w in j["failures"][0]["waits"]] == ["tries to lock mutex fork1, held by T1", "tries to lock mutex fork2, held by main"]
// RUN: %heddle replay heddle-out/*.heddle
// EXIT: 1
#include <mutex>
#include <thread>
std::mutex fork1, fork2;
void dine(std::mutex& first, std::mutex& second) {
  while (true) {
    first.lock();
    if (second.try_lock()) break;
    first.unlock();
  }
  first.unlock();
  second.unlock();
}
int main() {
  std::thread other([] { dine(fork1, fork2); });
  dine(fork2, fork1);
  other.join();
}
