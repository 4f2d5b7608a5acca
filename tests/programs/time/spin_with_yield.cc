// A spin loop that yields ends under the default behaviour, also when what it waits for sleeps.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --executions 200 --json %t.json %t
// JSON: j["failures"] == [] and j["executions"] == 200 and j["cut"] == 0
#include <atomic>
#include <chrono>
#include <thread>
std::atomic<bool> ready;
void spin() {
  while (!ready.load()) std::this_thread::yield();
}
int main() {
  std::thread a(spin), b(spin);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ready = true;
  a.join();
  b.join();
}
