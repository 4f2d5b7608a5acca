// std::atomic::wait spins before it sleeps, and std::atomic::notify_one wakes only those who sleep.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --strategy dfs --preemptions 2 --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <heddle/heddle.h>

#include <atomic>
#include <thread>
std::atomic<int> stage;
int main() {
  std::thread other([] {
    stage.wait(0);
    stage.store(2);
    stage.notify_one();
  });
  stage.store(1);
  stage.notify_one();
  stage.wait(1);
  other.join();
  HEDDLE_ASSERT(stage.load() == 2);
}
